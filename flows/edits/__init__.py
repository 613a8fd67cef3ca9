"""Edits of records and histories, checked while typed; what they cost to rebuild; errata."""
