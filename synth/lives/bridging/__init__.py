"""Rounds that lead from one session of a life to the next and add no fact."""
