"""Repositories of the Hugging Face Hub, and what must not go there."""
