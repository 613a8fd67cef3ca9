"""A release as a folder: written, read again, checked, with its card and tables."""
