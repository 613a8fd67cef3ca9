"""The layout of LoCoMo: conversations of two people, with questions."""
