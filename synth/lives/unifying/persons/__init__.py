"""What is true of the people of a life and for how long: their lives, homes, ages and numbers."""
