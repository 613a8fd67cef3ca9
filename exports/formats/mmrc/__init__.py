"""A layout for MMRC: single dialogues with images, and up to six questions each."""
