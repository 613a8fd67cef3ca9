"""Ids of sessions, points, images and checkpoints as WorldMemArena's files write them.

Upstream's scorer looks for ids anywhere in a text, so numbers are padded with zeros to one width
in a sample: none of its ids is part of another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memassay.exports.foreign.reading import own_extras
from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Session, SessionArc
from memassay.schemas.records.ledger import Fact, FactHolder, FactScope, FactStatus

NAME: Final = "worldmemarena"
SESSION, POINT, IMAGE, CHECKPOINT = "_v2_session_id", "memory_id", "image_id", "checkpoint_id"
"""Keys of the ids."""

_LEAST_WIDTH: Final = 2
_SAID: Final = frozenset({FactStatus.ASSERTED, FactStatus.RETRACTED, FactStatus.INTERFERENCE})


def is_image(shown: Attachment) -> bool:
    """Whether an attachment has a place in this layout, which has no documents."""
    return ":DOC_" not in shown.id


def points_by_session(bundle: Bundle) -> dict[str, list[Fact]]:
    """The memory points by the session that tells them first, in the order of their telling.

    A point is a fact of the history that has a sentence; what everybody knows, and what follows
    from other facts, is none.
    """
    told: dict[str, str] = {}
    order = {round_.id: at for at, round_ in enumerate(bundle.conversation.rounds())}
    for mention in bundle.mentions:
        known = told.get(mention.fact)
        if mention.round in order and (known is None or order[mention.round] < order[known]):
            told[mention.fact] = mention.round
    found: dict[str, list[Fact]] = {session.id: [] for session in bundle.conversation.sessions}
    places = {
        fact.id: 0 if fact.session else order.get(told.get(fact.id, ""), 0) for fact in bundle.facts
    }
    for fact in sorted(bundle.facts, key=lambda one: places[one.id]):
        session = fact.session or told.get(fact.id, "").partition(":")[0]
        if _is_point(fact) and session in found:
            found[session].append(fact)
    return found


def _is_point(fact: Fact) -> bool:
    return (
        fact.statement is not None
        and fact.scope is FactScope.HISTORY
        and fact.holder is not FactHolder.EXTERNAL
        and fact.status in _SAID
    )


@dataclass(frozen=True)
class Names:
    """How a sample names its parts.

    Attributes:
        sessions: By our id of a session.
        points: By id of a fact; only of those that are points.
        images: By our id of an attachment; only of images.
        checkpoints: By our id of a checkpoint.
    """

    sessions: Mapping[str, str]
    points: Mapping[str, str]
    images: Mapping[str, str]
    checkpoints: Mapping[str, str]

    @classmethod
    def of(cls, bundle: Bundle, *, own: bool) -> "Names":
        """The names of a bundle's parts.

        Args:
            bundle: The conversation.
            own: Whether parts keep the ids of a file of this layout that they were read from.
        """
        talk = bundle.conversation
        sessions = _session_names(talk.sessions)
        points = _point_names(points_by_session(bundle), sessions)
        images = _image_names([shown for _, shown in talk.attachments()], sessions)
        checkpoints = {each.id: each.id for each in talk.checkpoints}
        if not own:
            return cls(sessions, points, images, checkpoints)
        facts = {fact.id: fact.extras for fact in bundle.facts}
        shown = {image.id: image.extras for _, image in talk.attachments()}
        return cls(
            _as_read(sessions, {each.id: each.extras for each in talk.sessions}, SESSION),
            _as_read(points, facts, POINT),
            _as_read(images, shown, IMAGE),
            _as_read(checkpoints, {each.id: each.extras for each in talk.checkpoints}, CHECKPOINT),
        )

    def evidence(self) -> list[str]:
        """The ids that upstream's scorer looks for."""
        return [*self.points.values(), *self.images.values()]


def within_others(names: Iterable[str]) -> list[tuple[str, str]]:
    """Ids that are part of another, each with the first such; case is none to the scorer."""
    known = list(dict.fromkeys(names))
    lower = [(name, name.lower()) for name in known]
    return [
        (name, other)
        for name, small in lower
        for other in [next((one for one, whole in lower if small in whole and small != whole), "")]
        if other
    ]


def _session_names(sessions: Iterable[Session]) -> dict[str, str]:
    """`S00` and so on; without a session that sets the scene, from `S01`."""
    listed = list(sessions)
    first = 0 if listed and listed[0].arc is SessionArc.SETUP else 1
    width = _width(len(listed))
    return {each.id: f"S{at:0{width}d}" for at, each in enumerate(listed, start=first)}


def _point_names(points: Mapping[str, list[Fact]], sessions: Mapping[str, str]) -> dict[str, str]:
    width = _width(max(map(len, points.values()), default=0))
    return {
        fact.id: f"mp_{sessions[session]}_{at:0{width}d}"
        for session, facts in points.items()
        for at, fact in enumerate(facts, start=1)
    }


def _image_names(shown: Iterable[Attachment], sessions: Mapping[str, str]) -> dict[str, str]:
    numbers = {image.id: _number(image) for image in shown if is_image(image)}
    width = _width(max(numbers.values(), default=0))
    return {
        image: f"{_session_of(image, sessions)}_img_{number:0{width}d}"
        for image, number in numbers.items()
    }


def _session_of(image: str, sessions: Mapping[str, str]) -> str:
    session = image.partition(":")[0]
    return sessions.get(session, session)


def _number(image: Attachment) -> int:
    place = parse_place(image.id)
    return int(place.attachment.partition("_")[2]) if place and place.attachment else 0


def _width(most: int) -> int:
    return max(_LEAST_WIDTH, len(str(most)))


def _as_read(
    names: Mapping[str, str], extras: Mapping[str, Mapping[str, Any]], key: str
) -> dict[str, str]:
    """The names, with those of the file that a part was read from in their place."""
    return {
        part: str(own_extras(extras.get(part, {}), NAME).get(key, name))
        for part, name in names.items()
    }
