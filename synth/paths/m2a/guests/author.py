"""The offline author of guest sessions: a world, its telling, and its questions (M2A C)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc, Speaker
from memassay.schemas.values.civil_time import start
from memassay.synth.concepts.groups import Chosen
from memassay.synth.paths.m2a.guests.beside import Beside, visual_quotas, with_vqa
from memassay.synth.paths.m2a.talks.asking import TalkQuestions
from memassay.synth.paths.m2a.talks.bank import Quota, Written, ask_questions
from memassay.synth.paths.m2a.talks.beats import Talks, read_talks
from memassay.synth.paths.m2a.talks.knowledge import external_facts
from memassay.synth.paths.m2a.talks.telling import TalkWriter
from memassay.synth.paths.m2a.talks.visual import VisualQuestions
from memassay.synth.paths.m2a.talks.world import Subject, make_world
from memassay.synth.world.grammar import Randoms

RATIO: Final = {"6": 4, "7": 6, "8": 2, "9": 8}
"""Questions of each category among twenty: multi-hop, temporal, open-domain, single-hop."""
TELLINGS: Final = 4
"""How often guests are told at most, if there is too little to ask."""
BEATS: Final = (2, 3)
"""Fewest and most beats of a session after the first, which shows the concepts (our choice)."""


@dataclass(frozen=True)
class Guests:
    """Who visits.

    Attributes:
        conversation: Id of the conversation that their sessions are until they are merged.
        group: The concepts.
        owner: The speaker whose concepts they are.
        friend: The other one.
        dates: `When` of each session.
        licence: Of the concepts' pictures.
        elsewhere: Attributes and values of what is known in the host without them.
    """

    conversation: str
    group: Sequence[Chosen]
    owner: Speaker
    friend: Speaker
    dates: Sequence[str]
    licence: str
    elsewhere: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class GuestQuestions:
    """How many questions are asked about a group.

    Attributes:
        told: Of categories 6 to 9, in the ratio of the paper.
        visual: Of category 5, beside those that came with the concepts.
    """

    told: int
    visual: int


@cache
def talks() -> Talks:
    """What can be told about concepts."""
    return read_talks(Path(__file__).with_name("threads.yaml"))


def shares(total: int) -> dict[str, int]:
    """So many questions by category in the ratio of the paper, largest remainders first."""
    exact = {code: total * part / sum(RATIO.values()) for code, part in RATIO.items()}
    made = {code: int(number) for code, number in exact.items()}
    left = sorted(exact, key=lambda code: (made[code] - exact[code], code))
    for code in left[: total - sum(made.values())]:
        made[code] += 1
    return made


@dataclass(frozen=True)
class Telling:
    """Guest sessions before anything is asked about them.

    Attributes:
        guests: Who visits.
        subjects: The concepts, as talks have them.
        asking: What can be asked about what is known of them.
        history: Sessions, pictures and ledger.
        shown: By key of a subject, the ids of the assets of its pictures.
    """

    guests: Guests
    subjects: Sequence[Subject]
    asking: TalkQuestions
    history: Bundle
    shown: Mapping[str, list[str]]

    def ask(
        self,
        quotas: Sequence[Quota],
        visual: Callable[[VisualQuestions], Sequence[Quota]],
        blobs: BlobStore,
        randoms: Randoms,
    ) -> Written:
        """The sessions with their concepts, and with questions that queries prove.

        Args:
            quotas: Questions about what was told.
            visual: Gives questions about new pictures.
            blobs: Where the bytes of new pictures go.
            randoms: Gives generators.
        """
        beside = Beside(self.guests.conversation, self.guests.licence, blobs)
        both = list(zip(self.guests.group, self.subjects, strict=True))
        pictures = [new for one, subject in both for new in beside.pictures(one, subject)]
        concepts = [
            beside.concept(one.concept, self.history, self.shown[subject.key])
            for one, subject in both
        ]
        known = [*self.history.facts, *(one.look for one in pictures)]
        history = self.history.model_copy(
            update={
                "facts": sorted(known, key=lambda one: natural_key(one.id)),
                "assets": [*self.history.assets, *beside.assets],
                "concepts": sorted(concepts, key=lambda one: natural_key(one.id)),
            }
        )
        strangers = [one.alike.name for one in self.guests.group if one.alike is not None]
        new = VisualQuestions(self.asking, self.subjects, pictures, strangers, randoms("visual"))
        written = ask_questions(history, [*quotas, *visual(new)], randoms("bank"))
        return replace(written, bundle=with_vqa(written.bundle))


def write_guests(
    guests: Guests, asks: GuestQuestions, blobs: BlobStore, randoms: Randoms
) -> Written:
    """Guest sessions about a group of concepts, with their questions.

    Where what is told gives too few of a category, something else is told, a few times at most.
    """
    best = _write(guests, asks, blobs, randoms)
    for draw in range(1, TELLINGS):
        if not _short(best):
            break
        again = _write(guests, asks, blobs, partial(randoms, f"again{draw}"))
        best = min(best, again, key=_short)
    return best


def _short(written: Written) -> int:
    """How many questions about what is told are missing."""
    return sum(written.missing.get(code, 0) for code in RATIO)


def _write(guests: Guests, asks: GuestQuestions, blobs: BlobStore, randoms: Randoms) -> Written:
    subjects = subjects_of(guests)
    world = make_world(
        guests.conversation,
        subjects,
        guests.dates,
        [(0, 0), *[BEATS] * (len(guests.dates) - 1)],
        talks().people,
        randoms("world"),
        # The first session shows all of them.
        start(guests.dates[0]).date(),
        guests.elsewhere,
    )
    writer = TalkWriter(world, talks(), guests.licence, blobs, randoms("telling"))
    told = writer.bundle([guests.owner, guests.friend], SessionArc.GUEST)
    asking = TalkQuestions(world, talks(), randoms("questions"), guests.elsewhere)
    known = [*told.facts, *external_facts(world, talks())]
    telling = Telling(
        guests, subjects, asking, told.model_copy(update={"facts": known}), writer.shown
    )
    drafts = {
        "6": asking.several(),
        "7": asking.times(),
        "8": asking.general_knowledge(),
        "9": asking.single(),
    }
    quotas = [Quota(code, number, drafts[code]) for code, number in shares(asks.told).items()]
    return telling.ask(quotas, lambda new: visual_quotas(new, asks.visual), blobs, randoms)


def subjects_of(guests: Guests) -> list[Subject]:
    """The concepts of guests, as talks have them."""
    return [_subject(one, guests) for one in guests.group]


def _subject(chosen: Chosen, guests: Guests) -> Subject:
    concept = chosen.concept
    return Subject(
        name=concept.name,
        topic="",
        said=f"<{concept.name}>",
        family=concept.category or "",
        thread=talks().thread_of(concept.category or ""),
        owner=guests.owner,
        friend=guests.friend,
        images=chosen.images,
        look=concept.look or concept.name,
    )
