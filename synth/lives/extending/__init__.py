"""New sessions of a life that correct, change and contradict on purpose (Mem-Gallery A.2.3)."""
