"""Rules on items without a ledger: their golds are held against the words of the history."""
