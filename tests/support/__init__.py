"""Builders, cases and servers that several tests share: `from support import own_material`."""
