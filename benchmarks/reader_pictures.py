"""Finds the pictures that a phrase describes: its noun, page, month, place in time, event or fact.

The cited rounds are those of the event or fact; what is left to find is which of their pictures.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from reader_release import ReadRound, Shown

Looks = Callable[[Shown], bool]

_KINDS: Final = {
    "graph": ("bar chart", "line chart", "double chart"),
    "chart": ("bar chart", "line chart", "double chart"),
    "bar chart": ("bar chart", "double chart"),
    "line chart": ("line chart",),
    "table": ("table", "timetable"),
    "timetable": ("timetable",),
    "rota": ("timetable",),
    "receipt": ("receipt",),
    "bill": ("receipt",),
    "quote": ("receipt",),
    "estimate": ("receipt",),
    "label": ("label",),
    "tag": ("label",),
    "sticker": ("label",),
    "card": ("label", "notice", "certificate"),
    "certificate": ("certificate",),
    "notice": ("notice",),
    "ticket": ("ticket",),
    "slip": ("ticket", "label", "notice", "receipt"),
    "whiteboard": ("whiteboard",),
    "board": ("whiteboard",),
    "calendar": ("calendar",),
    "plan": ("plan",),
    "photo": ("scene", "photo pair", "cluttered scene"),
}
"""First words of a public caption by the noun that people use."""
_ANY: Final = ("image", "picture")
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_MONTHS: Final = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
)
_NOUNS: Final = "|".join(sorted((*_KINDS, *_ANY), key=len, reverse=True))
_PLACE: Final = "|".join(_PLACES)
_PICTURE: Final = re.compile(rf"\b(?:(?P<place>{_PLACE}) )?(?P<noun>{_NOUNS})s?\b")
_TWO: Final = re.compile(rf"\bthe two (?P<noun>{_NOUNS})s\b")
_PAGE: Final = re.compile(r"\bpage (\d+) of the document\b")
_MONTH: Final = re.compile(rf"\b(?:from|in) (?P<month>{_MONTHS})\b")


def shown_in(rounds: Sequence[ReadRound]) -> list[Shown]:
    """All pictures and pages of rounds, in the order of time."""
    return [shown for each in rounds for shown in each.shown]


def of_noun(noun: str, shown: Sequence[Shown]) -> list[Shown]:
    """The pictures that a noun names by their captions; pictures of any kind if none is named."""
    return _named(noun, shown) or [one for one in shown if one.page is None]


def _named(noun: str, shown: Sequence[Shown]) -> list[Shown]:
    """The pictures that a noun names by their captions."""
    kinds = _KINDS.get(noun, ())
    pictures = [one for one in shown if one.page is None]
    return [one for one in pictures if one.caption.partition(":")[0].lower() in kinds]


def two_pictures(question: str, cited: Sequence[ReadRound]) -> tuple[Shown, Shown] | None:
    """The two pictures that a question names together; None if it speaks of one."""
    match = _TWO.search(question)
    if match is None:
        return None
    # A round that tells the event may show pictures of others: the two are of one round.
    by_round = [_named(match.group("noun"), shown_in([each])) for each in cited]
    pairs = [fit for fit in by_round if len(fit) == 2]
    fit = pairs[0] if len(pairs) == 1 else of_noun(match.group("noun"), shown_in(cited))
    return (fit[0], fit[1]) if len(fit) == 2 else None


def candidates(question: str, cited: Sequence[ReadRound]) -> list[Shown]:
    """The pictures or the page that a question may speak of, those of its noun and place first."""
    shown = shown_in(cited)
    if page := _PAGE.search(question):
        return [one for one in shown if one.page == int(page.group(1))]
    match = next(
        (one for one in _PICTURE.finditer(question) if one.group("noun") not in _ANY), None
    )
    named = of_noun(match.group("noun"), shown) if match else []
    if match and match.group("place") and named:
        at = _PLACES[match.group("place")]
        return [named[at]] if -len(named) <= at < len(named) else []
    return named or [one for one in shown if one.page is None]


def one_picture(
    question: str, cited: Sequence[ReadRound], every: Sequence[ReadRound], looks: Looks
) -> Shown | None:
    """The one picture or page that a question describes.

    Args:
        question: Its words.
        cited: Rounds of the event or fact, in the order of time.
        every: All rounds of the conversation, to count what was shown in a month.
        looks: Whether a picture looks as the question says.
    """
    if page := _PAGE.search(question):
        pages = [one for one in shown_in(cited) if one.page == int(page.group(1))]
        return pages[0] if pages else None
    match = _PICTURE.search(
        re.sub(r'"[^"]*"|\b(?:[Ww]hich|[Tt]he) (?:of the )?images?\b', "", question)
    )
    if match is None:
        return None
    place = _PLACES.get(match.group("place") or "first", 0)
    if month := _MONTH.search(question, match.start()):
        number = _MONTHS.split("|").index(month.group("month")) + 1
        then = [one for one in every if one.date and int(one.date[5:7]) == number]
        fit = [one for one in of_noun(match.group("noun"), shown_in(then)) if looks(one)]
    else:
        fit = [one for one in of_noun(match.group("noun"), shown_in(cited)) if looks(one)]
    return fit[place] if -len(fit) <= place < len(fit) else None
