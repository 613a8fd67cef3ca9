"""Whether the laws of a persona file can be kept, whatever values its facts get."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from itertools import product
from typing import Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.laws.solving import Unsolvable, solve
from memassay.synth.world.cells.axes import row_labels
from memassay.synth.world.cells.laws import LawCompiler
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.persona_parts import FactSpec, ValueRange
from memassay.synth.world.persona_pictures import ImageSpec
from memassay.synth.world.values import clock_minutes, clock_value, decimals, number_value

_BEGINNING: Final = re.compile(
    r"\b(?:start|begin\w*|wak\w+|sprout\w*|hatch\w*|germinat\w*|onset|emerg\w*)\b", re.I
)
"""Words of a title that name a beginning."""
_DAY: Final = date(2024, 6, 28)
"""A day on which pictures are tried; which one makes no difference to a law."""
_BEGUN: Final = date(2024, 4, 1)
"""A day on which a stage is tried that rows begin at."""
_SEEDS: Final = 20
"""Times that a picture is drawn after the proof that it can be."""


def law_problems(image: ImageSpec, facts: Mapping[str, FactSpec]) -> Iterator[str]:
    """What is wrong with the laws of a picture: each with the values of facts it fails for.

    Args:
        image: The picture.
        facts: Facts by the slots that its card may use.
    """
    named = sorted(_fact_names(image) & set(facts))
    unknown = sorted(_fact_names(image) - set(facts))
    yield from (f"laws: expected a fact of the card or `card.fact`, got {one!r}" for one in unknown)
    if unknown:
        return
    values: dict[str, FactValue] = {}
    try:
        # Rules compare: what holds at both ends of a fact's range holds between them.
        for ends in product(*(_ends(facts[name].value) for name in named)):
            values = dict(zip(named, ends, strict=True))
            _try(image, values)
    except Unsolvable as error:
        given = ", ".join(f"{name} {value.text}" for name, value in values.items())
        yield f"laws: {error}" + (f" (with {given})" if given else "")


def quantity_problems(card: CardSpec) -> Iterator[str]:
    """Quantities and axes that name no stage, and values of quantities that the card has not."""
    named = [(f"quantities.{n}.since", one.since) for n, one in card.quantities.items()]
    named += [(f"quantities.{n}.by", one.by) for n, one in card.quantities.items()]
    axes = [
        (f"images.{n}.axis.since", one.axis.since) for n, one in card.images.items() if one.axis
    ]
    named += [(place, stage) for place, stage in axes if stage is not None]
    for place, stage in named:
        if stage not in card.stages:
            yield f"{place}: expected a stage of the card, got {stage!r}"
    values = [(f"facts.{name}", fact.value) for name, fact in card.facts.items()]
    values += [(f"images.{name}", one.value) for name, one in card.images.items() if one.value]
    for place, value in values:
        if value.of is not None and value.of not in card.quantities:
            yield f"{place}.value.of: expected a quantity of the card, got {value.of!r}"
    yield from _late_beginnings(card)


def _late_beginnings(card: CardSpec) -> Iterator[str]:
    """Stages that are called a beginning of what a chart shows to have begun days before.

    Questions ask for the day of a stage by its title, and the chart would give another day.
    """
    for name, one in card.quantities.items():
        stage = card.stages.get(one.by)
        if one.at_first == 0 and stage is not None and _BEGINNING.search(stage.what):
            yield (
                f"stages.{one.by}.what: expected no beginning, as {name} grows from 0 since "
                f"{one.since}, got {stage.what!r}"
            )


def _try(image: ImageSpec, values: Mapping[str, FactValue]) -> None:
    """Solve the laws of a picture with many seeds.

    Raises:
        Unsolvable: Once they were not kept.
    """
    since = image.axis.since if image.axis else None
    rows = row_labels(image, _DAY, lambda row: row, {since: _BEGUN} if since else {})
    for seed in range(_SEEDS):
        draws = partial(keyed_random, str(seed))
        solve(LawCompiler(image, rows, _DAY, values.__getitem__).problem(draws), draws)


def _fact_names(image: ImageSpec) -> set[str]:
    """Slots of the facts that the laws of a picture rest on."""
    slots = set()
    for law in image.laws:
        bound = [one for one in law.bound or [] if isinstance(one, str)]
        lines = [image.lines.get(one, one) for one in [*bound, *(law.order or [])]]
        slots |= {one[1:-1] for one in lines if isinstance(one, str) and one[:1] == "{"}
        slots |= {law.ends} if law.ends else set()
        slots |= {law.same[1]} if law.same else set()
    return slots


def _ends(spec: ValueRange) -> list[FactValue]:
    """The least and the greatest value of a range.

    Raises:
        Unsolvable: It is a range of texts.
    """
    if spec.number is not None:
        least, greatest, step = decimals(spec)
        return [
            number_value(spec, one) for one in (least, least + (greatest - least) // step * step)
        ]
    if spec.clock is not None:
        return [clock_value(minute) for minute in clock_minutes(spec)[:2]]
    if spec.days is not None:
        days = [_DAY + timedelta(days=one) for one in spec.days]
        return [FactValue(type=ValueType.DATE, text=day.isoformat()) for day in days]
    return [
        FactValue(type=ValueType.TEXT, text=text)
        for text in [spec.text, *(spec.one_of or [])]
        if text
    ]
