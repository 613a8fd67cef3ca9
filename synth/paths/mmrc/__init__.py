"""The path of MMRC: single dialogues out of topic packs, six abilities asked (MMRC §3)."""
