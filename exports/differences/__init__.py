"""What differs between two releases, as records and as a page."""
