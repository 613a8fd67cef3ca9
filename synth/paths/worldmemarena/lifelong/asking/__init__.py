"""Checkpoints and their questions, each the result of its query."""
