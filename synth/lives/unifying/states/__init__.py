"""States of a life with a beginning and an end: homes, languages, bodies, ties and work."""
