"""The data: conversations, clusters and alterations, assets, events, ledger, questions."""
