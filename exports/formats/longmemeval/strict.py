"""LongMemEval's file as its own code reads it: run_retrieval.py, evaluate_qa.py."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memassay.exports.foreign.strict import (
    Loss,
    losses,
    named_images,
    needs_pixels,
    options_listed,
    read_as_json,
)
from memassay.exports.formats.longmemeval.writing import (
    ABSTENTION,
    ANSWERS,
    ASSISTANT_TYPE,
    DATES,
    HISTORY,
    IDS,
    LABEL,
    MARK,
    NAME,
)
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import from_longmemeval

_TEXTS = ("question_id", "question", "question_date")
_NO_PICTURES = "reads texts alone"


def unanswerable(bundle: Bundle, file: Path) -> list[Unfit]:
    """The questions that upstream's code cannot read, answer or score.

    Args:
        bundle: What was written.
        file: The list of its entries, in the same order.
    """
    found = read_as_json(file)
    entries = found if isinstance(found, list) else []
    return list(losses(NAME, bundle, entries, _losses))


def _losses(item: QAItem, raw: Any) -> Iterator[Loss]:
    entry: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    lists = [entry.get(key) for key in (HISTORY, IDS, DATES)]
    even = all(isinstance(each, list) for each in lists) and len(set(map(len, lists))) == 1  # type: ignore[arg-type]
    texts = all(isinstance(entry.get(key), str) and entry[key] for key in _TEXTS)
    if not texts or not even or entry.get("question_type") not in CROSSWALK[NAME]:
        why = "takes an entry with an id, a type, a date, and three lists of one length"
        yield Loss(Lost.NOT_READ, "the question", why, "Date its sessions.")
        return
    if item.question.attachments:
        what = f"image {item.question.attachments[0].id} of the question"
        yield Loss(Lost.IMAGE, what, _NO_PICTURES, "Export it to mem-gallery.")
    named = named_images(entry["question"], entry.get("answer"))
    if needs_pixels(item) or named:
        what = f"image {named[0]}" if named else "pixels"
        yield Loss(Lost.IMAGE, what, _NO_PICTURES, "Export it to m3exam or mem-gallery.")
    yield from _evidence(item, entry)
    yield from _dates(item, entry)
    yield from _gold(item, entry)


def _evidence(item: QAItem, entry: Mapping[str, Any]) -> Iterator[Loss]:
    """Sessions with the answer, known by their ids, and a user's turn with it in each."""
    if (ABSTENTION in entry["question_id"]) != (not item.answerable):
        why = f"takes an id with '{ABSTENTION}' for that of a question without an answer"
        yield Loss(Lost.FORM, "whether it has an answer", why, "Rename it.")
    held = entry.get(ANSWERS)
    marked = [name for name in entry[IDS] if MARK in str(name)]
    if not isinstance(held, list) or set(marked) != set(held):
        why = f"knows sessions with the answer by '{MARK}' in their ids"
        yield Loss(Lost.EVIDENCE, "its evidence", why, "Rename the sessions.")
        return
    if not item.answerable:
        return
    labels = {
        name: [turn.get(LABEL) for turn in session if turn.get("role") == "user"]
        for name, session in zip(entry[IDS], entry[HISTORY], strict=True)
        if name in marked
    }
    # Upstream leaves out questions on the assistant's words, where no user's turn has the answer.
    own = entry["question_type"] == ASSISTANT_TYPE and not any(map(any, labels.values()))
    if not labels or not (own or all(map(any, labels.values()))):
        why = "looks for a user's turn with the answer in each session that holds it"
        yield Loss(Lost.EVIDENCE, "its evidence", why, "Cite rounds in which the user speaks.")


def _dates(item: QAItem, entry: Mapping[str, Any]) -> Iterator[Loss]:
    dated = all(isinstance(each, str) and from_longmemeval(each) for each in entry[DATES])
    temporal = item.type is QuestionType.TEMPORAL or item.answer.format is AnswerFormat.DATE
    if temporal and not dated:
        why = "shows the dates as they are, such as '2023/05/20 (Sat) 02:21'"
        yield Loss(Lost.DATE, "the day of its session", why, "Date every session.")


def _gold(item: QAItem, entry: Mapping[str, Any]) -> Iterator[Loss]:
    gold = entry.get("answer")
    right = isinstance(gold, str) and gold.strip()
    if not right and (isinstance(gold, bool) or not isinstance(gold, int | float)):
        why = "shows the judge a text or a number"
        yield Loss(Lost.GOLD, f"the gold {gold!r}", why, "Write the answer as a text.")
    yield from options_listed(item, entry["question"], str(gold))
