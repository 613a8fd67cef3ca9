"""Images of each kind, drawn from facts."""
