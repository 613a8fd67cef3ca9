"""Rules on sessions that come from other conversations: they answer no question of their host."""
