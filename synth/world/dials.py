"""Dials of the simulator: what the cards of a history are chosen and ordered by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from random import Random
from typing import TypeVar

from memassay.synth.world.persona_file import CardSpec, ValueRange

T = TypeVar("T")


@dataclass(frozen=True)
class Dials:
    """What the cards of a history are chosen and ordered by, as far as its length leaves a choice.

    Attributes:
        evidence_distance: 0 to 1; above 0.75 what changes a fact comes up ever later after it,
            below ever sooner. Question banks prefer evidence that lies far apart by it too.
        updates: 0 to 1; high values prefer cards that change an earlier fact, low ones avoid
            them. None leaves it to chance.
        distractor_likeness: 0 to 1; how strongly side cards are preferred whose pictures and
            units resemble the core's.
        visual_share: 0 to 1; high values prefer cards whose facts are in pictures only, low
            ones cards that say what they know. None leaves it to chance.
        assistant_reads: 0 to 1; share of the rounds with a picture in which the assistant says
            what it reads there.
    """

    evidence_distance: float = 0.75
    updates: float | None = None
    distractor_likeness: float = 0.0
    visual_share: float | None = None
    assistant_reads: float = 0.4


UNTURNED = Dials()
_LEAN = 8.0


def pull(card: CardSpec, dials: Dials) -> float:
    """How strongly the dials pull a card: positive for sooner, negative for later."""
    pull = 0.0
    if dials.updates is not None:
        pull += (2 * dials.updates - 1) * bool(card.revises)
    if dials.visual_share is not None:
        pull += 2 * (2 * dials.visual_share - 1) * _seen_only(card)
    return pull


def _seen_only(card: CardSpec) -> float:
    """Share of a card's facts that are in its pictures and pages only."""
    pages = card.document.pages if card.document else []
    images = [*card.images.values(), *(page.figure for page in pages if page.figure)]
    shown = sum(
        image.row_count * max(len(image.columns), 1)
        + sum(not isinstance(line, str) for line in image.lines.values())
        for image in images
    )
    return shown / max(shown + len(card.facts), 1)


def prefer(things: Sequence[T], by: Callable[[T], float], random: Random) -> list[T]:
    """Things in a random order in which a stronger attraction comes sooner (weighted draws)."""
    drawn = [-log(1 - random.random()) / exp(_LEAN * by(thing)) for thing in things]
    return [things[at] for at in sorted(range(len(things)), key=lambda at: (drawn[at], at))]


def likest(
    side: Sequence[CardSpec], core: Sequence[CardSpec], dials: Dials, random: Random
) -> list[CardSpec]:
    """Side cards by chance, those first that the dials prefer."""
    others = {"evidence_distance": dials.evidence_distance}
    if replace(UNTURNED, **others, assistant_reads=dials.assistant_reads) == dials:
        return random.sample(side, len(side))
    known = frozenset[str]().union(*(looks for card in core for looks in _looks(card)))

    def attraction(card: CardSpec) -> float:
        pictures = _looks(card)
        alike = sum(bool(looks & known) for looks in pictures) / max(len(pictures), 1)
        return dials.distractor_likeness * alike + pull(card, dials)

    return prefer(side, attraction, random)


def _looks(card: CardSpec) -> list[frozenset[str]]:
    """For each picture of a card, its kind with the unit of each number it shows."""
    return [
        frozenset(
            f"{image.kind} {value.unit}"
            for value in (image.value, *image.columns.values(), *image.lines.values())
            if isinstance(value, ValueRange) and value.unit
        )
        for image in card.images.values()
    ]


def lean_of(distance: float) -> float:
    """How far later (up to 1) or sooner (down to -1) than by chance what changes a fact comes up.

    Args:
        distance: The dial `evidence_distance`.
    """
    usual = UNTURNED.evidence_distance
    return (distance - usual) / (1 - usual if distance > usual else usual)
