"""What each paper fixes: its question types, their limits, the tables it prints."""
