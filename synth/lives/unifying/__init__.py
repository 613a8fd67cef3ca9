"""Members of a cluster become one user's: names are made equal, contradictions left out."""
