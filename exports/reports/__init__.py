"""Pages and figures about a release: contact sheet, statistics."""
