"""Claims of the matters that a list knows."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.matters.catalogue import CHANGE, FOUND, Way, ways
from memassay.synth.lives.unifying.matters.own import own_part, shared_part
from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stems
from memassay.synth.lives.unifying.reading.wording import LONG


def matter_claims(told: Told) -> Iterator[Said]:
    """What a sentence says of the matters that a list knows."""
    found: list[tuple[Way, tuple[str, ...]]] = []
    for way, text in _tried(told):
        for match in way.pattern.finditer(text):
            values = way.values
            if FOUND in values:
                values = tuple(_SAME.get(one, one) for one in match.groups() if one)
            if values == _YES and _SUBSTITUTES.search(text):
                continue
            if CHANGE not in values and values:
                found.append((way, values))
    denied = {way.matter for way, values in found if values == _NO}
    for way, values in found:
        # `I have never had a tattoo` is about having one too.
        if values != _YES or way.matter not in denied:
            family = "for ever" if way.fixed else f"matter {way.matter}"
            yield said(way.matter, "gained matter" if way.gained else family, *values)


_YES: Final = ("yes",)
_NO: Final = ("no",)


def changed_matters(told: Told) -> Iterator[str]:
    """Families of the matters that a sentence tells a change of."""
    for way, text in _tried(told):
        if CHANGE in way.values and way.pattern.search(text) and not LONG.search(text):
            yield f"matter {way.matter}"


def _tried(told: Told) -> Iterator[tuple[Way, str]]:
    table = ways()
    keys = {root for root in stems(told.text.replace("-", " ")) if root in table}
    keys |= {root for root in stems(plain(told.text)) if root in table}
    if not keys:
        return
    own, shared = own_part(told).lower(), shared_part(told).lower()
    tried: set[int] = set()
    for key in sorted(keys):
        for way in table[key]:
            if id(way) not in tried:
                tried.add(id(way))
                yield way, shared if way.shared or CHANGE in way.values else own


_SUBSTITUTES: Final = re.compile(
    r"\b(?:vegan|vegetarian|veggie|plant-based|oat milk|soy|almond milk|decaf\w*|alcohol-free|"
    r"non-alcoholic|mock|faux|fake|(?:dairy|gluten|lactose|meat|nut|sugar)-free)\b"
)
"""What stands for a thing that somebody does without."""
_SAME: Final = {"gray": "grey", "us": "american", "plus": "positive", "minus": "negative"}
