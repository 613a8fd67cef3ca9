"""What people say of themselves in a dialogue: claims of a topic, read from sentences."""
