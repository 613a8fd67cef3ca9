"""Where updates and pieces of lists come in: in rounds of their own, or before what is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from memassay.synth.packs.files.pack_file import Pack, slots_of, wordings_in
from memassay.synth.packs.plans.choosing import CHOICE, NoFitError
from memassay.synth.packs.plans.ordering import bound_before
from memassay.synth.packs.plans.plan import Card, Step

_ALONE: Final = 8
"""Rounds from which on some asides are rounds of their own (our choice)."""
_SHARE: Final = 4
"""Of so many rounds at most one is an aside of its own (our choice)."""


@dataclass(frozen=True)
class Aside:
    """An update of a fact, or a piece of a list, at the beginning of a round."""

    round: int
    name: str
    update: bool


@dataclass(frozen=True)
class Wanted:
    """The asides of a dialogue.

    Attributes:
        changed: The fact that changes.
        updates: How often.
        listed: The list whose pieces are named.
        pieces: How many of them in asides.
    """

    changed: str
    updates: int
    listed: str
    pieces: int


def count_alone(card: Card) -> int:
    """How many asides of a dialogue are rounds of their own: most that there is room for."""
    if card.rounds < _ALONE:
        return 0
    return min(card.updates + max(0, card.pieces - CHOICE), card.rounds // _SHARE)


def insert_alone(pack: Pack, steps: Sequence[Step], number: int, random: Random) -> list[Step]:
    """The rounds with so many empty ones for asides, between scenes that do not go together.

    Raises:
        NoFitError: There are not enough places.
    """
    places = [at for at in range(2, len(steps)) if _may_part(pack, steps[at - 1], steps[at])]
    if len(places) < number:
        raise NoFitError("asides of their own")
    chosen = set(random.sample(places, number))
    made: list[Step] = []
    for at, step in enumerate(steps):
        if at in chosen:
            made.append(Step(0, "", 0))
        made.append(step)
    return [replace(step, number=nth) for nth, step in enumerate(made, start=1)]


def _may_part(pack: Pack, before: Step, after: Step) -> bool:
    """Whether something else can come between two rounds."""
    next_scene = pack.scene(after.scene)
    together = next_scene.after is not None or next_scene.answers is not None
    return after.begins and not together and pack.scene(before.scene).opens is None


def lay_asides(
    pack: Pack, steps: Sequence[Step], wanted: Wanted, told: Mapping[str, int], random: Random
) -> list[Aside]:
    """Rounds for all asides: first those of their own, then the beginnings of others.

    At most one a round and in at most half of the rounds; never in the first or the last one.

    Args:
        pack: What is said.
        steps: The rounds.
        wanted: The asides.
        told: By fact, the number of the round that tells it.
        random: Draws the rounds.

    Raises:
        NoFitError: There are not enough rounds.
    """
    if wanted.updates + wanted.pieces > len(steps) // 2:
        raise NoFitError("asides")
    layout = _Layout(pack, steps, wanted, told)
    late = [step for step in steps[1:-1] if wanted.updates and layout.may_change(step)]
    apart = [step for step in steps[1:-1] if wanted.pieces and layout.may_list(step)]
    changing = _draw(late, wanted.updates, random)
    naming = _draw([step for step in apart if step not in changing], wanted.pieces, random)
    if any(not step.scene and step not in [*changing, *naming] for step in steps):
        raise NoFitError("an empty round")
    asides = [Aside(step.number, wanted.changed, True) for step in changing]
    asides += [Aside(step.number, wanted.listed, False) for step in naming]
    return sorted(asides, key=lambda aside: aside.round)


def _draw(steps: Sequence[Step], number: int, random: Random) -> list[Step]:
    """So many of some rounds: empty ones first, then those that begin a scene."""
    if len(steps) < number:
        raise NoFitError("asides")
    mixed = random.sample(steps, len(steps))
    return sorted(mixed, key=lambda step: (bool(step.scene), not step.begins))[:number]


class _Layout:
    """Says which rounds can begin with which aside."""

    def __init__(
        self, pack: Pack, steps: Sequence[Step], wanted: Wanted, told: Mapping[str, int]
    ) -> None:
        self.pack, self.steps, self.wanted, self.told = pack, steps, wanted, told

    def _phase(self, step: Step) -> int:
        """The phase that has begun by a round: phases only rise, a scene of several tells least."""
        scenes = [one.scene for one in self.steps[: step.number] if one.scene]
        return max(min(map(self.pack.phase_at, self.pack.scene(one).phase)) for one in scenes)

    def may_change(self, step: Step) -> bool:
        """Whether a round comes after a fact was told, in time, and does not speak of it."""
        fact = self.wanted.changed
        until = self.pack.phase_at(self.pack.changes[fact].until)
        if step.number <= self.told[fact] or self._phase(step) > until:
            return False
        role = self.pack.facts[fact].pick
        if role is not None:
            bound = [number for number, _ in bound_before(self.steps, self.pack, role)]
            if sum(number < step.number for number in bound) < CHOICE:
                return False
        said = self.pack.scene(step.scene).rounds[step.part]
        texts = [text for turn in (said.user, said.assistant) for text in wordings_in(turn)]
        return not any(fact in slots_of(text) for text in texts)

    def may_list(self, step: Step) -> bool:
        """Whether a round is in the phases in which pieces of the list can be named."""
        spec = self.pack.lists[self.wanted.listed]
        after = self.pack.phase_at(spec.after) if spec.after else 0
        return after <= self._phase(step) <= self.pack.phase_at(spec.until)
