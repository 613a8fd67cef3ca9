"""Releases, foreign formats (import and export), metrics, reports and publishing."""
