"""Dialogues that models wrote: facts read out of them, audits and repairs, questions about them."""
