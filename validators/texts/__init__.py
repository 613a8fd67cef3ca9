"""What rules read in the texts of a history: words, speakers, days and spans of time."""
