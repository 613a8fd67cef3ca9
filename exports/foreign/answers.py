"""Gold answers of foreign files: their text, and the form it has."""

import re
from typing import Any, Final

from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, quote_value
from memassay.exports.foreign.rules import ANSWER_NOT_TEXT, SHAPE
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    QAItem,
)
from memassay.schemas.values.civil_time import is_when

CHOICE: Final = "choice"
"""Key of options and right labels in layouts without options; upstream's code does not read it."""
_YES_NO: Final = frozenset({"Yes.", "No.", "Yes", "No"})
_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def plain_answer(text: str, *, temporal: bool) -> Answer:
    """An answer of one value, which is the text itself, with the form that the text has.

    A year alone is a date in a temporal question and a number elsewhere (our choice).
    """
    if text in _YES_NO:
        return Answer(format=AnswerFormat.YES_NO, values=[text])
    if is_when(text) and (temporal or "-" in text):
        return Answer(format=AnswerFormat.DATE, values=[text])
    if _NUMBER.fullmatch(text):
        return Answer(format=AnswerFormat.NUMBER, values=[text])
    return Answer(format=AnswerFormat.FREE, values=[text])


def gold_texts(reading: Reading, item_id: str, parts: Parts, raw: Any) -> list[str]:
    """The texts of a gold: one, or a list's first and its equivalents, each once.

    Successors of a data set write a list, a number or a truth value where its first version had
    a text. The meaning is the same, so it is taken, with a warning.

    Args:
        reading: Takes the findings.
        item_id: Id of the question.
        parts: Place of the gold in the file; its last part is the key.
        raw: The gold as it is there.
    """
    if not isinstance(raw, list):
        text = scalar_text(reading, item_id, parts, raw)
        return [text] if text is not None and text.strip() else []
    texts = listed_texts(reading, item_id, parts, raw)
    if texts:
        reading.note(
            ANSWER_NOT_TEXT,
            item_id,
            "/answer/values",
            f"{item_id}.{parts[-1]}: expected a text, got the list {quote_value(raw)}",
            f"Write '{texts[0]}'; others of the list were read as equivalents.",
            at=parts,
        )
    return texts


def listed_texts(reading: Reading, item_id: str, parts: Parts, raw: list[Any]) -> list[str]:
    """The texts of a list of golds, each once; without those that are empty."""
    texts = [
        scalar_text(reading, item_id, (*parts, at), entry, field=str(parts[-1]))
        for at, entry in enumerate(raw)
    ]
    return list(dict.fromkeys(text for text in texts if text is not None and text.strip()))


def with_equivalents(answer: Answer, texts: list[str]) -> Answer:
    """An answer of the first text, with those behind it as equivalents."""
    return answer.model_copy(update={"equivalents": texts[1:]}) if texts[1:] else answer


def scalar_text(
    reading: Reading, item_id: str, parts: Parts, raw: Any, field: str = "answer"
) -> str | None:
    """An answer as text: another scalar is written as JSON, a list or object is no answer.

    Args:
        reading: Takes the findings.
        item_id: Id of the question.
        parts: Place of the answer in the file.
        raw: The answer as it is there.
        field: Key of the answer in the question.
    """
    if raw is None or isinstance(raw, str):
        return raw
    if isinstance(raw, list | dict):
        reading.note(
            SHAPE,
            item_id,
            "/answer/values",
            f"{item_id}.{field}: expected a text, got {quote_value(raw)}",
            "Write one text; the value is kept in extras.",
            at=parts,
        )
        return None
    text = canonical_json(raw)
    kind = "truth value" if isinstance(raw, bool) else "number"
    reading.note(
        ANSWER_NOT_TEXT,
        item_id,
        "/answer/values",
        f"{item_id}.{field}: expected a text, got the {kind} {text}",
        f'Write "{text}".',
        at=parts,
        instead=[text],
    )
    return text


def question_with_options(item: QAItem) -> str:
    """What is asked; options are below it unless the text names each of them."""
    text, options = item.question.text, item.answer.options
    return text if all(one.text in text for one in options) else text + _lines_of(options)


def with_option_texts(item: QAItem) -> QAItem:
    """The same with the texts of options in place of their labels in the gold.

    Scorers of free answers compare words: they drop the label A as an article.
    """
    texts = {option.label: option.text for option in item.answer.options}
    values = [texts.get(one, one) for one in item.answer.values]
    return item.model_copy(update={"answer": item.answer.model_copy(update={"values": values})})


def choice_json(item: QAItem) -> dict[str, Any]:
    """Options and right labels as a field that brings them back; nothing without options."""
    answer = item.answer
    if not answer.options:
        return {}
    options = [{"label": one.label, "text": one.text} for one in answer.options]
    right = answer.values if answer.format is AnswerFormat.CHOICE else []
    return {CHOICE: {"options": options, "right": right}}


def read_choice(raw: dict[str, Any], text: str, answer: Answer) -> tuple[str, Answer]:
    """A question and its answer, with the options that its file keeps beside them.

    Args:
        raw: The question as it is in the file.
        text: What is asked there.
        answer: The answer without options.
    """
    kept: Any = raw.get(CHOICE)
    try:
        options = [AnswerOption.model_validate(one, strict=True) for one in kept["options"]]
        right = [str(label) for label in kept["right"]]
    except (TypeError, KeyError, ValueError):
        return text, answer
    changes: dict[str, Any] = {"options": options}
    if right:
        relation = AnswerRelation.ALL if len(right) > 1 else AnswerRelation.ONE
        changes |= {"format": AnswerFormat.CHOICE, "values": right, "relation": relation}
    asked = text.removesuffix(_lines_of(options)) or text
    return asked, answer.model_copy(update=changes)


def _lines_of(options: list[AnswerOption]) -> str:
    return "".join(f"\n{one.label}. {one.text}" for one in options)
