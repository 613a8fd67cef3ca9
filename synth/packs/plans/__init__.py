"""Plans of dialogues: which scenes in which order, what is true when."""
