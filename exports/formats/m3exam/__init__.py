"""The layout of M3Exam, as far as its paper describes it."""
