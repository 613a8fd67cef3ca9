"""Rules on the places that an item cites, and on other places that answer it."""
