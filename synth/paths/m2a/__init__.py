"""What a language model is asked for on the path of M2A."""
