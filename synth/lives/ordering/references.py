"""Which member another one goes back to, and which carries out what another plans."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.synth.lives.ordering.cues import Cue, Member
from memassay.synth.lives.ordering.texts import Texts

_BACK: Final = re.compile(
    r"\bremember\b.{0,40}\b(?:I|we|you|the|that|when|how)\b"
    r"|\b(?:we|you|I)(?:'ve| have|'d| had)? (?:\w+ )?(?:talked|spoke|spoken|discussed|chatted"
    r"|mentioned|suggested|recommended|told|showed|shared|shown|advised)\b"
    r"|\b(?:our|your) (?:\w+ )?(?:talk|conversation|chat|discussion|advice|tips?|suggestions?"
    r"|recommendations?)\b"
    r"|\b(?:as|like) (?:I|you|we) (?:said|told|mentioned)\b|\bI said I would\b"
    r"|\blast time\b|\bspeaking of\b"
    r"|\b(?:now that|after|ever since|since|finally|again|back from|update|the new|thanks|thank you"
    r"|got me thinking|made me (?:think|realize|realise)|has been|have been|still|such a success"
    r"|such a hit)\b",
    re.IGNORECASE,
)
"""Words by which an opening names an earlier talk, or goes on with what was."""
_AHEAD: Final = re.compile(
    r"\bnext (?:time|week|weekend|month|step|session|project|trip|goal)\b|\bnext,"
    r"|\b(?:some ?day|one day|soon|can't wait|looking forward)\b|\bplan(?:ning)? to\b"
    r"|\bI(?:'d (?:like|love)| want) to (?:try|make|learn|visit|see|take|explore|plan)\b"
    r"|\bI'll (?:try|look for|start|visit)\b",
    re.IGNORECASE,
)
"""Words of plans."""
BACK: Final = 1.0
AHEAD: Final = 1.0
CLEAR: Final = 0.25
"""How much more the member that is meant speaks of it than the next one, to count in full."""
_CLOSING: Final = 4
"""Last rounds, in which people plan."""
_SHOWN: Final = 80


def reference_cues(members: Sequence[Member], texts: Texts) -> Iterator[Cue]:
    """Cues of openings that go back to one member, and of closing plans that one carries out."""
    for at, own in enumerate(texts.each):
        opening = own.said(0, 1)
        found = texts.meant(at, opening, opening=False) if _BACK.search(opening) else None
        if found:
            why = f"its opening goes back to {members[found[0]].id}: “{_short(opening)}”"
            yield Cue(found[0], at, BACK * _sure(found[1]), why)
        plans = " ".join(
            one.text
            for one in own.sentences
            if one.round >= own.rounds - _CLOSING and _AHEAD.search(one.text)
        )
        found = texts.meant(at, plans, opening=True)
        if found:
            why = f"carries out what {members[at].id} plans: “{_short(plans)}”"
            yield Cue(at, found[0], AHEAD * _sure(found[1]), why)


def _sure(clear: float) -> float:
    return min(1.0, 0.5 + clear / CLEAR / 2)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} …"
