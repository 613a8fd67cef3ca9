"""Claims about what somebody studies."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import PAST, group_of

_FIELD: Final = r"(?P<field>[A-Za-z]+(?: [A-Za-z]+)?)"
_STUDENT: Final = r"(?:student|undergraduate|sophomore|freshman|junior|senior|major)"
_STUDIES: Final = tuple(
    map(
        re.compile,
        (
            rf"\b[Mm]y (?:major|degree|course)(?: is|'s)(?: in)? {_FIELD}",
            rf"\b(?:I'm|I am|[Aa]s|[Bb]eing|[Ss]ince I'm) an?(?: [\w-]+){{0,3}}? {_FIELD} "
            rf"(?:major|student|undergraduate)\b",
            rf"\bI(?:'m| am)?[^.;]{{0,60}}\bmajor(?:ing)? in {_FIELD}",
            rf"\bI(?:'m| am) an?[^.;]{{0,50}} {_STUDENT} (?:in|of) {_FIELD}",
            rf"\bI(?:'m| am)(?: doing| working on| finishing)[^.;]{{0,20}} degree in {_FIELD}",
            rf"\bI(?:'m| am)[^.;]{{0,40}}\bof an? {_FIELD} degree\b",
            rf"\bI(?:'m studying| am studying| study) {_FIELD}(?=[,.;!]|$| at\b| and\b| so\b)",
        ),
    )
)
_MEDICINE: Final = re.compile(
    r"\b(?:[Mm]ed(?:ical)? school|my hospital rotations)\b(?=[^.;]*\b(?:I|me|my)\b)|"
    r"\b(?:I|my)\b[^.;]{0,40}\bmed(?:ical)? school\b"
)
_UNFINISHED: Final = re.compile(
    r"\bI (?:quit|dropped out of|gave up|abandoned|never finished|left) (?:my |a )?"
    r"(?:half-finished )?(?:degree|studies|college|university)\b"
)
_FINISHED: Final = re.compile(
    r"\b[Mm]y (?:[a-z]+ )?(?:diploma|degree)(?: certificate)? (?:hangs|is framed)\b|"
    r"\bI graduated with honou?rs\b"
)
_OTHERS: Final = re.compile(r"\b(?:minor|elective|someday|considered|almost)\b")


def study_claims(told: Told) -> Iterator[Said]:
    """What a sentence says that its speaker studies."""
    text = told.text
    if _UNFINISHED.search(text):
        yield said("a finished degree", "degree", "no")
    elif _FINISHED.search(text):
        yield said("a finished degree", "degree", "yes")
    if PAST.search(text) or _OTHERS.search(text):
        return
    for pattern in _STUDIES:
        for found in pattern.finditer(text):
            if fields := _fields(found["field"]):
                yield said("studies", "studies", *fields)
    if _MEDICINE.search(text):
        yield said("studies", "studies", "medicine")


def _fields(words: str) -> frozenset[str]:
    """The fields that one of the words names; none if it is no field of study."""
    return next(
        (found for one in words.split() if (found := group_of("studies", one))), frozenset()
    )
