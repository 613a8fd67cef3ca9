"""Arcs with values: the facts of the first session, and what the later one makes of them."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact, FactHolder, FactOperation, FactValue, ValueType
from memassay.schemas.values.civil_time import start
from memassay.schemas.values.text import holds
from memassay.synth.lives.extending.arcs import Arc, ArcFact
from memassay.synth.lives.extending.matters import Matter, day_of
from memassay.synth.lives.extending.money import EUR, RATES
from memassay.synth.questions.knowledge.planted import PlantKind

_TRIES: Final = 20
"""Values that are tried for one that is no gold."""


@dataclass(frozen=True)
class FilledArc:
    """An arc with values.

    Attributes:
        arc: What can be said.
        matter: What it is around.
        first: Facts of the first session, by slot.
        later: Facts of the later session, by slot: new ones, and those of its pictures.
        kinds: What the later fact of a slot does to the first.
    """

    arc: Arc
    matter: Matter
    first: Mapping[str, Fact]
    later: Mapping[str, Fact]
    kinds: Mapping[str, PlantKind]


def fill_arc(
    arc: Arc,
    matter: Matter,
    ids: tuple[str, str],
    speaker: str,
    people: list[str],
    golds: AbstractSet[str],
    currency: str,
    random: Random,
    when: str | None = None,
) -> FilledArc:
    """An arc with values drawn; names are taken out of `people`.

    Args:
        arc: What can be said.
        matter: What it is around.
        ids: What ids of facts of the first session begin with, `ada/extension1-F`, and of the
            later one.
        speaker: Id of the user.
        people: Names to draw from.
        golds: Golds of the life: where there are others, no value has one of them in it, so that
            what a picture alone showed is not said now.
        currency: Of prices.
        random: Draws.
        when: When the first session is; None where it has no date.
    """
    first, later = ids
    arc = arc.around(matter)
    kinds = _kinds(arc, random)
    first_facts: dict[str, Fact] = {}
    later_facts: dict[str, Fact] = {}
    for number, (slot, written) in enumerate(arc.facts.items(), start=1):
        spec = _in_money(written, currency)
        value = _day(spec, matter.day, day_of(when), random) or _value(
            spec, None, people, golds, random
        )
        first_facts[slot] = _fact(f"{first}{number:02d}", arc, spec.attribute, value)
        if slot not in kinds:
            continue
        kind = kinds[slot]
        other = value if kind is PlantKind.AGREEMENT else _value(spec, value, people, golds, random)
        old = [first_facts[each] for each in (slot, spec.joins) if each] if kind.revises else []
        # What is said again without a word about before is a claim; the world has the first.
        claims = None if kind.revises else speaker
        name, attribute = f"{later}{number:02d}", spec.becomes or spec.attribute
        later_facts[slot] = _fact(name, arc, attribute, other, old, claims)
    return FilledArc(arc, matter, first_facts, later_facts, kinds)


def _in_money(spec: ArcFact, currency: str) -> ArcFact:
    """A fact whose price is in a currency, and about what it would be there."""
    if spec.unit != EUR or spec.number is None:
        return spec
    least, most, step = (number * RATES[currency] for number in spec.number)
    return spec.model_copy(update={"unit": currency, "number": (least, most, step)})


def _day(
    spec: ArcFact, spoken_of: str | None, told: str | None, random: Random
) -> FactValue | None:
    """The value of a fact that is a day, if days are known: after that of its matter."""
    if spec.days is None or spoken_of is None or told is None:
        return None
    between = max((start(told) - start(spoken_of)).days - 1, 0)
    least, most = (min(days, between) for days in spec.days)
    day = start(told).date() - timedelta(days=random.randint(least, most))
    return FactValue(type=ValueType.DATE, text=day.isoformat())


def _kinds(arc: Arc, random: Random) -> dict[str, PlantKind]:
    """What becomes of each slot; which ones agree is drawn, or their names would tell."""
    kinds = {
        slot: PlantKind(spec.plant) for slot, spec in arc.facts.items() if spec.plant != "none"
    }
    quiet = [slot for slot, kind in kinds.items() if not kind.revises]
    drawn = random.sample([kinds[slot] for slot in quiet], len(quiet))
    return kinds | dict(zip(quiet, drawn, strict=True))


def _fact(
    name: str,
    arc: Arc,
    attribute: str,
    value: FactValue,
    old: Sequence[Fact] = (),
    speaker: str | None = None,
) -> Fact:
    """A fact that takes the place of none, one or several."""
    operations = (FactOperation.APPEND, FactOperation.REVISE, FactOperation.MERGE)
    return Fact(
        id=name,
        subject=arc.subject,
        attribute=attribute,
        value=value,
        operation=operations[min(len(old), 2)],
        supersedes=[one.id for one in old],
        holder=FactHolder.SPEAKER if speaker else FactHolder.WORLD,
        speaker=speaker,
    )


def _value(
    spec: ArcFact,
    before: FactValue | None,
    people: list[str],
    golds: AbstractSet[str],
    random: Random,
) -> FactValue:
    """A value, another one than before."""
    if spec.person:
        return FactValue(type=ValueType.ENTITY, text=people.pop(random.randrange(len(people))))
    if spec.number is not None:
        least, most, step = spec.number
        pool, kind = [str(one) for one in range(least, most + 1, step)], ValueType.NUMBER
    else:
        pool, kind = spec.one_of, ValueType.TEXT
    taken = before.text if before is not None else None
    others = [one for one in pool if one != taken]
    drawn = random.sample(others, min(_TRIES, len(others)))
    text = next((one for one in drawn if not any(holds(one, gold) for gold in golds)), drawn[0])
    return FactValue(type=kind, text=text, unit=spec.unit)
