"""Ledger-first dialogues in a model's words: each planned turn is worded, checked and sent back."""
