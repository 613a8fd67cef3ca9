"""Claims about what somebody has or has not, and with whom they live."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import PAST, word_groups

_THING: Final = rf"(?P<thing>{'|'.join(word_groups('lists')['things'])})"
_NONE: Final = re.compile(
    rf"\b(?:I|[Ww]e)(?:'ve| have)? (?:don't|do not|never) (?:even )?"
    rf"(?:have|own|had|owned) (?:an?|any) {_THING}\b|"
    rf"\b(?:I|[Ww]e) have no {_THING.replace('?P<thing>', '?P<other>')}\b"
)
_MINE: Final = re.compile(
    r"\b(?:[Mm]y|[Oo]ur)(?: (?!(?:dream|next|future|new|first|rental|rented|friend)\b)[a-z-]+)? "
    rf"{_THING}\b(?! (?:show|series|fee|ride|rental|sharing|insurance app))(?!-)"
)
_ALONE: Final = re.compile(
    r"\bI(?:'m| am)? (?:live|living|live all|have always lived) "
    r"(?:alone|by myself|on my own)\b"
)
_SHARED: Final = re.compile(
    r"\b[Mm]y (?:(?!(?:old|former|ex|first|college)\b)\w+ )?(?P<who>roommate|flatmate|"
    r"housemate)s?\b|"
    r"\b[Mm]y (?:husband|wife) and I\b|\bI live with my\b"
)
_SMOKES: Final = (
    (re.compile(r"\bI(?:'ve| have)? (?:don't|never|do not) smoke[d]?\b"), "no"),
    (re.compile(r"\bI smoke (?:a|about|every|too|\d|half|cigarettes)\b"), "yes"),
)


def owning_claims(told: Told) -> Iterator[Said]:
    """What a sentence says that its speaker has, and with whom they live."""
    text = told.text
    if PAST.search(text):
        return
    for found in _NONE.finditer(text):
        thing = found["thing"] or found["other"]
        yield said(f"a {thing}", "things", "no")
        yield said(f"a {thing} of one's own", "gained", "no")
    for found in _MINE.finditer(text):
        yield said(f"a {found['thing']}", "things", "yes")
        yield said(f"a {found['thing']} of one's own", "gained", "yes")
    if _ALONE.search(text):
        yield said("living alone", "household", "yes")
    if _SHARED.search(text):
        yield said("living alone", "household", "no")
    for pattern, value in _SMOKES:
        if pattern.search(text):
            yield said("smoking", "habits", value)
