"""Whether what a reader quotes is where it says."""

import re
from collections.abc import Mapping
from typing import Any, Final

from memassay.schemas.contracts.readings import DefectKind, ReadDefect, Reading, Shown
from memassay.schemas.values.text import holds, normalise

_QUOTED: Final = frozenset(
    {
        DefectKind.CONTRADICTED,
        DefectKind.OTHER_PERSON,
        DefectKind.OTHER_TIME,
        DefectKind.INCOMPLETE,
        DefectKind.SAID_OTHERWISE,
        DefectKind.TAKEN_BACK,
        DefectKind.ANSWERED,
        DefectKind.CAPTION,
    }
)
"""Kinds that say that something is somewhere: a quote has to show it."""
_LEFT_OUT: Final = re.compile(r"\s*(?:\.\.\.+|…|\[\.\.\.\]|\[…\])\s*")
_BETWEEN: Final = re.compile(r"[,;\s]+")
_AROUND: Final = " \t\n\"'“”‘’«»[]()"
_LONG: Final = 8
"""Characters from which a piece is looked for letter by letter: not all languages have spaces."""


def why_refused(reading: Reading[Any], defect: ReadDefect) -> str:
    """Why a defect of an item that a reader names does not count; empty if it does."""
    return why_unfounded(reading, defect, needs_quote=defect.kind in _QUOTED)


def why_unfounded(reading: Reading[Any], defect: Shown, *, needs_quote: bool = True) -> str:
    """Why what a reader shows is not where it says; empty if it is there.

    Args:
        reading: What it was shown.
        defect: Place and words.
        needs_quote: Whether it says that something is somewhere.
    """
    named = places_in(defect.place)
    unknown = [one for one in places_named(defect) if one not in reading.shown]
    if unknown:
        return f"{', '.join(unknown)} was not shown"
    quote = defect.quote.strip(_AROUND)
    if quote:
        if not named:
            return "the quote names no place"
        if not any(has_quote(reading.shown, one, quote) for one in named):
            return f"the quote does not stand at {', '.join(named)}"
        return ""
    if needs_quote and not any(one in reading.seen for one in named):
        return "nothing is quoted that shows it"
    return ""


def places_in(text: str) -> list[str]:
    """The places that a reader names, several with commas between them."""
    places = (one.strip(_AROUND) for one in _BETWEEN.split(text.strip(_AROUND)))
    return [one for one in places if one]


def places_named(defect: Shown) -> list[str]:
    """The places that a defect names, and those that it goes against."""
    return [*places_in(defect.place), *places_in(defect.other)]


def has_quote(shown: Mapping[str, str], place: str, quote: str) -> bool:
    """Whether every piece of a quote is at a place, up to case, marks and what is left out."""
    pieces = [one.strip(_AROUND) for one in _LEFT_OUT.split(quote)]
    said = [one for one in pieces if one]
    return bool(said) and all(_holds(shown[place], one) for one in said)


def _holds(text: str, piece: str) -> bool:
    return holds(text, piece) or (len(piece) >= _LONG and normalise(piece) in normalise(text))
