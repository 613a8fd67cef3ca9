"""Whether a question asks what its query answers: names, numbers, restrictions, negation."""
