"""Processes that share the units of a run, and live as long as it does."""
