"""LoCoMo's file as its own code reads it (task_eval)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.strict import (
    Loss,
    asked_early,
    full_marks,
    losses,
    named_images,
    needs_pixels,
    only_item,
    options_listed,
    read_as_json,
    unresolved_places,
)
from memassay.exports.scores.answer_metrics import locomo_words
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import from_locomo, is_when

_CATEGORIES: Final = frozenset({1, 2, 3, 4, 5})
_LAST_SESSION: Final = 49
"""Upstream's loops over sessions end there."""
_NUMBER: Final = re.compile(r".*_[0-9]+")
_ISO_DATE: Final = re.compile(r"(?<![\w-])[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?![\w-])")
_NO_PICTURES: Final = "reads texts and captions alone"


def unanswerable(name: str, bundle: Bundle, file: Path) -> list[Unfit]:
    """The questions that upstream's code cannot read, answer or score.

    Args:
        name: Name of the layout.
        bundle: What was written.
        file: The list with its sample.
    """
    return list(_Strict(bundle, only_item(read_as_json(file))).losses(name))


class _Strict:
    """The questions of one sample, tried one by one."""

    def __init__(self, bundle: Bundle, sample: Mapping[str, Any]) -> None:
        self.bundle = bundle
        self._questions = sample.get("qa")
        self._talk: Mapping[str, Any] = sample.get("conversation", {})
        self._stops = next(_stops(self._talk), None)
        self._turns = {
            turn["dia_id"]: number
            for number in range(1, _LAST_SESSION + 1)
            for turn in self._talk.get(f"session_{number}", [])
            if isinstance(turn.get("dia_id"), str)
        }

    def losses(self, layout: str) -> Iterator[Unfit]:
        return losses(layout, self.bundle, self._questions, self._of_question)

    def _of_question(self, item: QAItem, raw: Mapping[str, Any]) -> Iterator[Loss]:
        if self._stops is not None:
            yield self._stops
        category = raw.get("category")
        if not raw.get("question") or type(category) is not int or category not in _CATEGORIES:
            why = "raises ValueError for a category that is none of 1 to 5"
            yield Loss(Lost.NOT_READ, "the question", why, "Give it a text and a category.")
        yield from asked_early(self.bundle, item)
        if item.question.attachments:
            what = f"image {item.question.attachments[0].id} of the question"
            yield Loss(Lost.IMAGE, what, _NO_PICTURES, "Export it to mem-gallery.")
        named = named_images(raw.get("question"), raw.get("answer"))
        if needs_pixels(item) or named:
            ids = item.answer.format is AnswerFormat.IMAGE_ID
            what = "an image id as its gold" if ids else f"image {named[0]}" if named else "pixels"
            yield Loss(Lost.IMAGE, what, _NO_PICTURES, "Export it to m3exam or mem-gallery.")
        yield from unresolved_places(
            raw.get("evidence"), self._turns, "dia_id", bool(item.evidence.groups)
        )
        yield from self._date(raw)
        yield from self._gold(item, raw)

    def _date(self, raw: Mapping[str, Any]) -> Iterator[Loss]:
        numbers = {self._turns[name] for name in raw["evidence"] if name in self._turns}
        texts = [self._talk.get(f"session_{number}_date_time") for number in sorted(numbers)]
        dated = all(isinstance(text, str) and from_locomo(text) for text in texts)
        if raw["category"] == 2 and not dated:
            why = "asks for a date as of the session, such as '1:56 pm on 8 May, 2023'"
            yield Loss(Lost.DATE, "the time of its session", why, "Date the session to the minute.")

    def _gold(self, item: QAItem, raw: Mapping[str, Any]) -> Iterator[Loss]:
        gold, category = raw.get("answer"), raw["category"]
        # Upstream turns numbers into texts; the published file has years as numbers.
        gold = str(gold) if type(gold) in (int, float) else gold
        yield from options_listed(item, raw["question"], str(gold))
        if category == 5:
            yield from _refusal(raw, gold)
            return
        if category == 3 and isinstance(gold, str):
            gold = gold.split(";")[0]
        for date in filter(is_when, _ISO_DATE.findall(str(gold))):
            why = "joins the digits of a date, so that 8 May 2023 is not 2023-05-08"
            yield Loss(Lost.DATE, f"the gold '{date}'", why, "Write the date in words.")
        scored = "removes a, an, the, and and punctuation before it compares words"
        if category == 1:
            scored += ", and compares what is between commas part by part"
        yield from full_marks(item, gold, _parts if category == 1 else _whole, scored)


def _stops(talk: Mapping[str, Any]) -> Iterator[Loss]:
    """What ends the run of upstream's evaluator over a conversation."""
    sessions = [key for key in talk if "session" in key and "date_time" not in key]
    if any(not _NUMBER.fullmatch(key) for key in sessions):
        why = "takes every key with 'session' in it for one that ends in a number"
        yield Loss(Lost.NOT_READ, "the conversation", why, "Rename the key.")
    speakers = {str(turn.get("speaker")) for turn in talk.get("session_1", [])}
    if len(speakers) < 2:
        why = "takes the names of both speakers from session_1 and stops"
        yield Loss(Lost.NOT_READ, "the conversation", why, "Let both speak in session 1.")
    undated = [key for key in sessions if talk[key] and f"{key}_date_time" not in talk]
    if undated:
        why = f"stops at {undated[0]}, which has no date"
        yield Loss(Lost.NOT_READ, "the conversation", why, "Date every session.")


def _refusal(raw: Mapping[str, Any], gold: Any) -> Iterator[Loss]:
    if not isinstance(gold, str) or not isinstance(raw.get("adversarial_answer"), str):
        why = "reads 'answer' of an adversarial item, and upstream gives 'adversarial_answer' too"
        yield Loss(Lost.NOT_READ, "its answers", why, "Write both as texts.")


def _parts(text: str) -> list[list[str]]:
    return [locomo_words(part) for part in text.split(",")]


def _whole(text: str) -> list[list[str]]:
    return [locomo_words(text)]
