"""Questions as queries over the ledger, one maker for each family."""
