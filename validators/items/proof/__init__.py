"""Whether queries give the golds, what counts as right beside them, and what needs no history."""
