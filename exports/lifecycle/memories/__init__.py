"""The memories that are evaluated: what they must offer, ours, and those of other programs."""
