"""The ways of the papers, a folder each."""
