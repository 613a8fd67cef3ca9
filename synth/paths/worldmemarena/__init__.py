"""WorldMemArena: worlds that change over sessions, told and asked (WorldMemArena §4)."""
