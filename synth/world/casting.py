"""Which cards a history is made of, in which order, and in which session each comes up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from memassay.schemas.errors import UsageError
from memassay.schemas.records.event import EventLine
from memassay.synth.world.dials import UNTURNED, Dials, likest, preferred, pull, timed
from memassay.synth.world.persona_file import CardSpec, PersonaFile

Randoms = Callable[..., Random]
"""Gives the generator of a purpose: ``randoms("dates")``."""

_CORE_SHARE = 0.75


@dataclass(frozen=True)
class Sizes:
    """How large a persona's history is.

    Attributes:
        sessions: Number of sessions.
        rounds: Mean rounds a session.
        images: Mean images a session aimed at, by the choice of cards.
        documents: Documents, as far as the persona has any.
        procedures: Procedures told step by step, which `th` questions need.
        inferences: Unstated facts whose clues must all be told, which `ii` questions need.
    """

    sessions: int = 16
    rounds: float = 12.7
    images: float = 6.5
    documents: int = 2
    procedures: int = 4
    inferences: int = 4


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
    wanted = round(sizes.sessions * sizes.rounds)
    core = _core_cards(persona, sizes, wanted, randoms("core cards"), dials)
    have = sum(len(card.rounds) for card in core)
    side = likest(persona.side, core, dials, randoms("side cards"))
    others = _side_cards(side, wanted - have)
    total = have + sum(len(card.rounds) for card in others)
    # Side cards stop one round short at the earliest: that is no lack of cards.
    if total < min(0.95 * wanted, wanted - 1):
        raise UsageError(
            f"persona {persona.id}: expected cards for {wanted} rounds, got {total}; "
            "lower sizes.sessions or sizes.rounds"
        )
    ordered = _in_order(core, randoms("order"), dials.evidence_distance)
    merged = _merged(ordered, others, randoms("merge"))
    return _in_sessions(merged, sizes.sessions, total)


def _core_cards(
    persona: PersonaFile, sizes: Sizes, wanted: int, random: Random, dials: Dials
) -> list[CardSpec]:
    by_id = {card.id: card for card in persona.cards}
    documents = [card.id for card in persona.cards if card.document]
    left = [card.id for card in persona.cards if card.id not in documents]
    random.shuffle(left)
    if dials.updates is not None or dials.visual_share is not None:
        left = preferred(left, lambda card: pull(by_id[card], dials), random)
    chosen: dict[str, CardSpec] = {}
    for card in [persona.cards[0].id, *_needed(persona, sizes, documents, left, random)]:
        _add(card, by_id, chosen)
    left = [card for card in left if card not in chosen]
    while left and _rounds(chosen) < _CORE_SHARE * wanted:
        images_wanted = sizes.images / sizes.rounds * _rounds(chosen)
        # A turned dial decides alone; else the pictures wanted choose among three.
        candidates = left[: 1 if dials.visual_share is not None else 3]
        behind = sum(len(card.images) for card in chosen.values()) < images_wanted
        best = (max if behind else min)(candidates, key=lambda card: len(by_id[card].images))
        left.remove(best)
        _add(best, by_id, chosen)
    return [card for card in persona.cards if card.id in chosen]


def _needed(
    persona: PersonaFile, sizes: Sizes, documents: list[str], others: list[str], random: Random
) -> list[str]:
    """Cards without which there would be too few documents, procedures or unstated facts."""
    clues = [sorted({f.partition(".")[0] for f in i.entailed_by}) for i in persona.implied.values()]
    inferences = random.sample(clues, min(sizes.inferences, len(clues)))
    told = {card.id for card in persona.cards if card.steps}
    procedures = [card for card in others if card in told][: sizes.procedures]
    return [
        *random.sample(documents, min(sizes.documents, len(documents))),
        *(card for cards in inferences for card in cards),
        *procedures,
    ]


def _rounds(chosen: dict[str, CardSpec]) -> int:
    return sum(len(card.rounds) for card in chosen.values())


def _add(card: str, by_id: dict[str, CardSpec], chosen: dict[str, CardSpec]) -> None:
    """Choose a card and every card it comes after."""
    for earlier in by_id[card].after:
        _add(earlier, by_id, chosen)
    chosen[card] = by_id[card]


def _side_cards(side: Sequence[CardSpec], rounds: int) -> list[CardSpec]:
    """Cards off the core line, enough for the rounds that are left."""
    chosen: list[CardSpec] = []
    for card in side:
        if rounds <= 1:
            break
        chosen.append(card)
        rounds -= len(card.rounds)
    return chosen


def _in_order(cards: Sequence[CardSpec], random: Random, distance: float) -> list[CardSpec]:
    """The first card first, documents late, the rest by chance where `after` leaves a choice."""
    ordered, left = [cards[0]], list(cards[1:])
    while left:
        done = {card.id for card in ordered}
        ready = [card for card in left if done.issuperset(card.after)]
        plain = [card for card in ready if card.document is None]
        late = len(left) <= len(cards) // 2
        open_ = ready if late or not plain else plain
        pick = random.choice(timed(open_, distance, random))
        ordered.append(pick)
        left.remove(pick)
    return ordered


def _merged(
    core: Sequence[CardSpec], others: Sequence[CardSpec], random: Random
) -> list[tuple[CardSpec, EventLine]]:
    merged = [(card, EventLine.CORE) for card in core]
    for card in others:
        merged.insert(random.randint(1, len(merged)), (card, EventLine.SIDE))
    return merged


def _in_sessions(
    merged: Sequence[tuple[CardSpec, EventLine]], sessions: int, total: int
) -> list[CastCard]:
    """Cards to sessions so that every session gets its share of the rounds."""
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
