"""Rules that hold dates and durations of question, gold and evidence against one calendar."""
