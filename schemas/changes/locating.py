"""How a value is worded, and where a text holds it: mentions are found in what somebody wrote."""

import re
from typing import Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.values.civil_time import day_forms, is_day

_EDGE: Final = r"(?<![\w.,])"
_LOOSE: Final = r"[\s-]*"
_SPACED: Final = r"\s+"
_END: Final = r"(?![\w]|[.,]\d)"


def spoken_date(when: str) -> str:
    """A day as the dialogues say it: ``14 March 2025``."""
    return day_forms(when)[0]


def spoken_value(value: FactValue) -> str:
    """A value as the dialogues say it and the pictures print it."""
    if value.type is ValueType.DATE and is_day(value.text):
        return spoken_date(value.text)
    if value.unit is None:
        return value.text
    return f"{value.text}{'' if value.unit == '%' else ' '}{value.unit}"


def locate(text: str, value: FactValue) -> tuple[int, int] | None:
    """The span (code points, end excluded) where a text says a value; None if it does not.

    A number counts in its unit, with or without a space and with thousands marked or not; a
    date in any of its written forms; a text word for word, up to case and spaces.
    """
    for form in _forms(value):
        found = re.search(_pattern(form), text, re.IGNORECASE)
        if found:
            return found.start(), found.end()
    return None


def _forms(value: FactValue) -> list[str]:
    if value.type is ValueType.DATE and is_day(value.text):
        return list(day_forms(value.text))
    return [spoken_value(value)]


def _pattern(form: str) -> str:
    words = [_word(word) for word in form.split()]
    between = _LOOSE if _is_count(form) else _SPACED
    return f"{_EDGE}{between.join(words)}{_END}"


def _is_count(form: str) -> bool:
    return form[:1].isdigit() and not form[-1:].isdigit()


def _word(word: str) -> str:
    """A word as a pattern; a whole number may have its thousands marked."""
    if word.isdigit() and len(word) > 3:
        groups: list[str] = []
        while word:
            word, group = word[:-3], word[-3:]
            groups.insert(0, group)
        return ",?".join(groups)
    return re.escape(word)
