"""Builders of small bundles that break no rule, and the shape of a rule's two fixtures."""

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import BlobError
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Checkpoint,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.pixels import take_in

TALK = "talk"
ANSWER_FIELDS = (
    *("format", "relation", "equivalents", "coarser", "traps", "competitors", "options"),
)


class Blobs:
    """Bytes by hash, in memory."""

    def __init__(self, *contents: bytes) -> None:
        self._bytes = {hashlib.sha256(data).hexdigest(): data for data in contents}

    def put(self, data: bytes) -> str:
        """Store bytes."""
        name = hashlib.sha256(data).hexdigest()
        self._bytes[name] = data
        return name

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash."""
        if sha256 not in self._bytes:
            raise BlobError(f"blob {sha256}: expected its bytes, got none")
        return self._bytes[sha256]

    def __contains__(self, sha256: str) -> bool:
        return sha256 in self._bytes


@dataclass(frozen=True)
class Scene:
    """What a rule is run on."""

    bundles: list[Bundle]
    context: RuleContext = field(default_factory=RuleContext)


@dataclass(frozen=True)
class Case:
    """One breach of a rule, and the nearest thing that is none."""

    bad: Callable[[], Scene]
    good: Callable[[], Scene]


def png(shade: int, size: tuple[int, int] = (9, 8), slope: int = 0) -> bytes:
    """A small grey image; equal arguments give equal bytes."""
    image = Image.new("L", size)
    image.putdata([(shade + slope * (at % size[0])) % 256 for at in range(size[0] * size[1])])
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def turn(place: str, text: str = "", speaker: str = "ann", **more: Any) -> Turn:
    """A turn of Ann's unless told otherwise."""
    return Turn(id=place, speaker=speaker, text=text, **more)


def utterance(place: str, text: str, speaker: str = "ann", **more: Any) -> Round:
    """A round of one turn."""
    return Round(
        id=place, kind=RoundKind.UTTERANCE, turns=[turn(f"{place}.1", text, speaker, **more)]
    )


def session(number: int, *rounds: Round, date: str | None = None, **more: Any) -> Session:
    """A session at its position; the second is a week after the first."""
    day = date or f"2024-03-{4 + 7 * (number - 1):02d}"
    return Session(id=f"D{number}", index=number, date=day, rounds=list(rounds), **more)


def said(*texts: str, speaker: str = "ann", number: int = 1) -> Session:
    """A session in which one speaker says some texts, a round each."""
    rounds = [utterance(f"D{number}:{at}", text, speaker) for at, text in enumerate(texts, 1)]
    return session(number, *rounds)


def usual_sessions() -> list[Session]:
    """Two sessions in which Ann and Ben each say something of their own."""
    first = session(
        1,
        utterance("D1:1", "I keep bees behind the shed."),
        utterance("D1:2", "My dog Rex sleeps all day.", "ben"),
    )
    second = session(2, utterance("D2:1", "The hive gave nine jars of honey."))
    return [first, second]


def talk(*sessions: Session, **more: Any) -> Conversation:
    """A conversation between Ann and Ben."""
    speakers = [
        Speaker(id="ann", name="Ann", kind=SpeakerKind.HUMAN),
        Speaker(id="ben", name="Ben", kind=SpeakerKind.HUMAN),
    ]
    fields: dict[str, Any] = {"collection": "sample", "path": "curate", "speakers": speakers}
    fields["id"] = TALK
    return Conversation(**{**fields, "sessions": list(sessions) or usual_sessions(), **more})


def item(
    text: str = "What does Ann keep?",
    values: list[str] | None = None,
    evidence: list[str] | None = None,
    **more: Any,
) -> QAItem:
    """A question about Ann's bees, answered in D1:1."""
    answer: dict[str, Any] = {"format": AnswerFormat.FREE, "values": ["bees"]}
    if values is not None:
        answer["values"] = values
    for name in ANSWER_FIELDS:
        if name in more:
            answer[name] = more.pop(name)
    fields: dict[str, Any] = {
        "id": f"{TALK}/Q001",
        "conversation": TALK,
        "question": QuestionText(text=text, attachments=more.pop("shown", [])),
        "answer": Answer(**answer),
        "evidence": Evidence.of(["D1:1"] if evidence is None else evidence),
        "type": QuestionType.FACT_RECALL,
        "benchmark_type": "FR",
        "origin": ItemOrigin.IMPORTED,
    }
    return QAItem(**{**fields, **more})


def refusal(text: str = "What does Ann drive?", **more: Any) -> QAItem:
    """A question that the history does not answer."""
    fields: dict[str, Any] = {
        "values": ["Not mentioned."],
        "format": AnswerFormat.REFUSAL,
        "answerable": False,
        "evidence": [],
        "type": QuestionType.REFUSAL,
        "benchmark_type": "AR",
    }
    return item(text, **{**fields, **more})


def numbered(count: int, make: Callable[[int], QAItem]) -> list[QAItem]:
    """Items Q001, Q002, ... made from their position, counted from 0."""
    return [make(at).model_copy(update={"id": f"{TALK}/Q{at + 1:03d}"}) for at in range(count)]


def attached(place: str, asset: str = "A1", caption: str | None = "a picture") -> Attachment:
    """An attachment of an asset given by its local id."""
    return Attachment(id=place, asset=f"{TALK}/{asset}", caption=caption)


def asset(local: str = "A1", data: bytes | None = None, **more: Any) -> Asset:
    """A missing asset, or a present one that is measured from its bytes."""
    fields: dict[str, Any] = {"availability": Availability.MISSING}
    if data is not None:
        seen = take_in(data)
        fields = {
            "availability": Availability.PRESENT,
            "blob_sha256": hashlib.sha256(data).hexdigest(),
            "pixel_sha256": seen.pixel_sha256,
            "perceptual_hash": seen.perceptual_hash,
            "media_type": seen.media_type,
            "width": seen.width,
            "height": seen.height,
            "licence": "CC0-1.0",
        }
    return Asset(id=f"{TALK}/{local}", **{**fields, **more})


def pictured(place: str = "D1:IMG_001", **more: Any) -> list[Session]:
    """One session in which Ann shows asset A1."""
    shown = [attached(place, **more)]
    return [session(1, utterance("D1:1", "Look at this.", attachments=shown))]


def fact(local: str = "F1", text: str = "bees", **more: Any) -> Fact:
    """A fact about what Ann keeps."""
    fields: dict[str, Any] = {
        "subject": "Ann",
        "attribute": "keeps",
        "value": FactValue(type=ValueType.TEXT, text=text),
    }
    return Fact(id=f"{TALK}/{local}", **{**fields, **more})


def mention(local: str = "M1", of: str = "F1", **more: Any) -> Mention:
    """A mention of a fact in D1:1."""
    fields: dict[str, Any] = {"round": "D1:1", "turn": "D1:1.1", "modality": "text"}
    return Mention(id=f"{TALK}/{local}", fact=f"{TALK}/{of}", **{**fields, **more})


def checkpoint(name: str, *covered: str) -> Checkpoint:
    """A checkpoint that covers sessions."""
    return Checkpoint(id=name, covered_sessions=list(covered))


def bundle(*records: Record, sessions: list[Session] | None = None, **more: Any) -> Bundle:
    """The usual conversation, or one of these sessions, with some records."""
    of = next((each for each in records if isinstance(each, Conversation)), None)
    return Bundle(
        conversation=of or talk(*(sessions or []), **more),
        personas=[each for each in records if isinstance(each, Persona)],
        events=[each for each in records if isinstance(each, TimelineEvent)],
        assets=[each for each in records if isinstance(each, Asset)],
        facts=[each for each in records if isinstance(each, Fact)],
        mentions=[each for each in records if isinstance(each, Mention)],
        questions=[each for each in records if isinstance(each, QAItem)],
    )


def scene(*records: Record, blobs: Blobs | None = None, **more: Any) -> Scene:
    """One bundle, with bytes if given."""
    return Scene([bundle(*records, **more)], RuleContext(blobs=blobs))
