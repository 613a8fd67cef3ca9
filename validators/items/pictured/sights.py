"""What a caption says that its picture shows: the things its beginning names."""

import re
from functools import lru_cache
from typing import Final

from memassay.validators.items.aligned.contrasts import Named, Things, meant, named

_TABLE: Final = "sights.txt"
_FORM: Final = re.compile(
    r"^(?:an? )?(?:photo(?:graph(?:y)?)?|picture|painting|image) of ", re.IGNORECASE
)
_REST: Final = re.compile(
    r"[,.;:]| (?:with|against|on|in|at|beside|near|behind|under|surrounded|standing|sitting|lying"
    r"|wearing|placed|set|featuring|including|showing|next|above|over|from|along|by|inside)\b"
)
"""Where a caption goes on with what surrounds the thing it shows."""
_NO_THING: Final = re.compile(
    r"\b\w+[- ](?:like|type|style|shaped|coloured|colored)\b|\bseen\b"
    r"|\b(?!(?:\w*building|painting|(?:ear)?ring|pudding|packaging|drawing|dumpling)s?\b)\w{3,}(?:ed|ings?)\b",
    re.IGNORECASE,
)
"""What only looks like a thing, and forms of verbs."""


def _plain(text: str) -> str:
    return _NO_THING.sub(" ", text)


def head(caption: str) -> str:
    """The beginning of a caption, which names what the picture shows."""
    return _REST.split(_FORM.sub("", caption))[0]


@lru_cache(maxsize=1 << 12)
def things(text: str) -> tuple[Named, ...]:
    """The things that a text names and a picture may show."""
    return named(_plain(text), _TABLE)


@lru_cache(maxsize=1 << 12)
def may_mean(text: str, *, broadly: bool = False) -> Things:
    """The things that the words of a text may mean; broadly, each that a word for a sort may."""
    return meant(_plain(text), _TABLE, broadly=broadly)


def is_meant(thing: Named, by: Things) -> bool:
    """Whether a thing is among those that some words may mean."""
    return bool(thing.numbers & by.get(thing.sort, frozenset()))


def other_thing(wanted: str, caption: str, known: str = "") -> tuple[str, str] | None:
    """A thing that a text names, and another of its sort that a caption shows in its place.

    Args:
        wanted: The text.
        caption: The caption; one that names the thing anywhere shows it.
        known: Words of which the things are no others.
    """
    there, besides = may_mean(caption), may_mean(f"{wanted} . {known}")
    shown = [one for one in things(head(caption)) if not is_meant(one, besides)]
    for each in things(wanted):
        instead = [one.stem for one in shown if one.sort == each.sort]
        if instead and not is_meant(each, there):
            return each.stem, instead[0]
    return None
