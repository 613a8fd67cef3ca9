"""Hosts without LoCoMo: two people who talk about their lives for a year."""
