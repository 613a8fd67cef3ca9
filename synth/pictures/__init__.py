"""Pictures and documents drawn from facts, with the classes of things that they show."""
