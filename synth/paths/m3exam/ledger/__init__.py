"""The stages that fix the world first and tell it after: timeline, dialogue, questions."""
