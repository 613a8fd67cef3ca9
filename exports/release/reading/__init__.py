"""Reads the records of a release one conversation at a time."""
