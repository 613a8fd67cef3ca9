"""Errata of foreign files: one entry a defect, with its place, its reasons and its patch."""
