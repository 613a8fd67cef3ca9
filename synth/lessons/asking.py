"""Questions that show new pictures of what was taught (Mem-Gallery A.3, TTL, VS, VR and CD)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS, TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.ledger import Fact, FactScope, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.concepts.pictures import LOOK
from memassay.synth.lessons.fitting import NAMES
from memassay.synth.lessons.pictured import NewPicture, PictureQuestions
from memassay.synth.lessons.planning import Lesson
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.telling import Told, by_id, caption_of, take_in_picture
from memassay.synth.lessons.words import lesson_words
from memassay.synth.questions.drafts import Draft, get
from memassay.synth.questions.proving import proven_item
from memassay.synth.telling.phrasebook import Phrasebook


@dataclass(frozen=True)
class LessonQuestions:
    """Asks about the lessons of a conversation.

    Attributes:
        section: What the clues of questions for names are.
        asked: How many questions show a new picture, by Mem-Gallery's code.
        user: Name of who taught.
        blobs: Where the bytes of new pictures go.
        book: Words.
        random: Chooses which class is asked of next.
    """

    section: LessonsSection
    asked: Mapping[str, int]
    user: str
    blobs: BlobStore
    book: Phrasebook
    random: Random

    def ask(self, told: Bundle, lessons: Sequence[tuple[Lesson, Told]], bare: int = 0) -> Bundle:
        """A conversation with questions about its lessons, and with what these show.

        Args:
            told: The conversation with its lessons.
            lessons: Each with what it brought along.
            bare: How many questions for names show no picture.
        """
        both = [one for one, _ in lessons]
        codes = [code for code, number in self.asked.items() for _ in range(number)]
        new = list(_new_pictures(told.id, both, codes, self.blobs, self.random))
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
        wrong = _rarer_is_wrong(told, self.random)
        asking = PictureQuestions(self.section, self.user, self.book, wrong=wrong)
        asked = [self._item(one, asking.draft(one), ledger) for one in new]
        asked += [self._bare_item(told.id, one, ledger) for one in both[:bare]]
        items = []
        for item in asked:
            wording = wording_of(item, parse_query(item.query), names)
            items.append(item.model_copy(update={"wording": wording}))
        return shown.model_copy(update={"questions": by_id([*told.questions, *items])})

    def _bare_item(self, host: str, lesson: Lesson, ledger: Ledger) -> QAItem:
        """The question which classes a lesson taught; it shows no picture.

        Raises:
            QueryError: The ledger does not prove it, which no lesson of ours can come to.
        """
        family = lesson.family
        values = {"noun": family.noun, "plural": family.plural, "kind": family.kind}
        draft = Draft(
            self.book.ask(lesson_words().every, {**values, "user": self.user}),
            get({"op": "select", "where": {"attribute": family.attribute}}),
            AnswerFormat.FREE,
            about=tuple(one.name for one in lesson.classes),
            every=True,
        )
        name = record_id(host, f"{lesson.name}-Q000")
        return proven_item(draft, name, NAMES, TYPES[NAMES].type, [Modality.TEXT], ledger)

    def _item(self, new: NewPicture, draft: Draft, ledger: Ledger) -> QAItem:
        """The question of a new picture.

        Raises:
            QueryError: The ledger does not prove it, which no lesson of ours can come to.
        """
        modalities = [Modality.TEXT, Modality.IMAGE]
        item = proven_item(draft, new.item, new.code, TYPES[new.code].type, modalities, ledger)
        shown = [
            one.model_copy(update={"caption": caption_of(new.lesson)})
            for one in item.question.attachments
        ]
        question = item.question.model_copy(update={"attachments": shown})
        prompt = FORMAT_PROMPTS.get(new.code)
        return item.model_copy(update={"question": question, "format_prompt": prompt})


def _rarer_is_wrong(told: Bundle, random: Random) -> bool:
    """Whether a claim that conflicts is due, so that yes is as often right as no."""
    values = [one.answer.values for one in told.questions if one.benchmark_type == "CD"]
    surplus = values.count(["Yes."]) - values.count(["No."])
    return surplus < 0 if surplus else random.random() < 1 / 2


def _new_pictures(
    host: str, lessons: Sequence[Lesson], codes: Sequence[str], blobs: BlobStore, random: Random
) -> Iterator[NewPicture]:
    """A new picture for each code, of every class as often as of the others, or as there are."""
    left = {
        (lesson.name, one.name): list(one.held_out) for lesson in lessons for one in lesson.classes
    }
    order = [(lesson, one) for lesson in lessons for one in lesson.classes]
    random.shuffle(order)
    counts = {lesson.name: 0 for lesson in lessons}
    due = list(codes)
    for lesson, taught in cycle(order):
        if not due or not any(left.values()):
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
        yield NewPicture(lesson, taught, asset, look, record_id(host, local % "Q"), due.pop(0))


def _concepts(
    host: str, lessons: Sequence[tuple[Lesson, Told]], new: Sequence[NewPicture]
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
