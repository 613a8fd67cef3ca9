"""The review desk: who gets which item, what a vote does to it, disputes, the log of edits."""
