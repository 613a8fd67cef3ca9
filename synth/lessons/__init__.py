"""Lessons: rounds that teach what classes of things are called, and questions about new ones."""
