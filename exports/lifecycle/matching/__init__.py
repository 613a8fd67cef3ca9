"""Tells without a model whether a text says what a fact says."""
