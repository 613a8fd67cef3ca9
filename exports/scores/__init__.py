"""Retrieval and answer metrics, the systems they score, and predictions read from files."""
