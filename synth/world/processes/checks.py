"""What must hold of the stages, outcomes and seasons of a card beyond their shape."""

import itertools
from collections.abc import Iterator, Mapping

from memassay.synth.world.grammar import SLOT
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.processes.parts import StagePart, parts_of
from memassay.synth.world.processes.phrases import AHEAD, time_slots


def stage_problems(card: CardSpec, seen: Mapping[str, CardSpec]) -> Iterator[str]:
    """Stages that do not exist, that nobody tells, that speak of what is not known yet.

    Args:
        card: The card.
        seen: Cards before it, by id.
    """
    yield from _reference_problems(card, seen)
    for outcomes in every_outcome(card):
        try:
            parts = parts_of(card, outcomes)
        except KeyError:
            return
        label = f" with {', '.join(outcomes.values())}" if outcomes else ""
        if not parts or not parts[0].rounds:
            yield f"{card.id}.rounds: expected a round that is told{label}"
        yield from (f"{problem}{label}" for problem in _slot_problems(card, parts))


def every_outcome(card: CardSpec) -> Iterator[dict[str, str]]:
    """Every way in which what a card leaves open can turn out."""
    for values in itertools.product(*card.outcomes.values()):
        yield dict(zip(card.outcomes, values, strict=True))


def _reference_problems(card: CardSpec, seen: Mapping[str, CardSpec]) -> Iterator[str]:
    for number, one in enumerate(card.rounds, start=1):
        if one.stage is not None and one.stage not in card.stages:
            yield f"{card.id}.rounds.{number}.stage: expected one of its stages, got {one.stage!r}"
        yield from _when_problems(card, f"rounds.{number}", one.when)
    for at, (name, stage) in enumerate(card.stages.items()):
        yield from _when_problems(card, f"stages.{name}", stage.when)
        if not at and stage.after and stage.from_ is None:
            yield f"{card.id}.stages.{name}.after: expected none for the first without `from`"
        earlier, _, other = (stage.from_ or "").partition(".")
        if stage.from_ and (earlier not in card.after or other not in seen[earlier].stages):
            yield f"{card.id}.stages.{name}.from: expected `card.stage` of a card in `after`"
    shown = [name for one in card.rounds for name in one.shows]
    if card.stages and len(shown) > len(set(shown)):
        yield f"{card.id}.images: expected each to be shown in one stage"


def _when_problems(card: CardSpec, place: str, when: Mapping[str, str]) -> Iterator[str]:
    for name, value in when.items():
        if value not in card.outcomes.get(name, {}):
            yield f"{card.id}.{place}.when: expected an outcome of the card, got {name}: {value}"


def _slot_problems(card: CardSpec, parts: list[CardSpec]) -> Iterator[str]:
    told: list[str] = []
    known: set[str] = set()
    for part in parts:
        stage = part.stage if isinstance(part, StagePart) else ""
        known |= set(part.facts)
        for number, one in enumerate(part.rounds, start=1):
            for slot in SLOT.findall(f"{one.user} {one.assistant}"):
                if slot in card.facts and slot not in known:
                    yield f"{card.id}.{stage}.{number}: {{{slot}}} is not known yet"
        for time in time_slots(part):
            ahead = time.form == AHEAD
            past = {*told, stage} >= {time.stage, time.until or stage}
            if ahead is (time.stage in {*told, stage}) or not (ahead or past):
                yield f"{card.id}.{stage}: {{{time.name}}} expected a stage told before, or ahead"
        told.append(stage)
