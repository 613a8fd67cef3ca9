"""Rules about what pictures show: laws of their values, and what is read off them."""
