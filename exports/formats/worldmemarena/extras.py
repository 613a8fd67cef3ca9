"""What records keep of a sample's file, so that writing them again gives the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from memassay.exports.foreign.reading import extras_for
from memassay.exports.formats.worldmemarena.naming import (
    CHECKPOINT,
    IMAGE,
    NAME,
    POINT,
    SESSION,
    Names,
)
from memassay.exports.formats.worldmemarena.writing import (
    BLOCK,
    CHECKPOINTS,
    DIALOGUE,
    KNOWN_CHECKPOINT,
    KNOWN_IMAGE,
    KNOWN_POINT,
    KNOWN_QUESTION,
    KNOWN_SESSION,
    KNOWN_TOP,
    KNOWN_TURN,
    POINTS,
    SESSIONS,
    SampleWriter,
)
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Checkpoint,
    Conversation,
    Session,
    Turn,
)
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem

Raw = dict[str, Any]
Part = TypeVar("Part", Conversation, Session, Turn, Attachment, Checkpoint, Fact, QAItem)
_LISTS: Final = (SESSIONS, POINTS, CHECKPOINTS, DIALOGUE, "attachments", "questions")


@dataclass(frozen=True)
class RawParts:
    """The parts of a file by the id of the record that was made of each.

    Attributes:
        top: The file.
        sessions: Sessions.
        blocks: What blocks of points say beside the points, by the session.
        turns: Turns.
        images: Attachments.
        points: Memory points.
        checkpoints: Checkpoints.
        questions: Questions.
    """

    top: Raw
    sessions: Mapping[str, Raw]
    blocks: Mapping[str, Raw]
    turns: Mapping[str, Raw]
    images: Mapping[str, Raw]
    points: Mapping[str, Raw]
    checkpoints: Mapping[str, Raw]
    questions: Mapping[str, Raw]


def with_extras(bundle: Bundle, raw: RawParts) -> Bundle:
    """The bundle, every record with what this layout would lose of its part."""
    return _Keeper(bundle, raw).bundle()


class _Keeper:
    def __init__(self, bundle: Bundle, raw: RawParts) -> None:
        self._bundle, self._raw = bundle, raw
        self._ours = Names.of(bundle, own=False)
        self._theirs = Names(
            _names_in(self._ours.sessions, raw.sessions, SESSION),
            _names_in(self._ours.points, raw.points, POINT),
            _names_in(self._ours.images, raw.images, IMAGE),
            _names_in(self._ours.checkpoints, raw.checkpoints, CHECKPOINT),
        )
        self._writer = SampleWriter(bundle, self._theirs)

    def bundle(self) -> Bundle:
        """The bundle with extras."""
        talk, raw = self._bundle.conversation, self._raw
        sessions = [self._session(each) for each in talk.sessions]
        checkpoints = [self._checkpoint(each) for each in talk.checkpoints]
        talk = talk.model_copy(update={"sessions": sessions, "checkpoints": checkpoints})
        extras = extras_for(_without_parts(raw.top), self._writer.top(), KNOWN_TOP)
        questions = [self._question(each) for each in self._bundle.questions]
        return self._bundle.model_copy(
            update={
                "conversation": _with(talk, extras),
                "facts": [self._point(each) for each in self._bundle.facts],
                "questions": questions,
            }
        )

    def _session(self, session: Session) -> Session:
        rounds = [
            each.model_copy(update={"turns": [self._turn(turn, session) for turn in each.turns]})
            for each in session.rounds
        ]
        given = _without_parts(self._raw.sessions[session.id])
        if self._raw.sessions[session.id].get(POINTS):
            del given[POINTS]
        extras = extras_for(given, self._writer.session(session), KNOWN_SESSION)
        block = self._raw.blocks.get(session.id)
        if block is not None:
            extras[BLOCK] = block
        name = self._id(SESSION, self._ours.sessions, self._theirs.sessions, session.id)
        return _with(session.model_copy(update={"rounds": rounds}), {**name, **extras})

    def _turn(self, turn: Turn, session: Session) -> Turn:
        shown = [self._image(each) for each in turn.attachments]
        given = _without_parts(self._raw.turns[turn.id])
        extras = extras_for(given, self._writer.turn(turn, session), KNOWN_TURN)
        return _with(turn.model_copy(update={"attachments": shown}), extras)

    def _image(self, shown: Attachment) -> Attachment:
        extras = extras_for(self._raw.images[shown.id], self._writer.image(shown), KNOWN_IMAGE)
        name = self._id(IMAGE, self._ours.images, self._theirs.images, shown.id)
        return _with(shown, {**name, **extras})

    def _point(self, fact: Fact) -> Fact:
        extras = extras_for(self._raw.points[fact.id], self._writer.point(fact), KNOWN_POINT)
        name = self._id(POINT, self._ours.points, self._theirs.points, fact.id)
        return _with(fact, {**name, **extras})

    def _question(self, item: QAItem) -> QAItem:
        given = self._raw.questions[item.id]
        return _with(item, extras_for(given, self._writer.question(item), KNOWN_QUESTION))

    def _checkpoint(self, checkpoint: Checkpoint) -> Checkpoint:
        given = _without_parts(self._raw.checkpoints[checkpoint.id])
        extras = extras_for(given, self._writer.checkpoint(checkpoint), KNOWN_CHECKPOINT)
        own, theirs = self._ours.checkpoints, self._theirs.checkpoints
        return _with(checkpoint, {**self._id(CHECKPOINT, own, theirs, checkpoint.id), **extras})

    def _id(self, key: str, ours: Mapping[str, str], theirs: Mapping[str, str], part: str) -> Raw:
        """The id of a part in the file, if it is not the one that we would give it."""
        return {key: theirs[part]} if theirs[part] != ours[part] else {}


def _names_in(ours: Mapping[str, str], raw: Mapping[str, Raw], key: str) -> dict[str, str]:
    written = {part: raw[part].get(key) for part in ours}
    return {
        part: given if isinstance(given, str) and given else ours[part]
        for part, given in written.items()
    }


def _without_parts(raw: Raw) -> Raw:
    """An object whose parts have records of their own: its lists of them are empty."""
    return {
        key: [] if key in _LISTS and isinstance(value, list) else value
        for key, value in raw.items()
    }


def _with(part: Part, extras: Raw) -> Part:
    return part.model_copy(update={"extras": {NAME: extras}}) if extras else part
