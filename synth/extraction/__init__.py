"""Dialogues that models wrote: facts read out of them with their places, audits and repairs."""
