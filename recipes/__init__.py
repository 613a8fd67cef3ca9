"""Recipes that ship, and the sample data that they read."""
