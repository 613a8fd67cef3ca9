"""Simulated histories made again from their recipe, and compared with what a release holds."""
