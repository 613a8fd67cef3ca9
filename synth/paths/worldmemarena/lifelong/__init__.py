"""Lives and long projects: worlds, their telling, their questions (WorldMemArena C.3)."""
