"""The words of a decision; the command line offers them without loading any record."""

from enum import StrEnum


class Ruling(StrEnum):
    """What a reviewer decides about a record."""

    ACCEPT = "accept"
    REJECT = "reject"


class JudgedField(StrEnum):
    """Parts of a question that a reviewer can call wrong, each by itself."""

    QUESTION = "question"
    ANSWER = "answer"
    EVIDENCE = "evidence"
    TYPE = "type"
    IMAGE = "image"


class ReasonCode(StrEnum):
    """Closed list of reasons for a decision."""

    CORRECT = "correct"
    CORRECT_AFTER_EDIT = "correct_after_edit"
    WRONG_ANSWER = "wrong_answer"
    WRONG_EVIDENCE = "wrong_evidence"
    AMBIGUOUS = "ambiguous"
    LEAKED = "leaked"
    DUPLICATE = "duplicate"
    UNREADABLE = "unreadable"
    OFFENSIVE = "offensive"
    OTHER = "other"
