"""Language models as authors: clients, batches, keys, prompts, replies."""
