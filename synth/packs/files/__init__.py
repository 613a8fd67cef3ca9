"""Pack files: their shape, their parts, the arithmetic of their laws."""
