"""Matters of a life, each with its values and the many ways to say them: tattoos, none or some."""
