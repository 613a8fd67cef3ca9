"""A path of one's own: people who each keep one animal, and are asked which."""
