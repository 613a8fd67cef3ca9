"""A release that is extended: what it holds is taken over as it is, and sessions are added."""
