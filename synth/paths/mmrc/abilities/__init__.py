"""The six abilities: drafts of their questions over the ledger of a dialogue (MMRC §3.1)."""
