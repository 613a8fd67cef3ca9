"""M2A's file as its own evaluator reads it (eval/evaluator.py)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.strict import (
    Loss,
    asked_early,
    is_picture,
    losses,
    mentions_of,
    named_images,
    only_item,
    options_listed,
    pictures_of,
    read_as_json,
    unresolved_places,
)
from memassay.exports.formats.m2a.writing import image_path
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import from_locomo

_CATEGORIES: Final = frozenset(range(1, 10))
_OF_TIMES: Final = frozenset({2, 7})


def unanswerable(name: str, bundle: Bundle, file: Path) -> list[Unfit]:
    """The questions that the evaluator cannot read, show or judge.

    Args:
        name: Name of the layout.
        bundle: What was written.
        file: The list with its sample; paths of images start from its folder.
    """
    return list(_Strict(bundle, only_item(read_as_json(file)), file.parent).losses(name))


class _Strict:
    """The questions of one sample, tried one by one."""

    def __init__(self, bundle: Bundle, sample: Mapping[str, Any], folder: Path) -> None:
        self.bundle, self.folder = bundle, folder
        self._mentions = mentions_of(bundle)
        self._questions = sample.get("qa")
        talk: Mapping[str, Any] = sample.get("conversation", {})
        # The reader stops at the first number that is missing.
        read = [*takewhile(lambda key: key in talk, (f"session_{at}" for at in count()))]
        self._turns = {turn["dia_id"]: key for key in read for turn in talk[key]}
        self._dates = {key: talk.get(f"{key}_date_time") for key in read}

    def losses(self, layout: str) -> Iterator[Unfit]:
        return losses(layout, self.bundle, self._questions, self._of_question)

    def _of_question(self, item: QAItem, raw: Mapping[str, Any]) -> Iterator[Loss]:
        asked, category = raw.get("question"), raw.get("category")
        text = asked.get("text") if isinstance(asked, dict) else None
        if not text or type(category) is not int or category not in _CATEGORIES:
            why = "takes an object with text and images, and a category from 1 to 9"
            yield Loss(Lost.NOT_READ, "the question", why, "Write it so.")
            return
        if not item.answerable:
            why = "has no adversarial category; its fifth is visual retrieval (§5.1)"
            yield Loss(Lost.FORM, "a refusal", why, "Export it to locomo.")
        yield from asked_early(self.bundle, item)
        yield from self._images(item, text, raw.get("answer"))
        yield from unresolved_places(
            raw.get("evidence"), self._turns, "dia_id", bool(item.evidence.groups)
        )
        if category in _OF_TIMES:
            yield from self._date(raw["evidence"])
        yield from _gold(item, text, raw.get("answer"))

    def _images(self, item: QAItem, text: str, gold: Any) -> Iterator[Loss]:
        """Pictures that a model must be shown, and ids that it never is."""
        if item.answer.format is AnswerFormat.IMAGE_ID or named_images(text, gold):
            why = "shows images without their ids"
            yield Loss(Lost.IMAGE, "an image id", why, "Export it to m3exam or mem-gallery.")
        needed = [*item.question.attachments[:1], *pictures_of(self.bundle, item, self._mentions)]
        for image in needed:
            if not self._is_shown(image):
                why = "opens image files, and only the first of a turn"
                fix = "Give it a turn of its own."
                yield Loss(Lost.IMAGE, f"image {image.id}", why, fix)

    def _is_shown(self, image: Attachment) -> bool:
        path = image_path(self.bundle, image)
        turn = self.bundle.attachment_by_id.get(image.id)
        first = turn is None or turn[0].attachments[0].id == image.id
        return path is not None and first and is_picture(self.folder / path)

    def _date(self, evidence: Sequence[str]) -> Iterator[Loss]:
        for key in {self._turns[name] for name in evidence if name in self._turns}:
            date = self._dates[key]
            if not isinstance(date, str) or from_locomo(date) is None:
                why = "gives a model the time of a session, such as '1:56 pm on 8 May, 2023'"
                fix = "Date the session to the minute."
                yield Loss(Lost.DATE, "the time of its session", why, fix)


def _gold(item: QAItem, text: str, gold: Any) -> Iterator[Loss]:
    right = gold if isinstance(gold, list) else [gold]
    if not right or not all(isinstance(one, str) and one.strip() for one in right):
        why = "never judges an answer that is empty, 0 or no text"
        yield Loss(Lost.GOLD, f"the gold {gold!r}", why, "Write the answer as a text.")
        return
    yield from options_listed(item, text, right[0])
