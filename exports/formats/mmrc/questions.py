"""Questions of MMRC's layout read as records: open, with options, or true and false."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.exports.foreign.answers import gold_texts, plain_answer, with_equivalents
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, as_object, quote_value
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    EVIDENCE_MALFORMED,
    FIELD_MISSING,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.mmrc.rules import ABILITY_REPEATED, ANSWER_NOT_OF_FORMAT
from memassay.exports.formats.mmrc.writing import (
    CHOICE,
    KNOWN_QUESTION,
    NAME,
    OPEN,
    TRUE_FALSE,
    TRUTH,
)
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import PAPER_TYPES, question_type
from memassay.schemas.ids import parse_place, record_id
from memassay.schemas.records.conversation import Conversation
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

_FIELDS: Final = {
    "/question/text": "question",
    "/answer": "answer",
    "/evidence": "evidence",
    "/type": "ability",
    "/benchmark_type": "ability",
}
"""By place in a question of ours, its key in the file."""


@dataclass
class QuestionReader:
    """Reads the questions of one dialogue.

    Attributes:
        reading: Takes the findings.
        talk: The dialogue.
        round_of: By number of a turn in the file, the round that was made of it.
    """

    reading: Reading
    talk: Conversation
    round_of: Mapping[int, str]
    _abilities: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Note which rounds show images."""
        self._images = {image.id for _, image in self.talk.attachments()}
        self._showing = {
            each.id for each in self.talk.rounds() if any(turn.attachments for turn in each.turns)
        }

    def questions(self, listed: Any) -> list[tuple[QAItem, dict[str, Any]]]:
        """Every question of which a record can be made, with its raw object."""
        if not isinstance(listed, list):
            parts: Parts = ("questions",)
            fix = "Write a list, or an empty one."
            if listed is not None:
                self.reading.hold(PART_UNREADABLE, parts, listed, "a list of questions", fix)
                return []
            target = self.reading.conversation
            message = f"{target}/questions: expected a list of questions, got none"
            self.reading.note(FIELD_MISSING, target, "", message, fix)
            return []
        read = [(self._question(("questions", at), part), part) for at, part in enumerate(listed)]
        return [(item, part) for item, part in read if item is not None]

    def _question(self, parts: Parts, part: Any) -> QAItem | None:
        raw = as_object(self.reading, parts, part, "a question")
        if raw is None:
            return None
        code, text = raw.get("ability"), raw.get("question")
        type_ = question_type(NAME, code) if isinstance(code, str) else None
        if type_ is None or not isinstance(code, str):
            expected = f"one of {', '.join(PAPER_TYPES[NAME])} under 'ability'"
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Name the ability.")
            return None
        if not isinstance(text, str) or not text:
            fix = "Write the question."
            self.reading.hold(PART_UNREADABLE, parts, raw, "a text under 'question'", fix)
            return None
        item_id = record_id(self.reading.conversation, f"Q{int(parts[-1]) + 1:04d}")
        self.reading.trace.note_place(item_id, parts, _FIELDS)
        self.reading.note_unknown(raw, KNOWN_QUESTION, item_id)
        if code in self._abilities:
            message = f"{item_id}.ability: expected one question of {code}, got another"
            fix = "Keep one question of each ability."
            self.reading.note(ABILITY_REPEATED, item_id, "/benchmark_type", message, fix)
        self._abilities.add(code)
        places = self._evidence(parts, item_id, raw.get("evidence"))
        return QAItem(
            id=item_id,
            conversation=self.reading.conversation,
            question=QuestionText(text=text),
            answer=self._answer(parts, item_id, raw, type_),
            answerable=type_ is not QuestionType.REFUSAL,
            modalities=self._modalities(type_, places),
            evidence=Evidence.of(places),
            type=type_,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
        )

    def _evidence(self, parts: Parts, item_id: str, raw: Any) -> list[str]:
        """The rounds of the turns that are named by their numbers, from 1."""
        if not isinstance(raw, list):
            message = f"{item_id}.evidence: expected a list of turn numbers, got {quote_value(raw)}"
            fix = "Write the list, or an empty one."
            rule = FIELD_MISSING if raw is None else SHAPE
            self.reading.note(rule, item_id, "/evidence", message, fix)
            return []
        places = []
        for at, entry in enumerate(raw):
            if type(entry) is int and entry in self.round_of:
                places.append(self.round_of[entry])
                continue
            last = max(self.round_of, default=0)
            message = (
                f"{item_id}.evidence: expected the number of a turn, 1 to {last}, "
                f"got {quote_value(entry)}"
            )
            self.reading.note(
                EVIDENCE_MALFORMED,
                item_id,
                "/evidence",
                message,
                "Look the turn up; the entry is kept in extras.",
                at=(*parts, "evidence", at),
            )
        return list(dict.fromkeys(places))

    def _answer(
        self, parts: Parts, item_id: str, raw: dict[str, Any], type_: QuestionType
    ) -> Answer:
        gold = raw.get("answer")
        if isinstance(gold, list) and gold and all(map(_names_image, gold)):
            return self._images_asked(item_id, gold)
        texts = gold_texts(self.reading, item_id, (*parts, "answer"), gold)
        refusal = type_ is QuestionType.REFUSAL
        if not texts:
            message = f"{item_id}.answer: expected a text, got {quote_value(gold)}"
            fix = "Write what a right answer says."
            self.reading.note(ANSWER_MISSING, item_id, "/answer/values", message, fix)
            return Answer(format=AnswerFormat.REFUSAL if refusal else AnswerFormat.FREE, values=[])
        options = self._options(item_id, raw)
        if options:
            # JSON writes the truth value as `true`, the options of this layout as `True`.
            labels = {option.label: option.label for option in options}
            read = {**{label.lower(): label for label in labels}, **labels}
            texts = [read.get(text, text) for text in texts]
            for text in texts:
                if text not in labels:
                    self._not_of_format(item_id, f"one of {', '.join(labels)}", text)
            answer = Answer(format=AnswerFormat.CHOICE, values=texts[:1], options=options)
        elif refusal:
            answer = Answer(format=AnswerFormat.REFUSAL, values=texts[:1])
        else:
            answer = plain_answer(texts[0], temporal=False)
        return with_equivalents(answer, texts)

    def _options(self, item_id: str, raw: dict[str, Any]) -> list[AnswerOption]:
        """The options of a question, by its format; none of an open one."""
        form, options = raw.get("format"), raw.get("options")
        if form == TRUE_FALSE:
            return [AnswerOption(label=each, text=each) for each in TRUTH]
        whole = isinstance(options, dict) and all(
            label and isinstance(text, str) for label, text in options.items()
        )
        if form == CHOICE and whole and options:
            return [AnswerOption(label=label, text=text) for label, text in options.items()]
        if form != OPEN:
            known = f"{OPEN}, {CHOICE} with 'options', or {TRUE_FALSE}"
            message = f"{item_id}.format: expected {known}, got {quote_value(form)}"
            fix = "Name the format; the question is read as an open one."
            self.reading.note(SHAPE, item_id, "/answer/format", message, fix)
        return []

    def _images_asked(self, item_id: str, names: list[str]) -> Answer:
        ids = [f"D1:{name}" for name in names]
        missing = [name for name, own in zip(names, ids, strict=True) if own not in self._images]
        if missing:
            self._not_of_format(item_id, "ids of images of the dialogue", ", ".join(missing))
        return Answer(format=AnswerFormat.IMAGE_ID, values=ids, relation=AnswerRelation.ALL)

    def _not_of_format(self, item_id: str, expected: str, got: str) -> None:
        message = f"{item_id}.answer: expected {expected}, got {quote_value(got)}"
        fix = "Correct the answer or the format."
        self.reading.note(ANSWER_NOT_OF_FORMAT, item_id, "/answer/values", message, fix)

    def _modalities(self, type_: QuestionType, places: list[str]) -> list[Modality]:
        """What a reader must look at, as far as the file shows it (our choice)."""
        if type_ is QuestionType.VISUAL_REASONING and self._showing.intersection(places):
            return [Modality.IMAGE]
        return [Modality.TEXT]


def _names_image(entry: Any) -> bool:
    place = parse_place(f"D1:{entry}") if isinstance(entry, str) else None
    return place is not None and place.attachment is not None
