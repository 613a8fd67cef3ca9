"""A recipe file becomes a plan: sections checked, stages in order."""
