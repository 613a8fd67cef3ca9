"""From what a model wrote to records: sessions, pictures and questions.

The ledger holds what the pictures show. Nobody knows the facts of what a model tells, so that no
query proves what it asks about them: that goes to people.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import (
    attachment_id,
    natural_key,
    record_id,
    round_id,
    session_id,
    slug,
    turn_id,
)
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Turn,
)
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.values.civil_time import day_forms, is_day
from memassay.schemas.values.pixels import take_in
from memassay.schemas.values.text import normalise
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.paths.m2a.guests.author import Guests, Telling, subjects_of, talks
from memassay.synth.paths.m2a.guests.brief import Brief, Problem
from memassay.synth.paths.m2a.guests.model_author import Drafts
from memassay.synth.paths.m2a.guests.question_checks import YES_NO, Place, evidence_of, places_of
from memassay.synth.paths.m2a.recipe import NAME
from memassay.synth.paths.m2a.talks.asking import TalkQuestions
from memassay.synth.paths.m2a.talks.bank import Quota, Written
from memassay.synth.paths.m2a.talks.telling import TalkWriter
from memassay.synth.paths.m2a.talks.visual import VisualQuestions
from memassay.synth.paths.m2a.talks.world import Subject, World
from memassay.synth.paths.m2a.tasks import ConceptQuestion, GuestSession
from memassay.synth.world.grammar import Randoms

_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?: [^\W\d]+)?", re.UNICODE)


@dataclass(frozen=True)
class Shown:
    """A picture that a model is shown.

    Attributes:
        label: What it is called.
        subject: The concept.
        image: The picture.
        sha256: Of its bytes, which are in the store.
    """

    label: str
    subject: Subject
    image: ConceptImage
    sha256: str


def album(guests: Guests, blobs: BlobStore) -> list[Shown]:
    """The pictures of a group, whose bytes go into the store.

    Raises:
        PixelError: The bytes of one are no whole image.
    """
    return [
        Shown(
            f"{slug(subject.name, f'concept{at}')}-{number}", subject, image, _store(image, blobs)
        )
        for at, subject in enumerate(subjects_of(guests), start=1)
        for number, image in enumerate(subject.images, start=1)
    ]


def _store(image: ConceptImage, blobs: BlobStore) -> str:
    return blobs.put(take_in(image.read()).data)


@dataclass(frozen=True)
class Scribe:
    """Makes records of what a model wrote.

    Attributes:
        guests: Who visits.
        brief: What the drafts were held against.
        images: What the model was shown.
        visual: Questions about new pictures.
    """

    guests: Guests
    brief: Brief
    images: Sequence[Shown]
    visual: int

    def write_history(self, drafts: Drafts, blobs: BlobStore, randoms: Randoms) -> Written:
        """The conversation that guests are until they are merged, with their questions.

        What pictures show is known, so that queries prove questions about new ones; what was told
        is not. The questions of the model come last, in the order of `questions_of`.
        """
        telling = self._telling(drafts.sessions, blobs, randoms)
        made = telling.ask([], self._visual, blobs, randoms)
        before = len(made.bundle.questions)
        places = places_of(self.brief, drafts.sessions)
        items = [
            _item(self.guests.conversation, before + number, one, places)
            for number, (one, _) in enumerate(questions_of(drafts), start=1)
        ]
        every = [*made.bundle.questions, *items]
        missing = Counter(self.brief.wanted)
        missing.subtract(item.benchmark_type for item in items)
        return Written(
            made.bundle.model_copy(update={"questions": every}),
            {**made.missing, **{code: number for code, number in missing.items() if number}},
        )

    def _visual(self, new: VisualQuestions) -> list[Quota]:
        """Which concept a new picture shows, asked once of each: an answer of one kind for all."""
        known = sum(one.subject is not None for one in new.pictures)
        return [Quota("5", min(self.visual, known), new.which())]

    def _telling(
        self, sessions: Sequence[GuestSession], blobs: BlobStore, randoms: Randoms
    ) -> Telling:
        guests, subjects = self.guests, subjects_of(self.guests)
        world = World(guests.conversation, subjects, guests.dates)
        writer = TalkWriter(world, talks(), guests.licence, blobs, randoms("telling"))
        told = [
            self._session(at, when, session, writer)
            for at, (session, when) in enumerate(zip(sessions, guests.dates, strict=True), start=1)
        ]
        seen = [fact for facts in writer.seen.values() for fact in facts]
        history = Bundle(
            conversation=Conversation(
                id=guests.conversation,
                collection=NAME,
                path=NAME,
                speakers=[guests.owner, guests.friend],
                sessions=told,
            ),
            assets=sorted(writer.assets, key=lambda one: natural_key(one.id)),
            facts=seen,
            mentions=writer.mentions,
        )
        asking = TalkQuestions(world, talks(), randoms("questions"))
        return Telling(guests, subjects, asking, history, writer.shown)

    def _session(self, at: int, when: str, written: GuestSession, writer: TalkWriter) -> Session:
        speakers = {one.name: one for one in (self.guests.owner, self.guests.friend)}
        images = {one.label: one for one in self.images}
        name, so_far = session_id(at), 0
        rounds = []
        for number, turn in enumerate(written.turns, start=1):
            place, speaker = round_id(name, number), speakers[turn.speaker]
            shown = [images[label] for label in dict.fromkeys(turn.images)]
            attachments = [
                writer.show(
                    attachment_id(name, so_far + nth), place, speaker, one.subject, one.image
                )
                for nth, one in enumerate(shown, start=1)
            ]
            so_far += len(attachments)
            said = Turn(
                id=turn_id(place, 1),
                speaker=speaker.id,
                text=turn.text.strip(),
                attachments=attachments,
            )
            rounds.append(Round(id=place, kind=RoundKind.UTTERANCE, turns=[said]))
        return Session(id=name, index=at, date=when, arc=SessionArc.GUEST, rounds=rounds)


def questions_of(drafts: Drafts) -> list[tuple[ConceptQuestion, Sequence[Problem]]]:
    """The questions that become records, by category: those that are right, then the others.

    A question that is wrong becomes a record, for people to mend, where one is lacking.
    """
    lacking = dict(drafts.sorted.lacking)
    chosen: list[tuple[ConceptQuestion, Sequence[Problem]]] = [
        (one, ()) for one in drafts.sorted.right
    ]
    for question, problems in drafts.failed:
        code = str(question.category)
        if lacking.get(code) and not any(one.is_lost for one in problems):
            lacking[code] -= 1
            chosen.append((question, problems))
    return sorted(chosen, key=lambda one: one[0].category)


def _item(
    conversation: str, number: int, question: ConceptQuestion, places: Mapping[str, Place]
) -> QAItem:
    code, cited = str(question.category), evidence_of(question, places)
    sees = code == "8"
    return QAItem(
        id=record_id(conversation, f"Q{number:03d}"),
        conversation=conversation,
        question=QuestionText(text=question.question.strip()),
        answer=_answer(question.answer.strip()),
        modalities=[Modality.IMAGE] if sees else [Modality.TEXT],
        evidence=Evidence.of(sorted(cited, key=natural_key)),
        type=TYPES[code].type,
        benchmark_type=code,
        origin=ItemOrigin.MACHINE,
    )


def _answer(gold: str) -> Answer:
    if is_day(gold):
        return Answer(format=AnswerFormat.DATE, values=[gold], equivalents=list(day_forms(gold)))
    if normalise(gold).rstrip(".!") in YES_NO:
        return Answer(format=AnswerFormat.YES_NO, values=[normalise(gold).rstrip(".!")])
    is_number = _NUMBER.fullmatch(gold) is not None
    return Answer(format=AnswerFormat.NUMBER if is_number else AnswerFormat.FREE, values=[gold])
