"""Questions that a model drafts from windows of a history: checked, mended once, kept as items."""
