"""Telling a world: sentences of points, turns of sessions, pictures, records."""
