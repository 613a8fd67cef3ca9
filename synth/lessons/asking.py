"""Questions about new pictures of what was taught: which class is it (Mem-Gallery A.3, TTL)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mem_gallery import TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.ledger import Fact, FactScope, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.concepts.pictures import LOOK
from memassay.synth.lessons.planning import Lesson, Taught
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.telling import Told, by_id, caption_of, take_in_picture
from memassay.synth.lessons.words import Phrasebook, lesson_words
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.proving import proven_item

CODE: Final = "TTL"
"""Mem-Gallery's code of the type."""


@dataclass(frozen=True)
class _New:
    """A picture that no turn shows, of a class of a lesson."""

    lesson: Lesson
    taught: Taught
    asset: Asset
    look: Fact
    item: str


@dataclass(frozen=True)
class LessonQuestions:
    """Asks about the lessons of a conversation.

    Attributes:
        section: How many questions, and what their clues are.
        user: Name of who taught.
        blobs: Where the bytes of new pictures go.
        book: Words.
        random: Chooses which class is asked of next.
    """

    section: LessonsSection
    user: str
    blobs: BlobStore
    book: Phrasebook
    random: Random

    def ask(self, told: Bundle, lessons: Sequence[tuple[Lesson, Told]]) -> Bundle:
        """A conversation with questions about its lessons, and with what these show.

        Args:
            told: The conversation with its lessons.
            lessons: Each with what it brought along.
        """
        both = [one for one, _ in lessons]
        new = list(_new_pictures(told.id, both, self.section.questions, self.blobs, self.random))
        concepts = _concepts(told.id, lessons, new)
        shown = told.model_copy(
            update={
                "facts": by_id([*told.facts, *(one.look for one in new)]),
                "assets": by_id([*told.assets, *(one.asset for one in new)]),
                "concepts": by_id([*told.concepts, *concepts]),
            }
        )
        ledger = Ledger(shown)
        names = Names(shown, ledger)
        items = []
        for one in new:
            item = self._item(one, ledger)
            wording = wording_of(item, parse_query(item.query), names)
            items.append(item.model_copy(update={"wording": wording}))
        return shown.model_copy(update={"questions": by_id([*told.questions, *items])})

    def _item(self, new: "_New", ledger: Ledger) -> QAItem:
        """The question of a new picture.

        Raises:
            QueryError: The ledger does not prove it, which no lesson of ours can come to.
        """
        family = new.lesson.family
        words = lesson_words()
        patterns = [one for alike in words.ask.values() for one in alike]
        if self.section.evidence == "family":
            patterns = words.beside
        values = {"noun": family.noun, "plural": family.plural, "kind": family.kind}
        draft = Draft(
            self.book.ask(patterns, {**values, "user": self.user}),
            get(_clues(new, self.section)),
            AnswerFormat.FREE,
            about=(new.taught.name, new.asset.id),
            competitors=tuple(one.name for one in new.lesson.classes if one is not new.taught),
            shows=(new.asset.id,),
        )
        modalities = [Modality.TEXT, Modality.IMAGE]
        item = proven_item(draft, new.item, CODE, TYPES[CODE].type, modalities, ledger)
        shown = [
            one.model_copy(update={"caption": caption_of(new.lesson)})
            for one in item.question.attachments
        ]
        question = item.question.model_copy(update={"attachments": shown})
        return item.model_copy(update={"question": question})


def _new_pictures(
    host: str, lessons: Sequence[Lesson], number: int, blobs: BlobStore, random: Random
) -> Iterator[_New]:
    """So many new pictures, of every class as often as of the others, or as many as there are."""
    left = {
        (lesson.name, one.name): list(one.held_out) for lesson in lessons for one in lesson.classes
    }
    order = [(lesson, one) for lesson in lessons for one in lesson.classes]
    random.shuffle(order)
    counts = {lesson.name: 0 for lesson in lessons}
    for lesson, taught in cycle(order):
        if not number or not any(left.values()):
            return
        pictures = left[lesson.name, taught.name]
        if not pictures:
            continue
        counts[lesson.name] += 1
        local = f"{lesson.name}-%s{counts[lesson.name]:03d}"
        name = record_id(host, local % "H")
        look = Fact(
            id=record_id(host, local % "N"),
            subject=name,
            attribute=LOOK,
            value=FactValue(type=ValueType.TEXT, text=taught.source.look),
            scope=FactScope.QUESTION,
        )
        asset, _ = take_in_picture(pictures.pop(0), name, lesson.licence, blobs, look.id)
        number -= 1
        yield _New(lesson, taught, asset, look, record_id(host, local % "Q"))


def _concepts(
    host: str, lessons: Sequence[tuple[Lesson, Told]], new: Sequence[_New]
) -> Iterator[Concept]:
    for lesson, told in lessons:
        for at, taught in enumerate(lesson.classes, start=1):
            yield Concept(
                id=record_id(host, f"{lesson.name}-C{at}"),
                name=taught.name,
                said=taught.name,
                category=lesson.family.noun,
                shown=told.shown.get(taught.name, []),
                held_out=[
                    one.asset.id for one in new if one.lesson is lesson and one.taught is taught
                ],
            )


def _clues(new: _New, section: LessonsSection) -> Query:
    """What the pictures of the same look are called; beside all others of the lesson, if wanted."""
    where = {"subject": new.asset.id, "attribute": LOOK, "scope": "question"}
    alike: Query = {
        "op": "follow",
        "of": {"op": "select", "where": where},
        "attribute": LOOK,
        "to": "value",
    }
    attribute = new.lesson.family.attribute
    named: Query = {"op": "follow", "of": alike, "attribute": attribute, "from": "subject"}
    if section.evidence == "class":
        return named
    every: Query = {"op": "select", "where": {"attribute": attribute}}
    return {"op": "minus", "a": every, "b": {"op": "minus", "a": every, "b": named}}
