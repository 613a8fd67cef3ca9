"""LoCoMo questions read as records."""

from typing import Any, Final

from memassay.exports.foreign.answers import gold_texts, plain_answer, read_choice, with_equivalents
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import (
    Reading,
    as_object,
    entries_of,
    evidence_places,
    quote_value,
)
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    FIELD_MISSING,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.locomo.rules import (
    REFUSAL_ANSWERED,
    REFUSAL_WITHOUT_ANSWER,
    TRAP_MISSING,
)
from memassay.exports.formats.locomo.writing import KNOWN_QUESTION, NAME, REFUSAL
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import question_type
from memassay.schemas.ids import record_id
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

FORMAT_PROMPTS: Final = {"2": "Use DATE of CONVERSATION to answer with an approximate date."}
"""What upstream appends to questions of a category (task_eval/gpt_utils.py)."""


_FIELDS: Final = {
    "/question/text": "question",
    "/answer": "answer",
    "/answer/traps": "adversarial_answer",
    "/evidence": "evidence",
    "/type": "category",
    "/benchmark_type": "category",
}
"""By place in a question of ours, its key in theirs."""


def read_question(reading: Reading, parts: Parts, part: Any) -> QAItem | None:
    """A question as a record, or None if it is held out."""
    raw = as_object(reading, parts, part, "a question")
    item_id = question_id(reading, parts)
    kind = _category(reading, parts, raw, item_id) if raw is not None else None
    if raw is None or kind is None:
        return None
    category, type_ = kind
    reading.trace.note_place(item_id, parts, _FIELDS)
    reading.note_unknown(raw, KNOWN_QUESTION, item_id)
    if "evidence" not in raw:
        message = f"{item_id}.evidence: expected a list, got none"
        reading.note(FIELD_MISSING, item_id, "", message, "Write the list.")
    refusal = type_ is QuestionType.REFUSAL
    answer = _refusal(reading, parts, raw) if refusal else _answer(reading, parts, raw, type_)
    text, answer = read_choice(raw, raw["question"], answer)
    return QAItem(
        id=item_id,
        conversation=reading.conversation,
        question=QuestionText(text=text),
        answer=answer,
        answerable=not refusal,
        modalities=[Modality.TEXT],
        evidence=Evidence.of(
            evidence_places(reading, item_id, (*parts, "evidence"), raw.get("evidence"))
        ),
        type=type_,
        benchmark_type=category,
        origin=ItemOrigin.IMPORTED,
        format_prompt=FORMAT_PROMPTS.get(category),
    )


def question_id(reading: Reading, parts: Parts) -> str:
    """Id of the question at a place of the file, by its position."""
    return record_id(reading.conversation, f"Q{int(parts[-1]) + 1:04d}")


def _category(
    reading: Reading, parts: Parts, raw: dict[str, Any], item_id: str
) -> tuple[str, QuestionType] | None:
    """Category and type of a question; None if no record can be made of it."""
    text, category = raw.get("question"), raw.get("category")
    if not isinstance(text, str) or not text:
        reading.hold(PART_UNREADABLE, parts, raw, "a text under 'question'", "Write the question.")
        return None
    code = str(category) if isinstance(category, int | str) else ""
    type_ = question_type(NAME, code)
    if type_ is None or isinstance(category, bool):
        expected = "a category from 1 to 5"
        fix = "Name the category; upstream's evaluator raises ValueError."
        reading.hold(PART_UNREADABLE, parts, raw, expected, fix)
        return None
    if not isinstance(category, int):
        reading.note(
            SHAPE,
            item_id,
            "/benchmark_type",
            f"{item_id}.category: expected the number {code}, got the text {quote_value(code)}",
            f"Write {code}; upstream compares numbers and raises ValueError.",
            at=(*parts, "category"),
            instead=[int(code)],
        )
    return code, type_


def _answer(reading: Reading, parts: Parts, raw: dict[str, Any], type_: QuestionType) -> Answer:
    item_id = question_id(reading, parts)
    texts = gold_texts(reading, item_id, (*parts, "answer"), raw.get("answer"))
    traps = [trap for trap in entries_of(raw.get("adversarial_answer")) if isinstance(trap, str)]
    if not texts:
        reading.note(
            ANSWER_MISSING,
            item_id,
            "/answer/values",
            f"{item_id}.answer: expected a text, got {quote_value(raw.get('answer'))}",
            "Write the gold answer.",
        )
        return Answer(format=AnswerFormat.FREE, values=[], traps=traps)
    plain = plain_answer(texts[0], temporal=type_ is QuestionType.TEMPORAL)
    return with_equivalents(plain, texts).model_copy(update={"traps": traps})


def _refusal(reading: Reading, parts: Parts, raw: dict[str, Any]) -> Answer:
    """The answer of an adversarial item: right is upstream's refusal, the rest is a trap."""
    item_id = question_id(reading, parts)
    if raw.get("answer") is None:
        reading.note(
            REFUSAL_WITHOUT_ANSWER,
            item_id,
            "/answer/values",
            f"{item_id}.answer: expected an answer, got none; '{REFUSAL}' is right",
            "Nothing; upstream's evaluator reads `answer` and raises KeyError.",
        )
    elif any(each != REFUSAL for each in entries_of(raw["answer"])):
        reading.note(
            REFUSAL_ANSWERED,
            item_id,
            "/answer/values",
            f"{item_id}.answer: expected no answer in an adversarial item, "
            f"got {quote_value(raw['answer'])}",
            "Drop it, or give the item another category.",
        )
    trap_parts = (*parts, "adversarial_answer")
    written = raw.get("adversarial_answer")
    empty = isinstance(written, str) and not written.strip()
    traps = [written] if empty else gold_texts(reading, item_id, trap_parts, written)
    if not traps:
        message = f"{item_id}.adversarial_answer: expected a text, got none"
        reading.note(TRAP_MISSING, item_id, "/answer/traps", message, "Write the wrong answer.")
    return Answer(format=AnswerFormat.REFUSAL, values=[REFUSAL], traps=traps)
