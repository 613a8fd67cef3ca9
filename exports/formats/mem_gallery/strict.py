"""Mem-Gallery's files as its own code reads them (run/run_bench.py, memengine/evaluate)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

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
from memassay.exports.scores.answer_metrics import universal_words
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType

_POINTS: Final = frozenset({"FR", "VS", "TTL", "TR", "VR", "MR", "KR", "CD", "AR"})
_SKIPPED: Final = ("_results_", "_evaluate_result_")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_IMAGE_IDS: Final = re.compile(r"D[0-9]+:IMG_[0-9]+(?:, D[0-9]+:IMG_[0-9]+)*")
_BASE: Final = "../image/"


@dataclass(frozen=True)
class LoadedRound:
    """A round as `process_conversation` stores it: its first image alone.

    Attributes:
        date: Shown as its time stamp.
        said: What the assistant says.
        image_id: Id of its image; None without one.
        image: Where that is looked for; None without one.
        caption: What replaces it where a memory holds texts alone.
    """

    date: Any
    said: str
    image_id: Any = None
    image: Path | None = None
    caption: Any = ""


@dataclass(frozen=True)
class Scenario:
    """A scenario as upstream's code loads it.

    Attributes:
        rounds: By the id that evidence is compared with; none has two of them.
        questions: Its questions in their order; None if the file is no dataset or has no dialogue.
        data: Folder of `dialog` and `image`.
        user: Name of the user; "user" without one.
    """

    rounds: Mapping[Any, LoadedRound]
    questions: Sequence[Any] | None
    data: Path
    user: Any = "user"

    @classmethod
    def load(cls, data: Path, name: str) -> "Scenario":
        """The scenario `dialog/<name>.json`; one that upstream skips has no questions."""
        raw = read_as_json(data / "dialog" / f"{name}.json")
        skipped = any(mark in f"{name}.json" for mark in _SKIPPED)
        profile = raw.get("character_profile", {}) if isinstance(raw, dict) else None
        if skipped or not isinstance(profile, dict):
            return cls({}, None, data)
        rounds = dict(_rounds(raw.get("multi_session_dialogues", []), data))
        questions = raw.get("human-annotated QAs", [])
        user = profile.get("name") or "user"
        listed = questions if rounds and isinstance(questions, list) else None
        return cls(rounds, listed, data, user)

    @cached_property
    def shown(self) -> Mapping[Any, Path | None]:
        """Images that are loaded, by id; None for one whose file is not there."""
        found = {each.image_id: each.image for each in self.rounds.values() if each.image}
        return {
            name: path if path is not None and is_picture(path) else None
            for name, path in found.items()
        }


def _rounds(sessions: Any, data: Path) -> Iterator[tuple[Any, LoadedRound]]:
    for session in sessions if isinstance(sessions, list) else []:
        for raw in session.get("dialogues", []):
            if not raw.get("user", "") and not raw.get("assistant", ""):
                continue
            date, name = session.get("date", ""), str(raw.get("round", ""))
            said = raw.get("assistant", "")
            if not raw.get("input_image"):
                yield name, LoadedRound(date, said)
                continue
            # Upstream takes element 0 of each; of a plain text that is its first character.
            path, image = (_first(raw.get(key)) for key in ("input_image", "image_id"))
            below = f"image/{path.removeprefix(_BASE)}" if path.startswith(_BASE) else path
            captions = raw.get("image_caption") or [""]
            caption = captions[0] if isinstance(captions, list) else None
            yield name, LoadedRound(date, said, image, data / below, caption)


def _first(value: Any) -> str:
    """The first of a list, or the first letter of a text, as upstream's `[0]` gives it."""
    found = value[0] if value and isinstance(value, list | str) else ""
    return found if isinstance(found, str) else ""


def unanswerable(name: str, bundle: Bundle, scenario: str, data: Path) -> list[Unfit]:
    """The questions that upstream's code cannot read or answer.

    Args:
        name: Name of the layout.
        bundle: What was written.
        scenario: Name of its file.
        data: Folder of `dialog` and `image`.
    """
    return list(_Strict(bundle, Scenario.load(data, scenario)).losses(name))


class _Strict:
    """The questions of one scenario, tried one by one."""

    def __init__(self, bundle: Bundle, loaded: Scenario) -> None:
        self.bundle, self.loaded = bundle, loaded
        self._mentions = mentions_of(bundle)
        self._said = {name: each.said for name, each in loaded.rounds.items()}

    def losses(self, layout: str) -> Iterator[Unfit]:
        return losses(layout, self.bundle, self.loaded.questions, self._of_question)

    def _of_question(self, item: QAItem, raw: Any) -> Iterator[Loss]:
        question, point = raw.get("question", ""), raw.get("point", "")
        if not question or not isinstance(point, str) or point.upper() not in _POINTS:
            yield Loss(Lost.NOT_READ, "the question", "skips it", "Give it a text and a point.")
        yield from asked_early(self.bundle, item)
        yield from self._evidence(item, raw, refused=point == "AR")
        yield from speakers_known(self.bundle, item, self.loaded.user, self._said)
        yield from self._own_picture(item, raw)
        yield from self._pictures(item)
        yield from self._date(item)
        yield from self._gold(item, raw, point)

    def _evidence(self, item: QAItem, raw: Any, *, refused: bool) -> Iterator[Loss]:
        wanted = bool(item.evidence.groups) and not refused
        yield from unresolved_places(raw.get("clue"), self.loaded.rounds, "round id", wanted)
        if refused and raw.get("clue"):
            why = "counts the clues of a refusal as rounds to be found, and upstream gives none"
            yield Loss(Lost.FORM, "its clues", why, "Write an empty list.")

    def _own_picture(self, item: QAItem, raw: Any) -> Iterator[Loss]:
        images = item.question.attachments
        if len(images) > 1 or any(":DOC_" in image.id for image in images):
            why = "shows one image with a question, and no document"
            yield Loss(Lost.IMAGE, f"{len(images)} attachments", why, "Ask about one image.")
        if not images:
            return
        path, caption = raw.get("question_image"), raw.get("image_caption", "")
        base = self.loaded.data / "image"
        there = isinstance(path, str) and is_picture(base / path.removeprefix(_BASE))
        if not there:
            why = "gives an empty answer where it cannot open the image"
            yield Loss(Lost.IMAGE, f"image {images[0].id} of the question", why, _FETCH)
        if not isinstance(caption, str):
            why = "asks it without any memory where its caption is no text"
            yield Loss(Lost.NOT_READ, "its caption", why, "Write a plain text.")

    def _pictures(self, item: QAItem) -> Iterator[Loss]:
        for image in pictures_of(self.bundle, item, self._mentions):
            asset = self.bundle.asset_by_id.get(image.asset)
            if asset is None or asset.blob_sha256 is None:
                yield Loss(Lost.IMAGE, f"image {image.id}", "has no file to open", _FETCH)
            elif image.id not in self.loaded.shown:
                kind = "document" if ":DOC_" in image.id else "image"
                yield Loss(Lost.IMAGE, f"{kind} {image.id}", _FIRST_ONLY, _ONE_A_ROUND)
        for name in cited_rounds(self.bundle, item):
            round_ = self.loaded.rounds.get(name)
            if round_ is None or round_.image is None:
                continue
            if not is_picture(round_.image):
                why = "gives an empty answer where it cannot open the image of a round"
                yield Loss(Lost.IMAGE, f"image {round_.image_id}", why, _FETCH)
            if not isinstance(round_.caption, str):
                why = "reads the first letter of a caption that is no list"
                yield Loss(Lost.IMAGE, f"caption of {round_.image_id}", why, "Write a list.")

    def _date(self, item: QAItem) -> Iterator[Loss]:
        dates = [
            self.loaded.rounds[name].date
            for name in cited_rounds(self.bundle, item)
            if name in self.loaded.rounds
        ]
        if item.type is QuestionType.TEMPORAL and not all(
            isinstance(date, str) and _DAY.fullmatch(date) for date in dates
        ):
            why = "shows the date of a session as it is, and dates are days such as 2024-06-17"
            yield Loss(Lost.DATE, "the day of its session", why, "Date the session.")

    def _gold(self, item: QAItem, raw: Any, point: str) -> Iterator[Loss]:
        gold = raw.get("answer", "")
        if item.answer.format is AnswerFormat.IMAGE_ID or (
            point == "VS" and isinstance(gold, str) and _IMAGE_IDS.fullmatch(gold)
        ):
            yield from _in_order(gold)
        for name in named_images(raw["question"], gold):
            if self.loaded.shown.get(name) is None:
                missing = name in self.loaded.shown
                why = "cannot open the image" if missing else _FIRST_ONLY
                yield Loss(Lost.IMAGE, f"image {name}", why, _FETCH if missing else _ONE_A_ROUND)
        yield from options_listed(item, raw["question"], gold)
        scored = "removes a, an, the, and and all punctuation before it compares words"
        yield from full_marks(item, gold, lambda text: [universal_words(text)], scored)


def _in_order(gold: Any) -> Iterator[Loss]:
    ids = gold.split(", ") if isinstance(gold, str) else []
    if not ids or not _IMAGE_IDS.fullmatch(gold):
        why = "expects ids such as 'D2:IMG_003, D10:IMG_002'"
        yield Loss(Lost.FORM, f"the gold {gold!r}", why, "Name images by their ids.")
    if ids != sorted(set(ids), key=natural_key):
        why = "compares ids in their order, which is ascending, each once"
        yield Loss(Lost.GOLD, f"the gold '{gold}'", why, "Write them in ascending order.")


_FIRST_ONLY: Final = "loads the first image of a round alone, and no documents"
_ONE_A_ROUND: Final = "Show one image a round, or export it to m3exam, which shows all."
_FETCH: Final = "Put the image file in its place and import it again."
