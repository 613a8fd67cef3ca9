"""The shapes of queries: filters, and the expressions that give facts, scalars and truth."""
