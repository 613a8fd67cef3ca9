"""What the history does not answer, or answers no longer: refusals, and what has ended."""
