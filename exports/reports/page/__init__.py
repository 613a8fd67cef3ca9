"""The report: one HTML page about a release, with tables, plots and sample items."""
