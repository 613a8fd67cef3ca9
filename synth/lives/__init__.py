"""One life of the dialogues of a cluster (Mem-Gallery §3.1, A.2.3)."""
