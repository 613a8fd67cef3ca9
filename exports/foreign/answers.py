"""Gold answers of foreign files: their text, and the form it has."""

import re
from typing import Any, Final

from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, quote_value
from memassay.exports.foreign.rules import ANSWER_NOT_TEXT, SHAPE
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.question import Answer, AnswerFormat
from memassay.schemas.values.civil_time import is_when

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


def scalar_text(reading: Reading, item_id: str, parts: Parts, raw: Any) -> str | None:
    """An answer as text: another scalar is written as JSON, a list or object is no answer.

    Args:
        reading: Takes the findings.
        item_id: Id of the question.
        parts: Place of the answer in the file.
        raw: The answer as it is there.
    """
    if raw is None or isinstance(raw, str):
        return raw
    if isinstance(raw, list | dict):
        reading.note(
            SHAPE,
            item_id,
            "/answer/values",
            f"{item_id}.answer: expected a text, got {quote_value(raw)}",
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
        f"{item_id}.answer: expected a text, got the {kind} {text}",
        f'Write "{text}".',
        at=parts,
        instead=[text],
    )
    return text
