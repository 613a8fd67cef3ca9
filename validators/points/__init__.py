"""Memory points in their sessions: told, seen in captions, set aside, replaced in turn."""
