"""What is asked with a new picture of a class: its name, those like it, whether a claim holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memassay.schemas.records.asset import Asset
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.concepts.pictures import LOOK
from memassay.synth.lessons.fitting import NAMES
from memassay.synth.lessons.planning import Lesson, Taught
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.words import lesson_words
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.world.grammar import article


@dataclass(frozen=True)
class NewPicture:
    """A picture that no turn shows, of a class of a lesson, and what is asked of it.

    Attributes:
        lesson: The lesson.
        taught: Its class.
        asset: The picture.
        look: What tells its class, a fact of the question alone.
        item: Id of the question.
        code: Mem-Gallery's code of the type.
    """

    lesson: Lesson
    taught: Taught
    asset: Asset
    look: Fact
    item: str
    code: str


class PictureQuestions:
    """Drafts of questions that show a new picture, one after the other of one conversation.

    The answer of each rests on the pictures of the same look that the history shows.
    """

    def __init__(
        self, section: LessonsSection, user: str, book: Phrasebook, *, wrong: bool
    ) -> None:
        """Take dials, the name of who taught, words, and whether the next claim is a wrong one."""
        self.section, self.user, self.book, self.wrong = section, user, book, wrong
        self.words = lesson_words()
        self._makers: Mapping[str, Sequence[Callable[[NewPicture], Draft]]] = {
            NAMES: [self._name],
            "VS": [self._alike],
            "VR": [self._first, self._first, self._number],
            "CD": [self._claim],
        }
        self._asked = dict.fromkeys(self._makers, 0)

    def draft(self, new: NewPicture) -> Draft:
        """The next question of its type; forms of one type take turns."""
        makers = self._makers[new.code]
        at = self._asked[new.code]
        self._asked[new.code] += 1
        made = makers[at % len(makers)](new)
        return replace(made, about=(new.taught.name, new.asset.id), shows=(new.asset.id,))

    def _say(self, patterns: Sequence[str], new: NewPicture, **more: str) -> str:
        family = new.lesson.family
        values = {"noun": family.noun, "plural": family.plural, "kind": family.kind}
        return self.book.ask(patterns, {**values, "user": self.user, **more})

    def _name(self, new: NewPicture) -> Draft:
        """TTL: what a class is called."""
        patterns = [one for alike in self.words.ask.values() for one in alike]
        query = names_of(new)
        if self.section.evidence == "family":
            patterns, query = self.words.beside, _beside_others(new)
        others = tuple(one.name for one in new.lesson.classes if one is not new.taught)
        return Draft(
            self._say(patterns, new), get(query), AnswerFormat.FREE, (), competitors=others
        )

    def _alike(self, new: NewPicture) -> Draft:
        """VS: all pictures of the class."""
        query = get(_looks_of(new), "attachment")
        text = self._say(self.words.alike, new)
        return Draft(text, query, AnswerFormat.IMAGE_ID, (), every=True)

    def _number(self, new: NewPicture) -> Draft:
        """VR: how many pictures of the class there are."""
        count: Query = {"op": "count", "of": _looks_of(new), "distinct": "attachment"}
        return Draft(self._say(self.words.number, new), count, AnswerFormat.NUMBER, ())

    def _first(self, new: NewPicture) -> Draft:
        """VR: the day on which one was shown first."""
        first: Query = {"op": "pick", "of": _looks_of(new), "by": "said", "which": "first"}
        return Draft(self._say(self.words.first, new), get(first, "date"), AnswerFormat.DATE, ())

    def _claim(self, new: NewPicture) -> Draft:
        """CD: whether it conflicts that the picture is of a class; wrong and right in turn."""
        others = [one.name for one in new.lesson.classes if one is not new.taught]
        name = self.book.random.choice(others) if self.wrong else new.taught.name
        self.wrong = not self.wrong
        query: Query = {"op": "compare", "a": get(names_of(new)), "b": name, "with": "differ"}
        text = self._say(self.words.claim, new, name=name, a=article(name))
        return Draft(text, query, AnswerFormat.YES_NO, ())


def names_of(new: NewPicture) -> Query:
    """What the pictures of the same look are called."""
    where = {"subject": new.asset.id, "attribute": LOOK, "scope": "question"}
    alike: Query = {
        "op": "follow",
        "of": {"op": "select", "where": where},
        "attribute": LOOK,
        "to": "value",
    }
    attribute = new.lesson.family.attribute
    return {"op": "follow", "of": alike, "attribute": attribute, "from": "subject"}


def _looks_of(new: NewPicture) -> Query:
    """The looks of the pictures that are called so: those of the history alone have names."""
    return {"op": "follow", "of": names_of(new), "attribute": LOOK, "from": "subject"}


def _beside_others(new: NewPicture) -> Query:
    """The same names, by all others of the lesson that are none of them."""
    every: Query = {"op": "select", "where": {"attribute": new.lesson.family.attribute}}
    return {"op": "minus", "a": every, "b": {"op": "minus", "a": every, "b": names_of(new)}}
