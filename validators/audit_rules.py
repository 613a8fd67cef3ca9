"""Audits of a told dialogue."""

AUDIT_VERSION = "1"
