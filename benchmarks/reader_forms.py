"""By its words, the form of a question of ms or tr, and what of a table by form."""

import re
from collections.abc import Sequence
from typing import Final

import reader_courses as courses
import reader_series as series

_OLDER: Final = {
    "ms": (
        (
            "change",
            r".*\b(?:chang|become|one thing first|start as|put off|brought forward|in the end)"
            r".*|.*\b(?:go|went) (?:up|down)\b.*|How far .+",
        ),
        ("hop", r".* (?:its|their|whose) .+ was .+\b[Tt]hat .*"),
        ("two occasions", r".*"),
    ),
    "tr": (
        ("slipped plan", r"(?:How many days .+ plan|By how many days did .+ slip)\b.*"),
        (
            "stage to stage",
            r".*\bhow many (?:day|week)s did it take\b.*|How many (?:day|week)s did it take.+",
        ),
        ("distance", r"(?:.*\b)?[Hh]ow many (?:day|week)s\b.+"),
        ("begun", r"(?:When|On what date) did .+ begin\?"),
        ("length of time", r"(?:When|On what date) (?!was |were ).+"),
        ("date", r".*"),
    ),
}
_NEWER: Final = (
    ("series, date of its end", series.REACHED),
    ("series, date of a kind", (series.ONCE_MORE,)),
    ("series, course", series.COURSE),
    ("series, end", series.EXTREME),
    ("series, commonest", (series.USUAL,)),
    ("series, kind counted", (series.OFTEN,)),
    ("series, every kind", (series.EVERY,)),
    ("order", courses.ORDERS),
    ("outcomes", courses.OUTCOMES),
)
NEW: Final = frozenset({*(name for name, _ in _NEWER), "length of time"})
"""Forms that gather, count, order or shift, or follow what led to what."""


def form_of(code: str, question: str) -> str:
    """The form of a question; empty for types without forms."""
    for name, patterns in _NEWER if code in _OLDER else ():
        if any(_fits(one, question) for one in patterns):
            return name
    return next((n for n, p in _OLDER.get(code, ()) if re.fullmatch(p, question)), "")


def _fits(pattern: re.Pattern[str], question: str) -> bool:
    return bool(
        pattern.search(question) if pattern is series.USUAL else pattern.fullmatch(question)
    )


def by_form(rows: Sequence[tuple[str, str, bool]]) -> list[tuple[str, str, int, int]]:
    """Type, form, how many, and how many were re-derived, of (type, form, right)."""
    forms = dict.fromkeys((code, form) for code, form, _ in sorted(rows) if form)
    counts = []
    for code, form in forms:
        own = [right for other, one, right in rows if (other, one) == (code, form)]
        counts.append((code, form, len(own), sum(own)))
    return counts


def new_share(rows: Sequence[tuple[str, str, bool]], code: str) -> float:
    """Share of the questions of a type that are of the new forms."""
    own = [form for other, form, _ in rows if other == code]
    return sum(form in NEW for form in own) / len(own) if own else 0.0
