"""Rules on what a question demands of its gold without a ledger: its kind, its form, its detail."""
