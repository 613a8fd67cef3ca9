"""The hidden world: things, slots, and what changes in which session, before a word exists."""
