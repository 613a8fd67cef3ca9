"""Rules on what a question offers: one of its options is the gold, and its matter is there."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.unbacked.index import (
    History,
    is_unbacked,
    openings,
    recalls,
    roots,
    said_so,
    unbacked_rule,
    weighs_statement,
)
from memassay.validators.registry import problem

_SOURCE: Final = "Mem-Gallery data, golds of other questions"
_OFFERS: Final = re.compile(
    r"^(?:did|do|does|is|are|was|were|has|have|had|will|would|should|can|could)\b"
    r"(?P<all>[^?]* or [^?]*)\?"
    r"|(?:[:,;]| [-–—])\s(?P<listed>[^?:;]* or [^?:;]*)\?",
    re.IGNORECASE,
)
_NEITHER: Final = re.compile(
    r"\b(?:neither|both|none|either|equal\w*|same|nothing|no one|any|all)\b", re.IGNORECASE
)
_LEAST: Final = 2


def _offers(item: QAItem) -> bool:
    return is_unbacked(item) and " or " in item.question.text


@unbacked_rule("asking.offered", Severity.WARNING, _SOURCE, applies=_offers)
def offered(_history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things that a question offers the gold is one, both or neither."""
    found = _OFFERS.search(item.question.text)
    if found is None or weighs_statement(item.question.text):
        return
    options = found["all"] or found["listed"]
    there = openings(roots(options)) | set(tokens(options))
    for at, value in enumerate(item.answer.values):
        named = openings(roots(value)) | set(tokens(value))
        if not named & there and not _NEITHER.search(value) and not said_so(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "one of the things that the question offers",
                value,
                "give the one that holds, or ask for what the gold is",
            )


def _sort(asked: str, seen: str) -> tuple["re.Pattern[str]", "re.Pattern[str]"]:
    return (
        re.compile(rf"\b(?:{asked})s?\b", re.IGNORECASE),
        re.compile(rf"\b(?:{seen})(?:e?s)?\b", re.IGNORECASE),
    )


_SORTS: Final = (
    _sort(
        "clothing|clothes|garment|outfit|dress|apparel",
        "cloth(?:es|ing)|garment|outfit|dress|skirt|shirt|t-shirt|blouse|sweater|jacket|coat|jeans"
        "|pants|trousers|cardigan|hoodie|suit|scarf|sleeve|fabric|knit|wear(?:ing)?|worn|apparel",
    ),
    _sort(
        "plant|flower|tree|shrub",
        "plant|flower|tree|shrub|blossom|bloom(?:ing)?|petal|leaf|leaves|stem|foliage|orchid|bouquet"
        "|garden|botanical|bud",
    ),
    _sort(
        "animal|dog|cat|bird|pet|breed|insect|fish",
        "animal|dog|puppy|pup|cat|kitten|bird|pet|breed|fur|feather|wing|beak|tail|insect|fish|paw"
        "|coat|plumage|species",
    ),
    _sort(
        "food|dish|dessert|meal|drink",
        "food|dish|dessert|meal|drink|cake|cookie|bread|recipe|soup|salad|taste|sauce|flavou?r|baked?"
        "|cook(?:ed|ing)?|eat(?:ing)?|snack",
    ),
    _sort(
        "car|vehicle|motorcycle|truck",
        "car|vehicle|motorcycle|truck|suv|engine|wheel|driv(?:e|ing)|sedan|van|seat|road",
    ),
    _sort(
        "building|landmark|castle|temple|church|monument",
        "building|landmark|castle|temple|church|monument|tower|palace|cathedral|museum|bridge|dome"
        "|mosque|architectur(?:e|al)|skyline|facade|gate|wall",
    ),
)
"""Sorts of things by the words that ask for one, and words of a place that shows one."""
_ASKS_SORT: Final = re.compile(
    r"\b(?:what|which)\b[^?]*?\b(?:category|type|kind|sort|species|breed|style|variety|name)\b"
    r"[^?]*?\b(?:is|are|was|were)\b(?: (?:the|this|that|these))?(?P<what>[^?]*)",
    re.IGNORECASE,
)


def _shows_something(item: QAItem) -> bool:
    return recalls(item) or (is_unbacked(item) and bool(item.question.attachments))


@unbacked_rule("asking.sort", Severity.WARNING, _SOURCE, applies=_shows_something)
def sort(history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks what sort of plant something is cites places that speak of plants."""
    found = _ASKS_SORT.search(item.question.text)
    asked = [one for one in _SORTS if found and one[0].search(item.question.text)]
    text = " . ".join((history.text(item), *item.answer.values))
    if not found or len(asked) != 1 or asked[0][1].search(text):
        return
    instead = [one for one in _SORTS if len(one[1].findall(text)) >= _LEAST]
    if instead:
        got = instead[0][1].findall(text)[0]
        fix = "ask for what the gold is, or cite the places that are meant"
        expected = "places that speak of such a thing"
        yield problem(item.id, ("question", "text"), expected, got, fix)
