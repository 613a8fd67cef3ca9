"""Layouts of published data sets, a folder each, with both its import and its export."""
