"""Single dialogues are grouped into sessions of long conversations (Mem-Gallery §3.1, A.2.3)."""
