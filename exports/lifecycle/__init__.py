"""Evaluates memories by stages: what they wrote, kept, found and used (WorldMemArena)."""
