"""Verticals: what can be true of a project or a life, as YAML, and its checks."""
