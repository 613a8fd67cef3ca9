"""Dialogues of messages, as products and chat formats write them, read as rounds."""
