"""What rules on demands share: which items they look at, and whether a gold has a name."""

import re
from typing import Final

from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.items.unbacked.index import (
    IMAGE_ID,
    History,
    asks_directly,
)

_CAPITAL: Final = re.compile(r"[A-Z][\w'’-]+")
_LOWER_NAME: Final = re.compile(r"[a-z]")


def is_open(item: QAItem) -> bool:
    """Whether a question is open, and its gold one in words."""
    return (
        asks_directly(item)
        and bool(item.answer.values)
        and item.answer.format is not AnswerFormat.IMAGE_ID
        and not any(IMAGE_ID.search(value) for value in item.answer.values)
    )


def has_name(history: History, value: str) -> bool:
    """Whether a text has a name: a word with a capital that nobody writes without one."""
    return any(not _is_lower(history, name) for name in _CAPITAL.findall(value))


def _is_lower(history: History, name: str) -> bool:
    lower = history.derived(_lower_words)
    return name.casefold() in lower or name in {"A", "An", "The"}


def _lower_words(history: History) -> frozenset[str]:
    """The words of a history that stand somewhere without a capital."""
    text = " ".join(history.shown.values())
    return frozenset(word for word in re.findall(r"[\w'’-]+", text) if _LOWER_NAME.match(word))
