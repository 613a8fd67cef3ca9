"""Messages as OpenAI and those who follow it send them to a model."""
