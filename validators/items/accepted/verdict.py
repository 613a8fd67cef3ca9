"""What a text beside a gold is: the same, less of it, something else, or not to be decided."""

from enum import StrEnum


class Verdict(StrEnum):
    """How a text stands to a gold."""

    SAME = "the gold"
    COARSER = "less precise than the gold"
    OTHER = "something else than the gold"
    UNSURE = "not known to follow from the gold"
