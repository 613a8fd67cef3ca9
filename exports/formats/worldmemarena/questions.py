"""Checkpoints of a sample and their questions read as records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.exports.foreign.answers import gold_texts, plain_answer, with_equivalents
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, as_object, quote_value
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    ID_REPEATED,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.worldmemarena.naming import CHECKPOINT, IMAGE, NAME, POINT
from memassay.exports.formats.worldmemarena.rules import (
    CHECKPOINT_UNASKED,
    EVIDENCE_TWOFOLD,
    EVIDENCE_UNKNOWN,
)
from memassay.exports.formats.worldmemarena.writing import (
    KEPT_QUESTION,
    KNOWN_CHECKPOINT,
    KNOWN_QUESTION,
    REFUSAL,
)
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import PAPER_TYPES, question_type
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.records.conversation import Checkpoint
from memassay.schemas.records.ledger import Fact
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

Raw = dict[str, Any]
_FIELDS: Final = {
    "/question/text": "question",
    "/answer": "answer",
    "/evidence": "evidence",
    "/type": "question_type_abbrev",
    "/benchmark_type": "question_type_abbrev",
}
"""By place in a question of ours, its key in theirs."""


@dataclass
class CheckpointReader:
    """Reads the checkpoints of one sample.

    Attributes:
        reading: Takes the findings; knows the conversation's id.
        sessions: By id of a session in the file, ours.
        facts: By id of a point in the file, its fact.
        images: By id of an image in the file, its attachment.
        checkpoints: Records made so far.
        questions: Likewise.
        raw_checkpoints: Checkpoints as they stood in the file, by the id of their record.
        raw_questions: Questions likewise.
    """

    reading: Reading
    sessions: Mapping[str, str]
    facts: Mapping[str, Fact]
    images: Mapping[str, str]
    checkpoints: list[Checkpoint] = field(default_factory=list)
    questions: list[QAItem] = field(default_factory=list)
    raw_checkpoints: dict[str, Raw] = field(default_factory=dict)
    raw_questions: dict[str, Raw] = field(default_factory=dict)

    def read(self, parts: Parts, part: Any) -> None:
        """A checkpoint with its questions; one that covers nothing is held out with them."""
        raw = as_object(self.reading, parts, part, "a checkpoint")
        if raw is None:
            return
        written = raw.get("covered_sessions")
        listed = written if isinstance(written, list) else []
        covered = [self.sessions[each] for each in map(str, listed) if each in self.sessions]
        fix = "Name sessions of the sample; upstream never asks its questions."
        expected = "ids of sessions that exist"
        if not covered:
            self.reading.hold(CHECKPOINT_UNASKED, (*parts, "covered_sessions"), raw, expected, fix)
            return
        unknown = [each for each in map(str, listed) if each not in self.sessions]
        if unknown:
            place = (*parts, "covered_sessions")
            self._note(CHECKPOINT_UNASKED, place, expected, ", ".join(unknown), fix)
        name = self._id(parts, raw.get(CHECKPOINT))
        self.raw_checkpoints[name] = raw
        self.reading.note_unknown(raw, KNOWN_CHECKPOINT, self.reading.conversation)
        covered = sorted(dict.fromkeys(covered), key=natural_key)
        self.checkpoints.append(Checkpoint(id=name, covered_sessions=covered))
        questions = raw.get("questions")
        if not isinstance(questions, list):
            fix = "Write a list; upstream reads anything else as none."
            self._note(SHAPE, (*parts, "questions"), "a list of questions", questions, fix)
            questions = []
        for at, each in enumerate(questions):
            self._question((*parts, "questions", at), each, name)

    def _note(self, rule: Rule, parts: Parts, expected: str, got: Any, fix: str) -> None:
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def _id(self, parts: Parts, written: Any) -> str:
        """The id that the file gives a checkpoint, or its number; each once."""
        number = len(self.raw_checkpoints) + 1
        plain = isinstance(written, str) and 0 < len(written) <= 100
        name = str(written) if plain else f"cp{number}"
        if name not in self.raw_checkpoints:
            return name
        fix = "Give it an id of its own."
        self._note(ID_REPEATED, (*parts, CHECKPOINT), "an id that no other has", written, fix)
        return f"{name}-{number}"

    def _question(self, parts: Parts, part: Any, checkpoint: str) -> None:
        raw = as_object(self.reading, parts, part, "a question")
        if raw is None:
            return
        text, code = raw.get("question"), raw.get("question_type_abbrev")
        type_ = question_type(NAME, code) if isinstance(code, str) else None
        if not isinstance(text, str) or not text.strip():
            expected = "a text under 'question'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Write the question.")
            return
        if type_ is None or not isinstance(code, str):
            expected = f"one of {', '.join(PAPER_TYPES[NAME])} under 'question_type_abbrev'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Name the type.")
            return
        name = record_id(self.reading.conversation, f"Q{len(self.raw_questions) + 1:04d}")
        self.raw_questions[name] = raw
        self.reading.trace.note_place(name, parts, _FIELDS)
        self.reading.note_unknown(raw, KNOWN_QUESTION | KEPT_QUESTION, name)
        evidence = self._evidence(name, (*parts, "evidence"), raw.get("evidence"))
        answer = self._answer(name, parts, raw.get("answer"), type_)
        shown = answer.format is AnswerFormat.IMAGE_ID or any(
            ":IMG_" in place for place in evidence.canonical
        )
        item = QAItem(
            id=name,
            conversation=self.reading.conversation,
            question=QuestionText(text=text),
            answer=answer,
            answerable=type_ is not QuestionType.REFUSAL,
            modalities=_modalities(evidence, shown),
            asked_at=AskedAt(checkpoint=checkpoint),
            evidence=evidence,
            type=type_,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
        )
        self.questions.append(item)

    def _evidence(self, name: str, parts: Parts, raw: Any) -> Evidence:
        """Facts of the points that are cited; images, and the sessions of points, as places."""
        if not isinstance(raw, list):
            if raw is not None:
                message = f"{name}.evidence: expected a list, got {quote_value(raw)}"
                fix = "Write a list; upstream reads anything else as none."
                self.reading.note(SHAPE, name, "/evidence", message, fix, at=parts)
            return Evidence()
        places: list[str] = []
        facts: list[str] = []
        for at, entry in enumerate(raw):
            cited = entry if isinstance(entry, dict) else {}
            point, image = (cited.get(key) for key in (POINT, IMAGE))
            if point and image:
                message = (
                    f"{name}.evidence: expected a point or an image, got both {point}, {image}"
                )
                fix = "Write two entries; upstream's loader drops the image of this one."
                self.reading.note(
                    EVIDENCE_TWOFOLD, name, "/evidence", message, fix, at=(*parts, at)
                )
            fact, shown = self.facts.get(str(point)), self.images.get(str(image))
            if fact is not None:
                facts.append(fact.id)
                places.append(str(fact.session))
            if shown is not None:
                places.append(shown)
            lost = (point and fact is None) or (image and shown is None) or not (point or image)
            if lost:
                message = (
                    f"{name}.evidence: expected the id of a point or image of the sample, "
                    f"got {quote_value(entry)}"
                )
                fix = "Look it up; its recall can never be full otherwise."
                self.reading.note(
                    EVIDENCE_UNKNOWN, name, "/evidence", message, fix, at=(*parts, at)
                )
        once = Evidence.of(list(dict.fromkeys(places)))
        return once.model_copy(update={"facts": list(dict.fromkeys(facts))})

    def _answer(self, name: str, parts: Parts, raw: Any, type_: QuestionType) -> Answer:
        texts = gold_texts(self.reading, name, (*parts, "answer"), raw)
        refusal = type_ is QuestionType.REFUSAL
        if not texts:
            message = f"{name}.answer: expected a text, got {quote_value(raw)}"
            fix = f"Write '{REFUSAL}'" if refusal else "Write what a right answer says."
            self.reading.note(ANSWER_MISSING, name, "/answer/values", message, fix)
            return Answer(format=AnswerFormat.REFUSAL if refusal else AnswerFormat.FREE, values=[])
        ids = [part.strip() for part in texts[0].split(",")]
        if all(each in self.images for each in ids):
            values = [self.images[each] for each in ids]
            return Answer(format=AnswerFormat.IMAGE_ID, values=values, relation=AnswerRelation.ALL)
        if refusal:
            answer = Answer(format=AnswerFormat.REFUSAL, values=texts[:1])
        else:
            answer = plain_answer(texts[0], temporal=type_ is QuestionType.TEMPORAL)
        return with_equivalents(answer, texts)


def _modalities(evidence: Evidence, shown: bool) -> list[Modality]:
    """What a reader must look at, as far as the evidence shows it (our choice)."""
    if not shown:
        return [Modality.TEXT]
    return [Modality.TEXT, Modality.IMAGE] if evidence.facts else [Modality.IMAGE]
