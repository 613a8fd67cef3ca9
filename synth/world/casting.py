"""Which cards a history is made of, in which order, and in which session each comes up."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from memassay.schemas.records.event import EventLine
from memassay.synth.world.choosing import choose_cards
from memassay.synth.world.dials import UNTURNED, Dials, time_cards
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import CardSpec, PersonaFile
from memassay.synth.world.sizes import Sizes, rounds_of


@dataclass(frozen=True)
class CastCard:
    """A card with its line and the 1-based session it comes up in."""

    card: CardSpec
    line: EventLine
    session: int


def cast(
    persona: PersonaFile, sizes: Sizes, randoms: Randoms, dials: Dials = UNTURNED
) -> list[CastCard]:
    """The cards of a history in time order, spread over its sessions.

    Raises:
        UsageError: The persona has too few cards for the sizes asked for.
    """
    chosen = choose_cards(persona, sizes, randoms, dials)
    ordered = _in_order(chosen.core, randoms("order"), dials.evidence_distance)
    merged = _merge(ordered, chosen.side, randoms("merge"))
    return _in_sessions(merged, sizes.sessions)


def _in_order(cards: Sequence[CardSpec], random: Random, distance: float) -> list[CardSpec]:
    """The first card first, documents late, the rest by chance where `after` leaves a choice."""
    ordered, left = [cards[0]], list(cards[1:])
    while left:
        done = {card.id for card in ordered}
        ready = [card for card in left if done.issuperset(card.after)]
        plain = [card for card in ready if card.document is None]
        late = len(left) <= len(cards) // 2
        open_ = ready if late or not plain else plain
        pick = random.choice(time_cards(open_, distance, random))
        ordered.append(pick)
        left.remove(pick)
    return ordered


def _merge(
    core: Sequence[CardSpec], others: Sequence[CardSpec], random: Random
) -> list[tuple[CardSpec, EventLine]]:
    merged = [(card, EventLine.CORE) for card in core]
    for card in others:
        merged.insert(random.randint(1, len(merged)), (card, EventLine.SIDE))
    return merged


def _in_sessions(merged: Sequence[tuple[CardSpec, EventLine]], sessions: int) -> list[CastCard]:
    """Cards to sessions so that every session gets its share of the rounds."""
    sessions = min(sessions, len(merged))
    total = rounds_of(card for card, _ in merged)
    cast_cards: list[CastCard] = []
    told = 0
    for position, (card, line) in enumerate(merged):
        middle = told + len(card.rounds) / 2
        session = min(int(middle / total * sessions) + 1, sessions)
        before = cast_cards[-1].session if cast_cards else 0
        left = len(merged) - position - 1
        # Every session gets at least one card, whatever the sizes of the cards.
        session = max(min(session, before + 1), sessions - left, before)
        cast_cards.append(CastCard(card, line, max(session, 1)))
        told += len(card.rounds)
    return cast_cards
