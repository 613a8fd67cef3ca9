"""Histories of personas, ledger first: timeline, dialogue and question bank, for every path."""
