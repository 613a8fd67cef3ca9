"""Kinds of defects that `benchmarks/defects.py` plants, a module for each sort of place."""
