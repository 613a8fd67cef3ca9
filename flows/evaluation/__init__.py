"""Scores answers and memories on releases."""
