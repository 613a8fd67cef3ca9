"""Claims of the colour and the number of what somebody has."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import PAST

_COLOUR: Final = (
    r"(?P<colour>red|blue|green|black|white|silver|grey|gray|yellow|orange|beige|brown|pink|purple|"
    r"turquoise|ginger)"
)
_COLOURED: Final = (
    r"(?P<thing>front door|door|house|bike|bicycle|motorcycle|sofa|couch|kitchen|guitar|piano|boat|"
    r"roof|scooter|van|truck|fur|coat|hair)"
)
_COLOURS: Final = (
    re.compile(rf"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?{_COLOUR} {_COLOURED}\b"),
    re.compile(
        rf"\b(?:[Mm]y|[Oo]ur) {_COLOURED} (?:is|has always been|was always)"
        rf"(?: (?:bright|dark|light|all|fire-engine|jet|navy|snow))? {_COLOUR}\b"
    ),
)
_COUNTED: Final = re.compile(
    r"\b(?:(?:I|[Ww]e) have(?: only| just| exactly)?|[Mm]y|[Oo]ur|[Aa]ll) (?P<number>[1-9]\d?) "
    r"(?:[a-z]+ )?"
    r"(?P<what>cats|dogs|tattoos|bedrooms|bathrooms|grandchildren|godchildren|aunts|uncles|"
    r"stepchildren|guitars|nieces|nephews)\b|"
    r"\b[Mm]y (?:[a-z]+ )?(?P<rooms>[1-9])-(?P<room>bedroom)\b"
)


def shown_claims(told: Told) -> Iterator[Said]:
    """Which colour, and how many, a sentence says that things of its speaker are."""
    if PAST.search(told.text):
        return
    for pattern in _COLOURS:
        for found in pattern.finditer(told.text):
            colour = found["colour"].lower().replace("gray", "grey")
            yield said(f"colour of the {found['thing']}", "things", colour)
    text = plain(told.text)
    if _COUNTED.search(text):
        for found in _COUNTED.finditer(own_part(told)):
            number, what = found["number"] or found["rooms"], found["what"] or "bedrooms"
            yield said(f"number of {what}", "having pets", number)
