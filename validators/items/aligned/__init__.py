"""Questions and golds held against the clause of the evidence that tells of them."""
