"""Claims of the age of a brother or sister beside one's own, and of work for a whole life."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.stems import stems
from memassay.synth.lives.unifying.reading.wording import NAME

_BESIDE: Final = {
    "big": "older",
    "older": "older",
    "elder": "older",
    "little": "younger",
    "younger": "younger",
    "baby": "younger",
    "kid": "younger",
    "twin": "same",
}
_WORD: Final = rf"(?P<word>{'|'.join(_BESIDE)})"
_RANKED: Final = (
    re.compile(
        rf"\b(?P<name>{NAME})\b[^.;!?]{{0,60}}\b(?:my|our) {_WORD}\b(?: (?:brother|sister)\b|(?= "
        rf"|[,.]))"
    ),
    re.compile(rf"\b[Mm]y {_WORD}(?: (?:brother|sister))?,? (?P<name>{NAME})\b"),
)
_LIFELONG: Final = re.compile(
    r"\b(?:all (?:her|his|my) working life|(?:her|his|my) (?:whole|entire) (?:working life|career)|"
    r"never did anything else|never done anything else|the only job (?:she|he|I)(?:'s|'ve| has| "
    r"have)? "
    r"ever (?:had|did|held|done)|never worked anywhere else)\b"
)
_WHOSE: Final = re.compile(
    r"\b(?:[Mm]y |^)(?P<who>mother|mom|mum|father|dad|grandmother|grandma|grandfather|grandpa|"
    r"husband|wife)\b|\b(?P<bare>Mum|Mom|Dad|Grandma|Grandpa)\b"
)
_ROLES: Final = {
    "mom": "mother",
    "mum": "mother",
    "dad": "father",
    "grandma": "grandmother",
    "grandpa": "grandfather",
}
_COMMON: Final = frozenset(
    stems(
        "I my her his she he they mother mom mum father dad all working life never did anything "
        "else "
        "a an the at in on of for to from until and so where love comes is was had has have been "
        "by "
        "would cried anyone guess pension her his year years only job ever held same every with as "
        "grandmother grandma grandfather grandpa husband wife whole entire career work worked "
        "since "
        "that it when old age retired but then one two day days left school"
    )
)


def beside_claims(told: Told) -> Iterator[Said]:
    """Who is older or younger than the speaker, and the work that somebody did for life."""
    text = told.text
    for pattern in _RANKED:
        for found in pattern.finditer(text):
            yield said(
                f"age of {found['name']} beside one's own", "for ever", _BESIDE[found["word"]]
            )
    if _LIFELONG.search(text):
        whose = _WHOSE.search(text)
        word = (whose["who"] or whose["bare"]).lower() if whose else "user"
        values = [one for one in stems(text) if one not in _COMMON and not one.isdigit()]
        if values:
            yield said(f"lifelong work of {_ROLES.get(word, word)}", "for ever", *values)
