"""Rules on who says what an item asks for."""
