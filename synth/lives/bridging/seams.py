"""Seams: where one session ends and the next begins, and what is on either side."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, RoundKind, Session, Turn, TurnKind

_PARTED: Final = re.compile(
    r"\b(?:bye|goodbye|good night|see you|talk soon|take care|catch you|ttyl|until next time|"
    r"that's all|that is all|signing off|have a (?:good|great|nice|lovely)|thanks|thank you)\b",
    re.IGNORECASE,
)
_GREETED: Final = re.compile(
    r"\A\W*(?:hi|hello|hey|hiya|yo|greetings|good (?:morning|afternoon|evening)|morning|"
    r"welcome|long time|guess what|i['’]m back|i am back|me again|merry|happy|thanks|thank you|"
    r"speaking of|following|back to|as for|now that)\b",
    re.IGNORECASE,
)
"""How a talk begins by itself: a greeting, or words that refer to what was said before."""
_TALK: Final = frozenset({RoundKind.EXCHANGE, RoundKind.UTTERANCE, RoundKind.DOCUMENT})


@dataclass(frozen=True)
class Seam:
    """Two neighbouring sessions.

    Attributes:
        at: Position of the first, from 0.
        before: The session that ends.
        after: The session that begins.
        closes: Whether rounds may come behind the first: nobody parted there yet.
        opens: Whether rounds may come before the second: nobody greeted there yet.
    """

    at: int
    before: Session
    after: Session
    closes: bool
    opens: bool


def seams(bundle: Bundle) -> list[Seam]:
    """The seams of a conversation, in order.

    Steps of agents are no talk, and nothing comes into a session of which a question names a place
    that is not there: it would come to be there.
    """
    sessions = bundle.conversation.sessions
    closed = {one.id for one in sessions if not _may_grow(one)} | _sessions_with_missing_places(
        bundle
    )
    return [
        Seam(
            at,
            before,
            after,
            before.id not in closed and not any(map(_parts, before.rounds[-1].turns)),
            after.id not in closed and not _GREETED.match(_first(after).text),
        )
        for at, (before, after) in enumerate(pairwise(sessions))
        if before.rounds and after.rounds
    ]


def spoken_by(rounds: Sequence[Round], *, opening: bool) -> tuple[str, str] | None:
    """Ids of who says the first turn of a bridge beside these rounds, and of who answers.

    Who speaks first afterwards begins; who spoke last before answers. None where one talks alone.
    """
    speakers = list(dict.fromkeys(_talkers(rounds if opening else rounds[::-1], opening)))
    if len(speakers) < 2:
        return None
    first, second = speakers[:2]
    return (first, second) if opening else (second, first)


def _talkers(rounds: Iterable[Round], opening: bool) -> list[str]:
    return [
        turn.speaker for one in rounds for turn in (one.turns if opening else reversed(one.turns))
    ]


def _may_grow(session: Session) -> bool:
    ends = session.rounds[:1] + session.rounds[-1:]
    return all(
        one.kind in _TALK and all(turn.kind is TurnKind.UTTERANCE for turn in one.turns)
        for one in ends
    )


def _first(session: Session) -> Turn:
    return session.rounds[0].turns[0]


def _parts(turn: Turn) -> bool:
    return _PARTED.search(turn.text) is not None


def _sessions_with_missing_places(bundle: Bundle) -> set[str]:
    """Sessions of which a question names a place that is not there."""
    named = {
        place
        for item in bundle.questions
        for group in (*item.evidence.groups, item.evidence.canonical, item.decoys)
        for place in group
        if not bundle.rounds_of(place)
    }
    parsed = [parse_place(place) for place in named]
    return {place.session for place in parsed if place is not None}
