"""A simulated life: persona files, cast, values and events, before a word is written."""
