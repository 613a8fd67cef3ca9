"""The layout of LongMemEval: questions, each with a history of its own."""
