"""Numbers, dates and texts of queries: compared, subtracted and folded exactly."""
