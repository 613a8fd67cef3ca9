"""Whether sessions of visitors, guests or distractors, answer what the host's questions ask."""
