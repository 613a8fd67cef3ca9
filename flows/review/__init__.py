"""Review against a workspace: what a page shows of it, decisions, assignments, scores."""
