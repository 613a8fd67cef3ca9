"""Members of a cluster become one user's: what contradicts is rewritten or left out."""
