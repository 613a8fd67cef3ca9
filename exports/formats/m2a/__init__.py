"""The layout of M2A: LoCoMo conversations with guest sessions about pictured concepts."""
