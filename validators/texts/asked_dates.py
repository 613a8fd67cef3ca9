"""The date that a question names, and which days it means."""

import re
from typing import Final, NamedTuple

from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.validators.texts.gold_dates import GoldDate, gold_date

_MONTH: Final = "|".join((*MONTHS, *(rf"{name[:3]}\." for name in MONTHS)))
_DAY: Final = "[0-9]{1,2}(?:st|nd|rd|th)?"
_DATE: Final = rf"(?:{_DAY} (?:of )?(?:{_MONTH})|(?:{_MONTH})(?: {_DAY})?),? ?[12][0-9]{{3}}"
_PART: Final = (
    r"(?:(?:first|second|third|last) (?:week|weekend) of|(?:beginning|start|middle|end) of"
    r"|early|mid|late|(?:week|weekend) of) ?-?"
)
_COUNT: Final = "|".join(("a", "last", "next", *list(NUMBER_WORDS)[1:13], "[0-9]{1,2}"))
_UNIT: Final = "|".join(("day", "week", "weekend", "month", "year", *WEEKDAYS))
_SHIFT: Final = rf"(?:(?:{_COUNT}) )?(?:{_UNIT})s? (?:before|after)"
_NAMED: Final = re.compile(
    rf"\b(?:(?P<lead>on|in|at|during|by|as of|since|until|before|after|from|around|about|of) )?"
    rf"(?:the )?(?P<when>(?:{_SHIFT} |{_PART} ?)?(?:{_DATE}|(?<=in )[12][0-9]{{3}}\b))",
    re.IGNORECASE,
)
_OPEN: Final = frozenset({"by", "as of", "since", "until", "before", "after", "from"})


class AskedDate(NamedTuple):
    """A date in a question.

    Attributes:
        words: What is written.
        at: Where it begins in the question.
        span: The days it means.
    """

    words: str
    at: int
    span: GoldDate


def asked_date(question: str) -> AskedDate | None:
    """The one date at which a question places what it asks for; None if there is none, or several.

    "As of", "since" and their like name an edge, at which nothing needs to happen.
    """
    found = list(_NAMED.finditer(question))
    if len(found) != 1 or (found[0]["lead"] or "").casefold() in _OPEN:
        return None
    words = found[0]["when"]
    span = gold_date(words)
    return AskedDate(words, found[0].start(), span) if span is not None else None
