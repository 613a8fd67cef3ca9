"""What a question asks for that was there and has ended: by query, by facts, by text."""
