"""Questions that show a new picture of what talks introduced (M2A C, type 5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.concepts.pictures import LOOK
from memassay.synth.paths.m2a.talks.asking import TalkQuestions, now
from memassay.synth.paths.m2a.talks.world import Subject
from memassay.synth.questions.drafts import Draft, Query, get
from memassay.synth.questions.recall import answer_format

THIS: Final = "this one"
"""How a question names what its picture shows."""
_LETTERS: Final = "ABCD"


@dataclass(frozen=True)
class NewPicture:
    """A picture that no turn shows.

    Attributes:
        asset: The picture.
        look: The fact of the question's own material that says what it shows.
        subject: Whose picture it is; None for one that nobody talks about.
        beside: Whom it could be taken for, where nobody talks about what it shows.
    """

    asset: Asset
    look: Fact
    subject: Subject | None
    beside: Subject | None = None


class VisualQuestions:
    """Drafts of questions about new pictures: is it that one, which is it, what was said of it."""

    def __init__(
        self,
        asking: TalkQuestions,
        subjects: Sequence[Subject],
        pictures: Sequence[NewPicture],
        strangers: Sequence[str],
        random: Random,
    ) -> None:
        """Take what was told, of whom, the pictures, and names that nobody told."""
        self.asking, self.subjects, self.pictures = asking, subjects, pictures
        self.strangers, self.random = strangers, random

    def present(self) -> Iterator[Draft]:
        """Whether a picture shows what it does show."""
        for one in self.pictures:
            if one.subject is not None:
                yield self._is_it(one, one.subject)

    def other(self) -> Iterator[Draft]:
        """Whether a picture shows what it does not: what looks alike, where there is such a one."""
        alike = [(one, one.beside) for one in self.pictures if one.beside is not None]
        for one, beside in alike or self._others():
            yield self._is_it(one, beside)

    def _others(self) -> list[tuple[NewPicture, Subject]]:
        known = [one for one in self.pictures if one.subject is not None]
        return [
            (one, subject) for one in known for subject in self.subjects if subject != one.subject
        ]

    def _is_it(self, picture: NewPicture, subject: Subject) -> Draft:
        look: Query = {"op": "select", "where": {"subject": subject.name, "attribute": LOOK}}
        query = {"op": "compare", "a": get(look), "b": get(_shown_query(picture)), "with": "same"}
        text = self.random.choice(
            [
                f"Is {subject.said} in this picture?",
                f"Does this picture show {subject.said}?",
                f"Can you see {subject.said} here?",
            ]
        )
        about = (subject.name, picture.asset.id)
        return self._draft(text, query, AnswerFormat.YES_NO, about, picture)

    def which(self) -> Iterator[Draft]:
        """Which of those who were introduced a picture shows, right at each letter in turn."""
        for one in self.pictures:
            if one.subject is not None:
                yield from self._which(one, one.subject)

    def _which(self, picture: NewPicture, subject: Subject) -> Iterator[Draft]:
        names = [(each.said, each.name) for each in self.subjects if each != subject]
        # Who was never introduced is the fourth where a group has three.
        names += [(f"<{name}>", name) for name in self.strangers]
        wrong = names[: len(_LETTERS) - 1]
        text = self.random.choice(
            ["Who or what is in this picture?", "Which of them does this picture show?"]
        )
        for at in range(len(wrong) + 1):
            options = self.random.sample(wrong, len(wrong))
            options.insert(at, (subject.said, subject.name))
            letters = dict(zip(_LETTERS, options, strict=False))
            query: Query = {
                "op": "choose",
                "of": get(_subject_query(picture), "subject"),
                "options": {letter: name for letter, (_, name) in letters.items()},
            }
            shown = tuple((letter, said) for letter, (said, _) in letters.items())
            about = (subject.name, picture.asset.id, _LETTERS[at])
            yield self._draft(text, query, AnswerFormat.CHOICE, about, picture, shown)

    def spoken_facts(self) -> Iterator[Draft]:
        """What was said about the subject of a picture."""
        for picture in self.pictures:
            for one, text, fact in self.asking.asked_of(THIS):
                if one.subject == picture.subject:
                    follow = {
                        "op": "follow",
                        "of": _subject_query(picture),
                        "attribute": fact.attribute,
                    }
                    query = now({**follow, "from": "subject"}, fact)
                    about = (fact.id, picture.asset.id)
                    both = (Modality.TEXT, Modality.IMAGE)
                    yield self._draft(
                        text, query, answer_format(fact), about, picture, modalities=both
                    )

    def _draft(
        self,
        text: str,
        query: Query,
        form: AnswerFormat,
        about: tuple[str, ...],
        picture: NewPicture,
        options: tuple[tuple[str, str], ...] = (),
        modalities: tuple[Modality, ...] = (Modality.IMAGE,),
    ) -> Draft:
        return Draft(
            text,
            query,
            form,
            about,
            options=options,
            modalities=modalities,
            shows=(picture.asset.id,),
        )


def _shown_query(picture: NewPicture) -> Query:
    """What the picture of a question shows."""
    where = {"subject": picture.asset.id, "attribute": LOOK, "scope": "question"}
    return {"op": "select", "where": where}


def _subject_query(picture: NewPicture) -> Query:
    """Of whom the talks showed the same."""
    return {"op": "follow", "of": _shown_query(picture), "attribute": LOOK, "to": "value"}
