"""One stage after the other: units of work, gates, edits applied to records, lineage."""
