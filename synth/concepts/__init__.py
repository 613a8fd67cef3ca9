"""Concepts: people's pets and things with their pictures, read from folders or drawn."""
