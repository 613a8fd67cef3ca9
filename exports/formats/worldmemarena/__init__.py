"""The layout of WorldMemArena: samples of sessions with memory points and checkpoints."""
