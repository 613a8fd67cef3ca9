"""Build and curate multimodal long-term-memory data sets, and prove every gold answer."""
