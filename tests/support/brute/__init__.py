"""A second evaluator of the query language, from docs/queries.md alone, and what it is fed with."""
