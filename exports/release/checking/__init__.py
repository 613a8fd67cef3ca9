"""Reads a release that may be damaged, piece by piece, and keeps its records on the disk."""
