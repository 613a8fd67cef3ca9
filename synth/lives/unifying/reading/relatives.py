"""Claims about the age of relatives."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.person import of_age
from memassay.synth.lives.unifying.reading.wording import MY, NAME, PAST, figures

_RELATIVE: Final = (
    r"(?:niece|nephew|son|daughter|brother|sister|cousin|grandson|granddaughter|mother|father|"
    r"mom|mum|dad|aunt|uncle|husband|wife|twin)"
)
_AGES: Final = (
    re.compile(
        rf"{MY}(?: [a-z]+)? {_RELATIVE},? (?P<name>{NAME}),? (?:is|turns|turned)"
        r"(?: now| only| just| already)? (?P<age>\d\d?)(?= years?\b|[,.;!]|$| and\b| now\b)"
    ),
    re.compile(rf"{MY} (?P<age>\d\d?)-year-old {_RELATIVE},? (?P<name>{NAME})\b"),
    re.compile(
        rf"\b(?P<name>{NAME}), my {_RELATIVE}, (?:is|turns|turned)(?: now| just)? "
        r"(?P<age>\d\d?)(?= years?\b|[,.;!]|$| and\b| now\b)"
    ),
)


def relative_claims(told: Told) -> Iterator[Said]:
    """How old a sentence says that a relative of its speaker is, by the relative's name."""
    text = figures(told.text)
    if PAST.search(text):
        return
    for pattern in _AGES:
        for found in pattern.finditer(text):
            for claim in of_age([int(found["age"])], told):
                topic = f"{claim.topic} of {found['name']}"
                yield said(topic, claim.family, *claim.values)
