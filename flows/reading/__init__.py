"""Models that read: what each is asked about items and sessions, and who is asked."""
