"""Authors, prompts, worlds and the stages that make conversations and questions."""
