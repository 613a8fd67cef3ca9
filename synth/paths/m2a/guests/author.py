"""The offline author of guest sessions: a world, its telling, and its questions (M2A C)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import natural_key
from memassay.schemas.records.conversation import SessionArc, Speaker
from memassay.synth.concepts.groups import Chosen
from memassay.synth.talks.asking import TalkQuestions, external_facts
from memassay.synth.talks.bank import Written, asked
from memassay.synth.talks.beats import Talks, read_talks
from memassay.synth.talks.telling import TalkWriter
from memassay.synth.talks.world import Subject, make_world
from memassay.synth.world.grammar import Randoms

RATIO: Final = {"6": 4, "7": 6, "8": 2, "9": 8}
"""Questions of each category among twenty: multi-hop, temporal, open-domain, single-hop."""
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
    """

    conversation: str
    group: Sequence[Chosen]
    owner: Speaker
    friend: Speaker
    dates: Sequence[str]
    licence: str


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


def write_guests(guests: Guests, questions: int, blobs: BlobStore, randoms: Randoms) -> Written:
    """Guest sessions about a group of concepts, with so many questions."""
    world = make_world(
        guests.conversation,
        [_subject(one, guests) for one in guests.group],
        guests.dates,
        [(0, 0), *[BEATS] * (len(guests.dates) - 1)],
        talks().people,
        randoms("world"),
    )
    writer = TalkWriter(world, talks(), guests.licence, blobs, randoms("telling"))
    history = writer.bundle([guests.owner, guests.friend], SessionArc.GUEST)
    known = [*history.facts, *external_facts(world, talks())]
    history = history.model_copy(
        update={"facts": sorted(known, key=lambda one: natural_key(one.id))}
    )
    asking = TalkQuestions(world, talks(), randoms("questions"))
    drafts = {
        "6": asking.several(),
        "7": asking.times(),
        "8": asking.known(),
        "9": asking.single(),
    }
    return asked(history, shares(questions), drafts, randoms("bank"))


def _subject(chosen_: Chosen, guests: Guests) -> Subject:
    concept = chosen_.concept
    return Subject(
        name=concept.name,
        topic="",
        said=f"<{concept.name}>",
        family=concept.category or "",
        thread=talks().thread_of(concept.category or ""),
        owner=guests.owner,
        friend=guests.friend,
        images=chosen_.images,
    )
