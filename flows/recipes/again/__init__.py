"""Releases held against their recipes: the stages run again in memory, records compared."""
