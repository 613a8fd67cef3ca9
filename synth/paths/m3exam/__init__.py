"""The path of M3Exam: timeline, dialogue, questions."""
