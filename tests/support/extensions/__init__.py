"""What somebody else adds: a format and a family of rules, copied where a test wants them."""
