"""One stage after the other: units of work, gates, edits laid over records, lineage."""
