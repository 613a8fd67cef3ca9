"""Whether sessions that came to a host, of guests or distractors, change what is asked of it."""
