"""Flaws planted on purpose, so that what finds them can be measured."""
