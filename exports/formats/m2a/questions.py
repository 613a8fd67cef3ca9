"""M2A questions read as records."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from memassay.exports.foreign.answers import listed_texts, plain_answer, with_equivalents
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, as_object, entries_of, quote_value
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    EVIDENCE_MALFORMED,
    FIELD_MISSING,
    IMAGES_SEVERAL,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.m2a.places import place_of
from memassay.exports.formats.m2a.rules import (
    ANSWER_FALSY,
    ANSWER_NULL,
    EVIDENCE_SHUFFLED,
    QUESTION_PLAIN,
)
from memassay.exports.formats.m2a.writing import KNOWN_QUESTION, NAME
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import question_type
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.ids import attachment_id, natural_key, record_id
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

_VISUAL: Final = frozenset("56789")
_FIELDS: Final[dict[str, str | Parts]] = {
    "/question/text": ("question", "text"),
    "/question/attachments": ("question", "image"),
    "/answer": "answer",
    "/evidence": "evidence",
    "/type": "category",
    "/benchmark_type": "category",
}
"""By place in a question of ours, its key in theirs."""


def question_id(conversation: str, position: int) -> str:
    """Id of the question at a 0-based position."""
    return record_id(conversation, f"Q{position + 1:04d}")


@dataclass(frozen=True)
class QuestionReader:
    """Reads the questions of one sample.

    Attributes:
        reading: Takes the findings.
        places: Round by `dia_id` as the file gives them.
        asset: Gives the asset id of a local name, path and caption.
    """

    reading: Reading
    places: Mapping[str, str]
    asset: Callable[[str, str | None, str | None], str]

    def question(self, position: int, part: Any) -> QAItem | None:
        """A question as a record, or None if it is held out."""
        parts: Parts = ("qa", position)
        raw = as_object(self.reading, parts, part, "a question")
        item_id = question_id(self.reading.conversation, position)
        asked = self._question_text(parts, raw, item_id) if raw is not None else None
        kind = self._category(parts, raw) if raw is not None and asked is not None else None
        if raw is None or asked is None or kind is None:
            return None
        code, type_ = kind
        self.reading.trace.note_place(item_id, parts, _FIELDS)
        self.reading.note_unknown(raw, KNOWN_QUESTION, item_id)
        visual = code in _VISUAL
        return QAItem(
            id=item_id,
            conversation=self.reading.conversation,
            question=asked,
            answer=self._answer(item_id, parts, raw, type_),
            modalities=[Modality.TEXT, Modality.IMAGE] if visual else [Modality.TEXT],
            evidence=Evidence.of(self._evidence(item_id, raw)),
            type=type_,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
        )

    def _note(self, rule: Rule, item: str, field: str, expected: str, got: str, fix: str) -> None:
        place = f"/{field}" if field in ("evidence", "question") else "/answer/values"
        message = f"{item}.{field}: expected {expected}, got {got}"
        self.reading.note(rule, item, place, message, fix)

    def _question_text(
        self, parts: Parts, raw: dict[str, Any], item_id: str
    ) -> QuestionText | None:
        """What is asked and shown; None if it is held out."""
        written = raw.get("question")
        text = written.get("text") if isinstance(written, dict) else written
        if not isinstance(text, str) or not text:
            expected = "an object with 'text' under 'question'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Write the question.")
            return None
        if not isinstance(written, dict):
            fix = 'Write {"text": ..., "image": []}.'
            self._note(QUESTION_PLAIN, item_id, "question", "an object", quote_value(text), fix)
            return QuestionText(text=text)
        paths = [path for path in entries_of(written.get("image")) if isinstance(path, str)]
        if len(paths) > 1:
            fix = "Keep one; a model is shown the first only."
            self._note(IMAGES_SEVERAL, item_id, "question", "one image", str(len(paths)), fix)
        return QuestionText(text=text, attachments=self._attachments(item_id, paths))

    def _attachments(self, item_id: str, paths: list[str]) -> list[Attachment]:
        local = item_id.partition("/")[2]
        return [
            Attachment(
                id=attachment_id("Q", at), asset=self.asset(f"{local}_IMG_{at:03d}", path, None)
            )
            for at, path in enumerate(paths, start=1)
        ]

    def _category(self, parts: Parts, raw: dict[str, Any]) -> tuple[str, QuestionType] | None:
        """Category and type of a question; None if no record can be made of it."""
        written = raw.get("category")
        number = written if isinstance(written, int) and not isinstance(written, bool) else None
        type_ = question_type(NAME, str(number)) if number is not None else None
        if type_ is None:
            expected = "a number from 1 to 9 under 'category'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Name the category.")
            return None
        return str(number), type_

    def _answer(
        self, item_id: str, parts: Parts, raw: dict[str, Any], type_: QuestionType
    ) -> Answer:
        """The first of several alternatives is the gold, the others are as right."""
        written = raw.get("answer", raw.get("answers"))
        alternatives = written if isinstance(written, list) else [written]
        right = listed_texts(self.reading, item_id, (*parts, "answer"), alternatives)
        if not right or (not written and written is not None):
            rule = ANSWER_FALSY if right else ANSWER_MISSING
            fix = "Write the answer as a text that is not empty."
            self._note(rule, item_id, "answer", "a text", quote_value(written), fix)
        if right == ["null"]:
            fix = "Drop the item, or write the answer."
            self._note(ANSWER_NULL, item_id, "answer", "an answer", "'null'", fix)
            right = []
        if not right:
            return Answer(format=AnswerFormat.FREE, values=[])
        plain = plain_answer(right[0], temporal=type_ is QuestionType.TEMPORAL)
        return with_equivalents(plain, right)

    def _evidence(self, item_id: str, raw: dict[str, Any]) -> list[str]:
        written = raw.get("evidence")
        if written is None:
            fix = "Write the list."
            self._note(FIELD_MISSING, item_id, "evidence", "a list", "none", fix)
        elif not isinstance(written, list):
            got = quote_value(written)
            self._note(SHAPE, item_id, "evidence", "a list of ids", got, "Write a list.")
        found = [self._place(item_id, entry) for entry in entries_of(written)]
        places = [place for place in found if place is not None]
        in_time = sorted(places, key=natural_key)
        if places != in_time and sorted(entries_of(written), key=str) == entries_of(written):
            fix = "Sort by number."
            got = "the order of texts"
            self._note(EVIDENCE_SHUFFLED, item_id, "evidence", "the order of time", got, fix)
        return places

    def _place(self, item_id: str, entry: Any) -> str | None:
        place = place_of(entry) if isinstance(entry, str) else None
        if isinstance(entry, str) and entry in self.places:
            return self.places[entry]
        if place is None:
            fix = "Look the turn up; no id can be read in it."
            got = quote_value(entry)
            self._note(EVIDENCE_MALFORMED, item_id, "evidence", "an id such as 'S8:5'", got, fix)
        return place
