"""ShareGPT: dialogues as lists of who speaks and what is said."""
