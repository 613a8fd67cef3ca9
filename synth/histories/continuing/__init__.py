"""A history of a persona goes on behind its last session, in its own world."""
