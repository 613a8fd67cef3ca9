"""What the folders promise each other: stages, rules, authors, calls, recipe sections."""
