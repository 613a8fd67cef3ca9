"""Sentences about relatives, friends and pets, as if these told them of themselves."""
