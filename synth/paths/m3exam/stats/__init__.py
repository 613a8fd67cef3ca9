"""The figures of a collection: the paper's tables, and what the dials move."""
