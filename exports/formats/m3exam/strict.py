"""M3Exam's files as a reader of its paper takes them (§2.3, A.3), and as B.2 scores answers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.reading import entries_of
from memassay.exports.foreign.strict import (
    Loss,
    asked_early,
    cited_rounds,
    full_marks,
    is_picture,
    losses,
    mentions_of,
    named_images,
    options_listed,
    pictures_of,
    read_as_json,
    speakers_known,
    unresolved_places,
)
from memassay.exports.scores.answer_metrics import m3exam_sentence, squad_words
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem

_CODES: Final = frozenset({"ss", "fm", "fj", "ms", "mr", "tr", "ii", "th"})
_IMAGE: Final = re.compile(r"img_[1-9][0-9]*")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def unanswerable(name: str, bundle: Bundle, folder: Path) -> list[Unfit]:
    """The questions of a persona's folder that its reader cannot read, answer or score."""
    return list(_Strict(bundle, folder).losses(name))


class _Strict:
    """The files of one persona, and its questions tried one by one."""

    def __init__(self, bundle: Bundle, folder: Path) -> None:
        self.bundle, self.folder = bundle, folder
        raw, bank = (read_as_json(folder / f"{name}.json") for name in ("conversation", "question"))
        self._bank = bank if isinstance(raw, dict) and isinstance(bank, list) else None
        parts = raw.get("multi_session_dialogues", []) if isinstance(raw, dict) else []
        rounds = [(each, part.get("date")) for part in parts for each in part.get("dialogues", [])]
        self._rounds = {str(each.get("round")): each for each, _ in rounds}
        self._dates = {str(each.get("round")): date for each, date in rounds}
        profile = raw.get("character_profile", {}) if isinstance(raw, dict) else {}
        self._user = profile.get("name") if isinstance(profile, dict) else None
        self._said = {name: each.get("assistant", "") for name, each in self._rounds.items()}
        self._mentions = mentions_of(bundle)
        self._files = dict(self._shown_images())

    def _shown_images(self) -> Iterator[tuple[Any, bool]]:
        """Names of images that a round attaches, and whether the file that it names is there."""
        for raw in self._rounds.values():
            for name, path in zip(
                raw.get("image_id", []), raw.get("input_image", []), strict=False
            ):
                yield name, isinstance(path, str) and is_picture(self.folder / path)

    def losses(self, layout: str) -> Iterator[Unfit]:
        return losses(layout, self.bundle, self._bank, self._of_question)

    def _of_question(self, item: QAItem, raw: Mapping[str, Any]) -> Iterator[Loss]:
        answers, code = raw.get("answer"), raw.get("type")
        listed = isinstance(answers, list) and answers
        if not raw.get("question") or code not in _CODES or not listed:
            fix = "Give it a text, a type and an answer list."
            yield Loss(Lost.NOT_READ, "the question", "cannot place it", fix)
            return
        if item.answer.format is AnswerFormat.REFUSAL:
            why = "has no questions that are to be refused: each of its types has an answer"
            yield Loss(Lost.FORM, "a refusal", why, "Export it to mem-gallery or locomo.")
        if item.question.attachments:
            why = "shows no image with a question"
            name = item.question.attachments[0].id
            yield Loss(Lost.IMAGE, f"image {name} of the question", why, "Export to mem-gallery.")
        yield from asked_early(self.bundle, item)
        wanted = bool(item.evidence.groups)
        yield from unresolved_places(raw.get("supporting_facts"), self._rounds, "round id", wanted)
        yield from speakers_known(self.bundle, item, self._user, self._said)
        yield from self._facts(raw["supporting_facts"], code)
        yield from self._pictures(item, code)
        yield from self._date(item, code)
        yield from self._gold(item, raw, str(code))

    def _facts(self, cited: Sequence[str], code: Any) -> Iterator[Loss]:
        """What A.3 demands of the supporting facts of a type."""
        sessions = {name.partition(":")[0] for name in cited}
        fix = "Export it to mem-gallery or locomo."
        if code == "ss" and len(cited) != 1:
            why = "has no type for several facts of one session, or for none: ss has one"
            yield Loss(Lost.FORM, f"{len(cited)} supporting facts", why, fix)
        if code == "ms" and len(sessions) < 2:
            why = "has no type for several facts of one session: ms has those of two or more"
            yield Loss(Lost.FORM, f"{len(cited)} supporting facts of one session", why, fix)
        if code == "fm" and any(
            len(entries_of(self._rounds[name].get("image_id"))) < 2 for name in cited
        ):
            why = "chooses among the images of a round, which are two or more"
            yield Loss(Lost.FORM, "other images of the round", why, "Export it to mem-gallery.")

    def _pictures(self, item: QAItem, code: Any) -> Iterator[Loss]:
        images = pictures_of(self.bundle, item, self._mentions)
        if code in {"mr", "fm"} and not images:
            places = cited_rounds(self.bundle, item)
            images = [
                image
                for name in places
                for turn in self.bundle.round_by_id[name].turns
                for image in turn.attachments
            ]
        for image in images:
            if not self._is_there(image.id):
                why = "finds no file of the image in the persona's folder"
                yield Loss(Lost.IMAGE, f"image {image.id}", why, _FETCH)

    def _is_there(self, attachment: str) -> bool:
        """Whether the image at the same position of the round's list has a file."""
        (round_,) = self.bundle.rounds_of(attachment)
        images = [image.id for turn in round_.turns for image in turn.attachments]
        names = entries_of(self._rounds.get(round_.id, {}).get("image_id"))
        at = images.index(attachment)
        return at < len(names) and self._files.get(str(names[at]), False)

    def _date(self, item: QAItem, code: Any) -> Iterator[Loss]:
        dates = [self._dates.get(name) for name in cited_rounds(self.bundle, item)]
        if code == "tr" and not all(isinstance(day, str) and _DAY.fullmatch(day) for day in dates):
            why = "reckons with the absolute date of every session"
            yield Loss(Lost.DATE, "the day of its session", why, "Date the session.")

    def _gold(self, item: QAItem, raw: Mapping[str, Any], code: str) -> Iterator[Loss]:
        gold = raw["answer"][0]
        for name in named_images(raw["question"], gold):
            if not self._files.get(name, False):
                why = "finds no file of the image in the persona's folder"
                yield Loss(Lost.IMAGE, f"image {name}", why, _FETCH)
        named = isinstance(gold, str) and _IMAGE.match(gold)
        if item.answer.format is AnswerFormat.IMAGE_ID or (code == "fm" and named):
            yield from _one_image(gold, code)
        yield from options_listed(item, raw["question"], gold)
        if code == "fj" and (not isinstance(gold, str) or not re.fullmatch("[A-D]", gold)):
            why = "scores the letter of one of four options"
            yield Loss(Lost.FORM, f"the gold {gold!r}", why, "Give it options A to D.")
        scored = "removes a, an, the and all punctuation before it compares words"
        whole = code in {"fm", "fj"}
        yield from full_marks(item, gold, _sentence if whole else _words, scored)


def _one_image(gold: Any, code: str) -> Iterator[Loss]:
    if code != "fm" or not isinstance(gold, str) or not _IMAGE.fullmatch(gold):
        why = "compares one image id, of questions of type fm; others of the list compete"
        yield Loss(Lost.FORM, f"the gold {gold!r}", why, "Export it to mem-gallery.")


def _sentence(text: str) -> list[list[str]]:
    return [m3exam_sentence(text).split()]


def _words(text: str) -> list[list[str]]:
    return [squad_words(text)]


_FETCH: Final = "Put the image file in its place and import it again."
