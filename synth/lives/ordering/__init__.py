"""Dialogues of one life are put in order: what must come first, then what reads well."""
