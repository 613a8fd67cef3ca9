"""Processes in time: the stages of a card, and in which session each of them is told."""
