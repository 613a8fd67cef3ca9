"""Edits of records and histories: checked while typed, applied, and what they cost to rebuild."""
