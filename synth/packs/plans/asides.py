"""Where updates and pieces of lists come in: asides with which later rounds begin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from memassay.synth.packs.files.pack_file import Pack, slots_of, wordings_in
from memassay.synth.packs.plans.choosing import CHOICE, NoFitError
from memassay.synth.packs.plans.ordering import bound_before
from memassay.synth.packs.plans.plan import Step


@dataclass(frozen=True)
class Aside:
    """An update of a fact, or a piece of a list, at the beginning of a round."""

    round: int
    name: str
    update: bool


def lay_asides(
    pack: Pack,
    steps: Sequence[Step],
    changed: tuple[str, int],
    listed: tuple[str, int],
    told: Mapping[str, int],
    random: Random,
) -> list[Aside]:
    """Rounds for so many updates of a fact and so many pieces of a list.

    At most one a round and in at most half of the rounds; never in the first or the last one.

    Args:
        pack: What is said.
        steps: The rounds.
        changed: The fact, and how often it changes.
        listed: The list, and how many pieces are named in asides.
        told: By fact, the number of the round that tells it.
        random: Draws the rounds.

    Raises:
        NoFitError: There are not enough rounds.
    """
    free = steps[1:-1]
    (fact, updates), (name, pieces) = changed, listed
    late = [step for step in free if updates and _may_change(pack, step, steps, fact, told)]
    apart = [step for step in free if pieces and _may_list(pack, step, name)]
    if len(late) < updates or updates + pieces > len(steps) // 2:
        raise NoFitError("asides")
    changing = sorted(random.sample(late, updates), key=lambda step: step.number)
    left = [step for step in apart if step not in changing]
    if len(left) < pieces:
        raise NoFitError("asides")
    naming = random.sample(left, pieces)
    asides = [Aside(step.number, fact, True) for step in changing]
    asides += [Aside(step.number, name, False) for step in naming]
    return sorted(asides, key=lambda aside: aside.round)


def phase_of(pack: Pack, step: Step) -> int:
    """The last phase that a round can be in."""
    return max(pack.phase_at(phase) for phase in pack.scenes[step.scene].phase)


def _may_change(
    pack: Pack, step: Step, steps: Sequence[Step], fact: str, told: Mapping[str, int]
) -> bool:
    """Whether a round comes after a fact was told, in time, and does not speak of it itself."""
    until = pack.phase_at(pack.changes[fact].until)
    first = pack.scenes[step.scene].phase[0]
    if step.number <= told[fact] or pack.phase_at(first) > until:
        return False
    role = pack.facts[fact].pick
    if role is not None:
        bound = [number for number, _ in bound_before(steps, pack, role)]
        if sum(number < step.number for number in bound) < CHOICE:
            return False
    said = pack.scenes[step.scene].rounds[step.part]
    return not any(
        fact in slots_of(text) for turn in (said.user, said.assistant) for text in wordings_in(turn)
    )


def _may_list(pack: Pack, step: Step, name: str) -> bool:
    spec = pack.lists[name]
    after = pack.phase_at(spec.after) if spec.after else 0
    phases = [pack.phase_at(phase) for phase in pack.scenes[step.scene].phase]
    return max(phases) >= after and min(phases) <= pack.phase_at(spec.until)
