"""Questions whose answers are in pixels: read off one picture, joined from two, or found again."""
