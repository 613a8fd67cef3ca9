"""MMRC's dialogues as a reader of docs/mmrc.md sees them; no code upstream could be asked."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memassay.exports.foreign.strict import (
    Loss,
    asked_early,
    is_picture,
    losses,
    mentions_of,
    named_images,
    only_item,
    pictures_of,
    read_as_json,
    speakers_known,
    unresolved_places,
)
from memassay.exports.formats.mmrc.writing import CHOICE, NAME, OPEN, TRUE_FALSE, TRUTH
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType


def unanswerable(bundle: Bundle, file: Path) -> list[Unfit]:
    """The questions that a reader of single dialogues cannot read, show or judge.

    Args:
        bundle: What was written.
        file: The list with its dialogue; paths of images start from its folder.
    """
    return list(_Reader(bundle, only_item(read_as_json(file)), file.parent).losses())


class _Reader:
    """One dialogue, its questions tried one by one."""

    def __init__(self, bundle: Bundle, dialogue: Mapping[str, Any], folder: Path) -> None:
        self.bundle, self.folder = bundle, folder
        self._mentions = mentions_of(bundle)
        self._questions = _list(dialogue.get("questions"))
        self._turns = [one if isinstance(one, dict) else {} for one in _list(dialogue.get("turns"))]
        rounds = [one.id for one in bundle.conversation.rounds()]
        said = (str(one.get("assistant", "")) for one in self._turns)
        self._said = dict(zip(rounds, said, strict=False))
        images = [image for turn in self._turns for image in _images(turn)]
        self._shown = {str(image.get("id")): image.get("file") for image in images}
        written = [str(image.get("id")) for image in images]
        ours = [one.id for _, one in bundle.conversation.attachments() if ":DOC_" not in one.id]
        self._id_of = dict(zip(ours, written, strict=False)) if len(ours) == len(written) else {}

    def losses(self) -> Iterator[Unfit]:
        return losses(NAME, self.bundle, self._questions, self._of_question)

    def _of_question(self, item: QAItem, raw: Any) -> Iterator[Loss]:
        read: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        text, form = read.get("question"), read.get("format")
        if (
            not (isinstance(text, str) and text.strip())
            or read.get("ability") not in CROSSWALK[NAME]
            or form not in (OPEN, CHOICE, TRUE_FALSE)
        ):
            why = "takes an object with a question, one of six abilities and one of three formats"
            yield Loss(Lost.NOT_READ, "the question", why, "Write it so.")
            return
        yield from asked_early(self.bundle, item)
        yield from self._images(item, text)
        yield from unresolved_places(
            _as_texts(read.get("evidence")),
            {str(at) for at, _ in enumerate(self._turns, start=1)},
            "turn number",
            bool(item.evidence.groups),
        )
        yield from speakers_known(self.bundle, item, "user", self._said)
        yield from self._date(item)
        yield from self._gold(str(form), read)

    def _images(self, item: QAItem, text: str) -> Iterator[Loss]:
        for image in item.question.attachments[:1]:
            why, fix = "has no images of questions", "Export it to mem-gallery."
            yield Loss(Lost.IMAGE, f"image {image.id}", why, fix)
        for name in named_images(text):
            why, fix = "numbers images again", "Export it to m3exam or mem-gallery."
            yield Loss(Lost.IMAGE, f"image {name} in the question", why, fix)
        needed = [one.id for one in pictures_of(self.bundle, item, self._mentions)]
        if item.answer.format is AnswerFormat.IMAGE_ID:
            needed += item.answer.values
        for name in needed:
            file = self._shown.get(self._id_of.get(name, ""))
            if not isinstance(file, str) or not is_picture(self.folder / file):
                why, fix = "opens the files of images that turns show", "Export it to m3exam."
                yield Loss(Lost.IMAGE, f"image {name}", why, fix)

    def _date(self, item: QAItem) -> Iterator[Loss]:
        """A question on times, of sessions whose dates are not there."""
        dated = any(one.date for one in self.bundle.conversation.sessions)
        if dated and (
            item.type is QuestionType.TEMPORAL or item.answer.format is AnswerFormat.DATE
        ):
            why, fix = "has no dates", "Export it to a layout with dates."
            yield Loss(Lost.DATE, "the day of its session", why, fix)

    def _gold(self, form: str, read: Mapping[str, Any]) -> Iterator[Loss]:
        gold, options = read.get("answer"), read.get("options")
        if form == CHOICE:
            right = isinstance(options, dict) and isinstance(gold, str) and gold in options
        elif form == TRUE_FALSE:
            right = gold in TRUTH
        elif isinstance(gold, list):
            right = bool(gold) and all(isinstance(one, str) and one in self._shown for one in gold)
        else:
            right = isinstance(gold, str) and bool(gold.strip())
        if not right:
            why = "takes a text, a letter of the options, True or False, or ids of images"
            yield Loss(Lost.GOLD, f"the gold {gold!r}", why, "Write the answer so.")


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _images(turn: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in _list(turn.get("images")) if isinstance(one, dict)]


def _as_texts(cited: Any) -> Any:
    """Numbers as the texts that places of evidence are compared as; what is none stays."""
    if not isinstance(cited, list):
        return cited
    return [
        str(one) if isinstance(one, int) and not isinstance(one, bool) else one for one in cited
    ]
