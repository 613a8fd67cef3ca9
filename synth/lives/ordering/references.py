"""Which member another one refers back to, and which has the outcome of what another plans."""

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
    r"|\b(?:tomorrow|soon|this weekend|upcoming)\b|\bplan(?:ning)? (?:to|a|on)\b"
    r"|\b(?:I|we)'(?:ll|re going to|m going to)(?= |$)",
    re.IGNORECASE,
)
"""Words of plans."""
BACK: Final = 1.0
AHEAD: Final = 0.5
CLEAR: Final = 0.25
"""How much more of it the member that is meant has than the next one, to count in full."""
_SHOWN: Final = 80


def reference_cues(members: Sequence[Member], texts: Texts) -> Iterator[Cue]:
    """Cues of openings that go back to one member, and of plans whose outcome another tells."""
    goes_on = [bool(_BACK.search(own.opening)) for own in texts.each]
    for at, own in enumerate(texts.each):
        found = texts.referent(at, own.opening, topic=False) if goes_on[at] else None
        if found:
            why = f"its opening goes back to {members[found[0]].id}: “{_short(own.opening)}”"
            yield Cue(found[0], at, BACK * _sure(found[1]), why)
        plans = " ".join(one.text for one in own.sentences if _AHEAD.search(one.text))
        found = texts.referent(at, plans, topic=True)
        # An opening that refers to nothing has no outcome.
        if found and goes_on[found[0]]:
            why = f"has what {members[at].id} plans: “{_short(plans)}”"
            yield Cue(at, found[0], AHEAD * _sure(found[1]), why)


def _sure(clear: float) -> float:
    return min(1.0, 0.5 + clear / CLEAR / 2)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rsplit(' ', 1)[0]} …"
