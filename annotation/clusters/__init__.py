"""What people decide about clusters: the operations, and the list they are kept in."""
