"""WorldMemArena's samples as its own code reads them (eval_framework: datasets, evaluators)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from memassay.exports.foreign.strict import (
    Loss,
    full_marks,
    is_picture,
    losses,
    mentions_of,
    named_images,
    options_listed,
    pictures_of,
    read_as_json,
    speakers_known,
)
from memassay.exports.formats.worldmemarena.naming import (
    IMAGE,
    NAME,
    POINT,
    SESSION,
    within_others,
)
from memassay.exports.formats.worldmemarena.turns import objects
from memassay.exports.formats.worldmemarena.writing import (
    CHECKPOINTS,
    DIALOGUE,
    POINTS,
    S00,
    SESSIONS,
    SampleWriter,
)
from memassay.exports.scores.answer_metrics import universal_words
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Lost, Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType

_FETCH: Final = "Put the image file in its place and import it again."


class LoadedImage(NamedTuple):
    """An image as the loader takes it.

    Attributes:
        session: Id of its session.
        path: Where it is looked for; None if it has no path.
    """

    session: str
    path: Path | None


@dataclass(frozen=True)
class Sample:
    """A sample as upstream's code loads it.

    Attributes:
        sessions: Ids of its sessions, in order; one without an id is skipped.
        texts: What each turn says, session by session.
        dated: Sessions of which a turn has a time.
        points: By id of a point, the id of its session.
        images: By id of an image.
        asked: Questions with the sessions that their checkpoint covers; None if there is no sample.
    """

    sessions: Sequence[str]
    texts: Sequence[Sequence[str]]
    dated: frozenset[str]
    points: Mapping[str, str]
    images: Mapping[str, LoadedImage]
    asked: Sequence[tuple[Any, list[str]]] | None

    @classmethod
    def load(cls, file: Path) -> "Sample":
        """The sample of a file; the loader stops at one without `sample_id`."""
        raw = read_as_json(file)
        if not isinstance(raw, dict) or "sample_id" not in raw:
            return cls((), (), frozenset(), {}, {}, None)
        found = [each for each in objects(raw.get(SESSIONS)) if str(each.get(SESSION, ""))]
        named = [(str(each[SESSION]), each) for each in found]
        turns = [objects(each.get(DIALOGUE)) for each in found]
        blocks = [(str(each.get("session_id", "")), each) for each in objects(raw.get(POINTS))]
        inside = [each for each in named if each[0] == S00]
        points = [*inside[-1:], *(each for each in blocks if each[0] != S00)]
        return cls(
            [name for name, _ in named],
            [[str(turn.get("content", "")) for turn in each] for each in turns],
            frozenset(
                name
                for (name, _), each in zip(named, turns, strict=True)
                if any(turn.get("timestamp") for turn in each)
            ),
            {
                str(point[POINT]): session
                for session, block in points
                for point in objects(block.get(POINTS))
                if point.get(POINT) and point.get("memory_content")
            },
            dict(_images(named, file.parent)),
            list(_questions(raw.get(CHECKPOINTS))),
        )


def _images(
    named: Sequence[tuple[str, dict[str, Any]]], folder: Path
) -> Iterator[tuple[str, LoadedImage]]:
    for name, session in named:
        for turn in objects(session.get(DIALOGUE)):
            for image in objects(turn.get("attachments")):
                written = image.get("file_path")
                path = folder / written if isinstance(written, str) and written else None
                if image.get(IMAGE):
                    yield str(image[IMAGE]), LoadedImage(name, path)


def _questions(checkpoints: Any) -> Iterator[tuple[Any, list[str]]]:
    for each in objects(checkpoints):
        covered = each.get("covered_sessions") or []
        names = [str(one) for one in covered] if isinstance(covered, list) else []
        for question in objects(each.get("questions")):
            yield question, names


def unanswerable(bundle: Bundle, writer: SampleWriter, file: Path) -> list[Unfit]:
    """The questions that upstream's code cannot read, never asks or cannot credit.

    Args:
        bundle: What was written.
        writer: How it was; it knows the order of the questions.
        file: The sample.
    """
    loaded = Sample.load(file)
    order = [item.id for _, items in writer.by_checkpoint() for item in items]
    if loaded.asked is None or len(loaded.asked) != len(order):
        return list(losses(NAME, bundle, None, lambda _item, _raw: ()))
    by_item = dict(zip(order, loaded.asked, strict=True))
    strict = _Strict(bundle, writer, loaded)
    written = [by_item[item.id] for item in bundle.questions]
    return list(losses(NAME, bundle, written, strict.of_question))


class _Strict:
    """The questions of one sample, tried one by one."""

    def __init__(self, bundle: Bundle, writer: SampleWriter, loaded: Sample) -> None:
        self.bundle, self.loaded, self._names = bundle, loaded, writer.names
        self._mentions = mentions_of(bundle)
        self._within = dict(within_others([*loaded.points, *loaded.images]))
        people = [each for each in bundle.conversation.speakers if each.kind is SpeakerKind.HUMAN]
        self._user = people[0].name if len(people) > 1 else None
        self._said = dict(_round_texts(bundle, loaded)) if self._user else {}

    def of_question(self, item: QAItem, asked: tuple[dict[str, Any], list[str]]) -> Iterator[Loss]:
        """Why a question is lost.

        Args:
            item: Its record.
            asked: What is in the file, and the sessions that its checkpoint covers.
        """
        raw, covered = asked
        text = raw.get("question")
        if not isinstance(text, str) or not text.strip():
            yield Loss(Lost.NOT_READ, "the question", "asks an empty text", "Write the question.")
        if raw.get("question_type_abbrev") not in CROSSWALK[NAME]:
            why = "counts it under none of its eleven types"
            yield Loss(Lost.NOT_READ, "its type", why, "Name one of the eleven.")
        if not covered or not set(covered) <= set(self.loaded.sessions):
            why = "never asks at a checkpoint that covers nothing, or sessions that do not exist"
            yield Loss(Lost.NOT_READ, "its checkpoint", why, "Name sessions of the sample.")
        for image in item.question.attachments[:1]:
            why, fix = "has no images of questions", "Export it to mem-gallery or m3exam."
            yield Loss(Lost.IMAGE, f"image {image.id}", why, fix)
        yield from self._evidence(item, raw.get("evidence"), covered)
        yield from self._pictures(item, raw)
        yield from self._date(item, raw.get("evidence"))
        if self._user:
            yield from speakers_known(self.bundle, item, self._user, self._said)
        yield from options_listed(item, str(text), str(raw.get("answer")))
        scored = "removes a, an, the, and and all punctuation before it compares words"
        gold = raw.get("answer")
        yield from full_marks(item, gold, lambda each: [universal_words(each)], scored)

    def _evidence(self, item: QAItem, cited: Any, covered: list[str]) -> Iterator[Loss]:
        entries = objects(cited)
        if item.answerable and not entries:
            why = "counts a question without evidence as one whose evidence was not found"
            yield Loss(Lost.EVIDENCE, "its evidence", why, "Cite points or images.")
        for entry in entries:
            point, image = entry.get(POINT), entry.get(IMAGE)
            if point and image:
                why = "takes the point and drops the image"
                yield Loss(Lost.EVIDENCE, f"image {image}", why, "Write two entries.")
            name = str(point or image)
            place = self.loaded.images.get(name)
            session = self.loaded.points.get(name) if point else place.session if place else None
            if session is None:
                why = "keeps an id that no point or image has, which no memory can give back"
                yield Loss(Lost.EVIDENCE, f"evidence {name}", why, "Cite what is in the sample.")
            elif session not in covered:
                why = f"asks it before session {session}"
                yield Loss(Lost.EVIDENCE, f"evidence {name}", why, "Ask it later.")
            if name in self._within:
                why = f"finds the id in {self._within[name]} too"
                fix = "Pad the numbers with zeros to one width."
                yield Loss(Lost.EVIDENCE, f"evidence {name}", why, fix)

    def _pictures(self, item: QAItem, raw: Mapping[str, Any]) -> Iterator[Loss]:
        for name in named_images(raw.get("question"), raw.get("answer")):
            why, fix = "names images in another way", "Name it by its id in the file."
            yield Loss(Lost.IMAGE, f"image {name} in the text", why, fix)
        shown = [each.id for each in pictures_of(self.bundle, item, self._mentions)]
        names = [self._names.images.get(each, each) for each in shown]
        names += [str(each[IMAGE]) for each in objects(raw.get("evidence")) if each.get(IMAGE)]
        for name in dict.fromkeys(names):
            image = self.loaded.images.get(name)
            if image is None or image.path is None or not is_picture(image.path):
                why = "does not look whether the file is there, and a memory then opens none"
                yield Loss(Lost.IMAGE, f"image {name}", why, _FETCH)

    def _date(self, item: QAItem, cited: Any) -> Iterator[Loss]:
        sessions = {
            self.loaded.points.get(str(each.get(POINT)))
            for each in objects(cited)
            if each.get(POINT)
        }
        if item.type is QuestionType.TEMPORAL and not sessions - {None} <= self.loaded.dated:
            why = "shows the time of a turn, and there is none"
            yield Loss(Lost.DATE, "the day of its session", why, "Date the session.")


def _round_texts(bundle: Bundle, loaded: Sample) -> Iterator[tuple[str, str]]:
    """By round, all that is said in it, if the file has the turns of the records."""
    for session, texts in zip(bundle.conversation.sessions, loaded.texts, strict=False):
        left = iter(texts)
        for round_ in session.rounds:
            yield round_.id, "\n".join(next(left, "") for _ in round_.turns)
