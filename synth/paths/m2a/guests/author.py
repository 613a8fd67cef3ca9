"""The offline author of guest sessions: a world, its telling, and its questions (M2A C)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc, Speaker
from memassay.schemas.records.question import QAItem
from memassay.synth.concepts.groups import Chosen
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.proving import proven_item
from memassay.synth.talks.asking import TalkQuestions, chosen, external_facts
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


@dataclass(frozen=True)
class Written:
    """A written conversation with its questions.

    Attributes:
        bundle: All of it.
        missing: By category, how many questions fewer there are than wanted.
    """

    bundle: Bundle
    missing: Mapping[str, int]


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
        talks(),
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
        said=f"<{concept.name}>",
        family=concept.category or "",
        owner=guests.owner,
        friend=guests.friend,
        images=chosen_.images,
    )


def asked(
    history: Bundle,
    wanted: Mapping[str, int],
    drafts: Mapping[str, Iterator[Draft]],
    random: Random,
) -> Written:
    """A history with so many questions of each category, as far as there are drafts that hold."""
    bank = _Bank(history)
    items: list[QAItem] = []
    missing = {}
    for code, number in wanted.items():
        mixed = list(drafts[code])
        random.shuffle(mixed)
        made = bank.items(code, number, mixed, len(items))
        items += made
        if len(made) < number:
            missing[code] = number - len(made)
    return Written(history.model_copy(update={"questions": items}), missing)


class _Bank:
    """Makes items of drafts whose queries prove them; others are passed over."""

    def __init__(self, history: Bundle) -> None:
        self.history = history
        self.ledger = Ledger(history)
        self.names = Names(history, self.ledger)

    def items(self, code: str, number: int, drafts: Sequence[Draft], before: int) -> list[QAItem]:
        proven = {draft.text: item for draft in drafts if (item := self._proven(code, draft))}
        fit = chosen([draft for draft in drafts if draft.text in proven], number)
        return [
            self._worded(proven[draft.text], record_id(self.history.id, f"Q{at:03d}"))
            for at, draft in enumerate(fit, start=before + 1)
        ]

    def _proven(self, code: str, draft: Draft) -> QAItem | None:
        modalities = list(draft.modalities or [Modality.TEXT])
        name = record_id(self.history.id, "draft")
        try:
            return proven_item(draft, name, code, TYPES[code].type, modalities, self.ledger)
        except QueryError:
            return None

    def _worded(self, item: QAItem, name: str) -> QAItem:
        query = parse_query(item.query)
        named = item.model_copy(update={"id": name})
        return named.model_copy(update={"wording": wording_of(named, query, self.names)})
