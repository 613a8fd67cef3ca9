"""Rules on whom and what an item is about: persons named, and what a person tells themselves."""
