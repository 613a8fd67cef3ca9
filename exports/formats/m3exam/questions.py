"""M3Exam's question bank read as records."""

import re
from dataclasses import dataclass
from typing import Any, Final

from memassay.exports.foreign.answers import plain_answer
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, evidence_places, quote_value
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    ANSWER_NOT_CANONICAL,
    ANSWER_NOT_IMAGE_IDS,
    ANSWER_NOT_TEXT,
    FIELD_MISSING,
    KEY_MISSING,
    PART_UNREADABLE,
    SHAPE,
    TYPE_NOT_CANONICAL,
)
from memassay.exports.formats.m3exam.writing import KNOWN_QUESTION, NAME, QUESTION_FILE, ImageNames
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import PAPER_TYPES, question_type
from memassay.schemas.hashing import canonical_json
from memassay.schemas.ids import record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import day_forms, is_day

_FIELDS: Final = {
    "/question": "question",
    "/answer": "answer",
    "/evidence": "supporting_facts",
    "/type": "type",
    "/benchmark_type": "type",
    "/format_prompt": "format_prompt",
}
"""By place in a question of ours, its key in theirs."""

_IMAGES: Final = re.compile(r"img_[1-9][0-9]*(?:, img_[1-9][0-9]*)*")
_OPTIONS: Final = re.compile(
    r"(?<!\w)A[.):]\s*(?P<A>.+?)\s+B[.):]\s*(?P<B>.+?)\s+C[.):]\s*(?P<C>.+?)\s+D[.):]\s*(?P<D>.+)",
    re.DOTALL,
)


@dataclass
class BankReader:
    """Reads the questions of one persona.

    Attributes:
        reading: Takes the findings.
        bundle: The conversation the questions are about.
        names: Names of its images.
    """

    reading: Reading
    bundle: Bundle
    names: ImageNames

    def __post_init__(self) -> None:
        """Note which attachment shows an image first."""
        self._first: dict[str, str] = {}
        for _, image in self.bundle.conversation.attachments():
            self._first.setdefault(self.names.of(image), image.id)

    def questions(self, bank: Document | None) -> list[tuple[QAItem, dict[str, Any]]]:
        """Every item of which a record can be made, with its raw object."""
        if bank is None:
            target = self.reading.conversation
            message = f"{target}: expected {QUESTION_FILE} beside the conversation, got none"
            self.reading.note(KEY_MISSING, target, "", message, "Write a list, or an empty one.")
            return []
        self.reading.note_document(bank, self._owner, (QUESTION_FILE,))
        if not isinstance(bank.value, list):
            parts: Parts = (QUESTION_FILE,)
            fix = "Write a JSON array of items."
            self.reading.hold(PART_UNREADABLE, parts, bank.value, "a list of questions", fix)
            return []
        read = [(self._question(at, part), part) for at, part in enumerate(bank.value)]
        return [(item, part) for item, part in read if item is not None]

    def _owner(self, parts: Parts) -> str:
        at = parts[0] if parts else None
        return self._id(at) if isinstance(at, int) else self.reading.conversation

    def _id(self, at: int) -> str:
        return record_id(self.reading.conversation, f"Q{at + 1:04d}")

    def _question(self, at: int, part: Any) -> QAItem | None:
        parts: Parts = (QUESTION_FILE, at)
        raw = as_object(self.reading, parts, part, "a question")
        if raw is None:
            return None
        text, code = raw.get("question"), self._code(at, raw)
        if not isinstance(text, str) or not text:
            expected, fix = "a text under 'question'", "Write the question."
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, fix)
            return None
        type_ = question_type(NAME, code)
        if type_ is None:
            expected = f"one of {', '.join(PAPER_TYPES[NAME])} under 'type'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Name the type.")
            return None
        item_id = self._id(at)
        self.reading.trace.note_place(item_id, parts, _FIELDS)
        self.reading.note_unknown(raw, KNOWN_QUESTION, item_id)
        if "supporting_facts" not in raw:
            message = f"{item_id}.supporting_facts: expected a list of round ids, got none"
            self.reading.note(FIELD_MISSING, item_id, "", message, "Write the list.")
        written = raw.get("supporting_facts")
        places = evidence_places(self.reading, item_id, (*parts, "supporting_facts"), written)
        prompt = raw.get("format_prompt")
        return QAItem(
            id=item_id,
            conversation=self.reading.conversation,
            question=QuestionText(text=text),
            answer=self._answer(item_id, raw, type_),
            modalities=self._modalities(type_, places),
            evidence=Evidence.of(places),
            type=type_,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
            format_prompt=prompt if isinstance(prompt, str) else None,
        )

    def _code(self, at: int, raw: dict[str, Any]) -> str:
        written = raw.get("type")
        code = written.strip().lower() if isinstance(written, str) else ""
        if code != written and question_type(NAME, code) is not None:
            target = self._id(at)
            message = f"{target}.benchmark_type: expected '{code}', got {quote_value(written)}"
            fix = f"Write '{code}'."
            place: Parts = (QUESTION_FILE, at, "type")
            self.reading.note(
                TYPE_NOT_CANONICAL,
                target,
                "/benchmark_type",
                message,
                fix,
                at=place,
                instead=[code],
            )
        return code

    def _answer(self, item_id: str, raw: dict[str, Any], type_: QuestionType) -> Answer:
        texts = self._texts(item_id, raw.get("answer"))
        if not texts or not texts[0].strip():
            message = f"{item_id}.answer: expected a text, got {quote_value(raw.get('answer'))}"
            fix = "Write the gold answer first."
            self.reading.note(ANSWER_MISSING, item_id, "/answer/values", message, fix)
            return Answer(format=AnswerFormat.FREE, values=[])
        label = raw.get("label", texts[0])
        if label != texts[0] and canonical_json(label) != texts[0]:
            message = f"{item_id}.label: expected '{texts[0]}' (answer 1), got {quote_value(label)}"
            fix = "Write one gold in both places."
            self.reading.note(ANSWER_NOT_CANONICAL, item_id, "/answer/values", message, fix)
        gold, rest = texts[0], texts[1:]
        if type_ is QuestionType.VISUAL_SEARCH and _IMAGES.fullmatch(gold):
            return self._images(item_id, gold, rest)
        if type_ is QuestionType.JUDGEMENT and gold in {"A", "B", "C", "D"}:
            found = _OPTIONS.search(raw["question"])
            options = found.groupdict() if found else {}
            return Answer(
                format=AnswerFormat.CHOICE,
                values=[gold],
                coarser=rest,
                options=[AnswerOption(label=key, text=options[key].strip()) for key in options],
            )
        answer = plain_answer(gold, temporal=type_ is QuestionType.TEMPORAL)
        day = is_day(gold)
        forms = day_forms(gold) if day else []
        return answer.model_copy(
            update={
                "equivalents": [text for text in rest if text in forms],
                "coarser": [text for text in rest if text not in forms],
            }
        )

    def _texts(self, item_id: str, raw: Any) -> list[str]:
        """The answer list as texts; what is none is reported."""
        if raw is not None and not isinstance(raw, list):
            message = f"{item_id}.answer: expected an ordered list, got {quote_value(raw)}"
            fix = "Write a list, the gold first."
            rule = SHAPE if isinstance(raw, dict) else ANSWER_NOT_TEXT
            self.reading.note(rule, item_id, "/answer/values", message, fix)
            raw = [raw]
        for each in raw or []:
            if not isinstance(each, str):
                message = (
                    f"{item_id}.answer: expected a list of texts, got {quote_value(each)} in it"
                )
                fix = "Write every answer as a string."
                self.reading.note(ANSWER_NOT_TEXT, item_id, "/answer/values", message, fix)
        scalars = [each for each in raw or [] if not isinstance(each, list | dict | None)]
        return [each if isinstance(each, str) else canonical_json(each) for each in scalars]

    def _images(self, item_id: str, gold: str, rest: list[str]) -> Answer:
        """The answer of an image search: the match, then the competing candidates."""
        names = gold.split(", ")
        missing = [name for name in [*names, *rest] if name not in self._first]
        if missing:
            self.reading.note(
                ANSWER_NOT_IMAGE_IDS,
                item_id,
                "/answer/values",
                f"{item_id}.answer: expected images of this conversation, "
                f"got {quote_value(missing)}",
                "Name images that a round shows.",
            )
        if any(name not in self._first for name in names):
            return Answer(format=AnswerFormat.FREE, values=[gold], coarser=rest)
        return Answer(
            format=AnswerFormat.IMAGE_ID,
            values=[self._first[name] for name in names],
            relation=AnswerRelation.ALL if len(names) > 1 else AnswerRelation.ONE,
            competitors=[self._first.get(name, name) for name in rest],
        )

    def _modalities(self, type_: QuestionType, places: list[str]) -> list[Modality]:
        """What the file says must be looked at: the pixels of mr and fm (A.3), else text."""
        if type_ not in {QuestionType.VISUAL_REASONING, QuestionType.VISUAL_SEARCH}:
            return [Modality.TEXT]
        rounds = [each for place in places for each in self.bundle.rounds_of(place)]
        images = [image for each in rounds for turn in each.turns for image in turn.attachments]
        if not images:
            return [Modality.TEXT]
        paged = any(image.page is not None for image in images)
        return [Modality.DOCUMENT, Modality.IMAGE] if paged else [Modality.IMAGE]
