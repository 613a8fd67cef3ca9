"""The part of a sentence that is about who says it."""

import re
from functools import lru_cache
from typing import Final

from memassay.synth.lives.unifying.people.roles import KINDS
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain

_PARTS: Final = re.compile(
    r"(?<=[,;:–—])\s+|\s+(?=(?:and|but|so|because|while|whereas|although|though|which) "
    r"(?:I|we|my|our|he|she|they|his|her|their|the|it)\b)"
)
_OWN: Final = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|me|us|mine|ours|myself)\b")
_LEAD: Final = (
    r"^(?:(?:and|but|so|because|while|whereas|although|though|which|that|then|oh|well),? )*"
)
_SOMEBODY: Final = (
    r"(?:man|woman|lady|guy|friend|colleague|neighbou?r|teacher|girl|boy|student|owner|doctor|"
    r"barista|guide|host|couple|stranger|person|speaker|professor|kid|child|driver|seller|chef|"
    r"baker|"
    r"vet|coach|coworker|co-worker|teammate|classmate|advisor|colleagues|friends|customer|client|"
    r"patient|volunteer|artist|actor|character|author|painter)s?"
)
_OTHER: Final = re.compile(
    rf"{_LEAD}(?:[Hh]e|[Ss]he|[Tt]hey|[Hh]is|[Hh]er|[Tt]heir|[Ss]omebody|[Ss]omeone|"
    r"[Oo]ne of (?:my|the|our)|[Mm]ost people|[Pp]eople|[Yy]ou|"
    rf"(?:[Aa]|[Aa]n|[Tt]he|[Aa]nother|[Mm]y|[Oo]ur) (?:[\w-]+ ){{0,3}}?{_SOMEBODY})\b"
)
_SAYS: Final = re.compile(
    r"\b(?:says?|said|thinks?|claims?|swears?|told me|reminds me)(?: that)? (?=I\b)"
)
_THEIRS: Final = re.compile(
    rf"{_LEAD}(?:[Mm]y|[Oo]ur)(?: [\w-]+){{0,2}}? "
    rf"(?:{'|'.join(sorted(KINDS, key=len, reverse=True))}|grandparents|parents|team|cousins)"
    r"(?:'s?)?\b(?! and I\b)"
)
"""A part whose subject is somebody of one's own."""
_WHO: Final = re.compile(
    rf"\b(?:an?|the|another|some|many|this|these|those|that|[Mm]y|[Oo]ur) (?:[\w-]+ ){{0,2}}?"
    rf"(?:{_SOMEBODY}|{'|'.join(sorted(KINDS, key=len, reverse=True))})"
    r"(?: of mine)?,? (?:who|whose|that)\b.*"
)


def own_part(told: Told) -> str:
    """The sentence in its plain form without the parts that are about others; often all of it."""
    return _parts(plain(told.text))[0]


def shared_part(told: Told) -> str:
    """The same with what it says of somebody's own people."""
    return _parts(plain(told.text))[1]


@lru_cache(maxsize=1 << 12)
def _parts(text: str) -> tuple[str, str]:
    own: list[str] = []
    shared: list[str] = []
    other = theirs = False
    for part in _PARTS.split(text):
        said = _SAYS.search(part)
        if said and _OTHER.match(part):
            part, other, theirs = part[said.end() :], False, False
        elif _OTHER.match(part) and not (
            re.match(_LEAD + r"[Tt]hey\b", part) and _OWN.search(part)
        ):
            other, theirs = True, False
        elif found := _THEIRS.match(part):
            other, theirs = False, True
            own.append(found.group())
        elif _OWN.search(part):
            other = theirs = False
        if not other:
            part = _WHO.sub("", part)
            if not theirs:
                own.append(part)
        if not other or _OWN.search(part):
            shared.append(part)
    return " ".join(own), " ".join(shared)
