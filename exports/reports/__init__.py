"""Pages and figures about a release: audit report, contact sheet, statistics."""
