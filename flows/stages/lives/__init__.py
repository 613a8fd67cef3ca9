"""Stages that make long conversations of single dialogues (Mem-Gallery §3.1, A.2.3)."""
