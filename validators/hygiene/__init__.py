"""What no person would have written in a history: markup, machine talk, loops."""
