"""Talks of two people: what happens to their things and themselves, told in turns and asked."""
