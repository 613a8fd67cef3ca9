"""A release in parts: what it holds of one conversation, packed alone and merged in order."""
