"""Rules on what a gold says: its form, its names and numbers, and what gives it away."""
