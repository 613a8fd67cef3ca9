"""Small records and blobs for tests of releases: two conversations with pixels and a ledger."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from memassay.exports.release.writer import ReleaseContent
from memassay.schemas.base import Modality
from memassay.schemas.errors import BlobError
from memassay.schemas.hashing import content_hash, sha256
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome, Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    IMPORTED,
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerRelation,
    AskedAt,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.pixels import take_in


class MemoryBlobs:
    """Blobs in a dictionary."""

    def __init__(self) -> None:
        self.by_hash: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Keep the bytes."""
        self.by_hash[sha256(data)] = data
        return sha256(data)

    def get(self, sha256: str) -> bytes:
        """The bytes of a hash."""
        if sha256 not in self.by_hash:
            raise BlobError(f"blob {sha256}: expected bytes, got none")
        return self.by_hash[sha256]

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self.by_hash


def png(colour: str, size: tuple[int, int] = (6, 4), **options: Any) -> bytes:
    """A PNG of one colour with a dot."""
    image = Image.new("RGB", size, colour)
    image.putpixel((1, 1), (0, 0, 0))
    buffer = io.BytesIO()
    image.save(buffer, "PNG", **options)
    return buffer.getvalue()


def present(name: str, data: bytes, blobs: MemoryBlobs) -> Asset:
    """An asset of an image that is there."""
    picture = take_in(data)
    return Asset(
        id=name,
        availability=Availability.PRESENT,
        blob_sha256=blobs.put(picture.data),
        pixel_sha256=picture.pixel_sha256,
        perceptual_hash=picture.perceptual_hash,
        media_type=picture.media_type,
        width=picture.width,
        height=picture.height,
        transcription=f"private {name}",
        licence="CC-BY-4.0",
        origin="import",
    )


def exchange(place: str, user: str, assistant: str, *shown: Attachment) -> Round:
    """A round of one question and one reply."""
    return Round(
        id=place,
        kind=RoundKind.EXCHANGE,
        turns=[
            Turn(id=f"{place}.1", speaker="user", text=user, attachments=list(shown)),
            Turn(id=f"{place}.2", speaker="assistant", text=assistant),
        ],
    )


def _conversation(name: str, pet: str) -> Conversation:
    photo = Attachment(id="D1:IMG_001", asset=f"{name}/D1_IMG_001", caption=f"A photo of {pet}")
    lost = Attachment(id="D10:IMG_001", asset=f"{name}/D10_IMG_001", caption="A lost picture")
    sessions = [
        Session(
            id=f"D{number}",
            index=number,
            date=f"2024-03-{number:02d}",
            rounds=[exchange(f"D{number}:1", f"Day {number} went well.", "Good to hear.")],
        )
        for number in range(1, 11)
    ]
    first = exchange("D1:1", f"Meet my dog {pet}.", "What a lovely dog!", photo)
    sessions[0] = sessions[0].model_copy(update={"rounds": [first]})
    last = exchange("D10:1", f"{pet} weighs 12 kg now.", "A good weight.", lost)
    sessions[9] = sessions[9].model_copy(update={"rounds": [last]})
    return Conversation(
        id=name,
        collection="mem-gallery",
        path=IMPORTED,
        title=f"{name.title()} and {pet}",
        speakers=[
            Speaker(id="user", name=name.title(), kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=sessions,
        extras={"mem-gallery": {"kept": [1, 2.5, None, "ü"]}},
    )


def question(name: str, text: str, answer: Answer, places: list[str], **fields: Any) -> QAItem:
    """A question of an imported item."""
    given: dict[str, Any] = {"type": QuestionType.FACT_RECALL, "benchmark_type": "FR", **fields}
    return QAItem(
        id=name,
        conversation=name.partition("/")[0],
        question=QuestionText(text=text),
        answer=answer,
        evidence=Evidence.of(places),
        origin=ItemOrigin.IMPORTED,
        **given,
    )


def _questions(name: str, pet: str) -> list[QAItem]:
    def free(value: str) -> Answer:
        return Answer(format=AnswerFormat.FREE, values=[value])

    weighed = {"op": "select", "where": {"attribute": "weight"}}
    query = {"op": "get", "of": weighed, "field": "subject"}
    images = Answer(
        format=AnswerFormat.IMAGE_ID, values=["D1:IMG_001"], relation=AnswerRelation.ALL
    )
    refusal = Answer(format=AnswerFormat.REFUSAL, values=["Not mentioned."])
    return [
        question(f"{name}/Q0001", "What is the dog called?", free(pet), ["D1:1"], query=query),
        question(
            f"{name}/Q0002",
            "Which image shows the dog?",
            images,
            ["D1:1"],
            type=QuestionType.VISUAL_SEARCH,
            benchmark_type="VS",
        ),
        question(
            f"{name}/Q0003",
            "What is the cat called?",
            refusal,
            [],
            type=QuestionType.REFUSAL,
            benchmark_type="AR",
            answerable=False,
        ),
        question(
            f"{name}/Q0004",
            "How heavy is the dog?",
            free("12 kg"),
            ["D10:1"],
            asked_at=AskedAt(session="D10"),
        ),
    ]


def bundle(name: str, pet: str, colour: str, blobs: MemoryBlobs) -> Bundle:
    """One conversation of ten sessions, two assets, a fact, a mention and four questions."""
    fact = Fact(
        id=f"{name}/F0001",
        subject=pet.lower(),
        attribute="weight",
        value=FactValue(type=ValueType.NUMBER, text="12", unit="kg"),
        importance=0.7,
    )
    mention = Mention(
        id=f"{name}/M0001", fact=fact.id, round="D10:1", turn="D10:1.1", modality=Modality.TEXT
    )
    lost = Asset(
        id=f"{name}/D10_IMG_001", availability=Availability.MISSING, uri="../image/lost.jpg"
    )
    return Bundle(
        conversation=_conversation(name, pet),
        assets=[present(f"{name}/D1_IMG_001", png(colour), blobs), lost],
        facts=[fact],
        mentions=[mention],
        questions=_questions(name, pet),
    )


def certificate(item: QAItem) -> Certificate:
    """A certificate of an item that passed one check."""
    return Certificate(
        id=f"{item.id}.certificate",
        item=item.id,
        item_sha256=content_hash(item),
        checks=[Check(rule="evidence.resolves", outcome=Outcome.PASSED)],
        verdict=Verdict.SUPPORTED,
    )


def content(**changes: Any) -> ReleaseContent:
    """The content of a small release: conversations `alex` and `bo`."""
    blobs = MemoryBlobs()
    bundles = [bundle("bo", "Rex", "green", blobs), bundle("alex", "Luna", "red", blobs)]
    warning = Finding.make(
        "text.style", Severity.WARNING, "alex/Q0001", "", "alex/Q0001: expected more", "say more"
    )
    raw = HeldOut(
        id="alex/held.0001",
        record="alex/Q0005",
        kind="question",
        stage="validate",
        status="quarantined",
        reasons=["answer.present"],
        content='{"question": "?"}',
    )
    made = Provenance(
        id="alex/provenance.0001",
        made=[content_hash(bundles[1].questions[0])],
        stage="import",
        stage_version="1",
        config_sha256=content_hash({}),
    )
    whole = ReleaseContent(
        name="tiny",
        version="0.1.0",
        licence="CC-BY-4.0",
        bundles=bundles,
        blobs=blobs,
        findings=[warning],
        certificates=[certificate(item) for each in bundles for item in each.questions],
        held_out=[raw],
        provenance=[made],
        gates={"import": {"policy": "auto", "open": 0}},
        recipe={"path": "curate", "seed": 7},
    )
    return replace(whole, **changes)


def mem_gallery_bundle(path: Path) -> Bundle:
    """A published Mem-Gallery scenario, read just far enough to measure retrieval on it."""
    document = json.loads(path.read_text(encoding="utf-8"))
    sessions = [
        Session(
            id=session["session_id"],
            index=index,
            date=session["date"],
            rounds=[
                exchange(round_["round"], round_["user"], round_["assistant"])
                for round_ in session["dialogues"]
            ],
        )
        for index, session in enumerate(document["multi_session_dialogues"], start=1)
    ]
    speakers = [
        Speaker(id="user", name="user", kind=SpeakerKind.HUMAN),
        Speaker(id="assistant", name="assistant", kind=SpeakerKind.ASSISTANT),
    ]
    questions = [
        question(
            f"{path.stem}/Q{number:04d}",
            item["question"],
            Answer(format=AnswerFormat.FREE, values=[item["answer"]]),
            item["clue"],
            benchmark_type=item["point"],
        )
        for number, item in enumerate(document["human-annotated QAs"], start=1)
    ]
    conversation = Conversation(
        id=path.stem,
        collection="mem-gallery",
        path=IMPORTED,
        speakers=speakers,
        sessions=sessions,
    )
    return Bundle(conversation=conversation, questions=questions)
