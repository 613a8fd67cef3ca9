"""Values of pictures, drawn under their laws."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.laws.solving import Draws, solve
from memassay.synth.world.cells.laws import FactOf, LawCompiler
from memassay.synth.world.grammar import slots_of
from memassay.synth.world.persona_parts import ValueRange
from memassay.synth.world.persona_pictures import ImageSpec
from memassay.synth.world.values import clock_value, decimals, draw_value, number_value


def image_values(
    image: ImageSpec,
    rows: list[str],
    day: date,
    say: Callable[[str], str],
    fact: FactOf,
    draws: Draws,
    measured: Mapping[str, Decimal],
) -> Iterator[tuple[str, FactValue]]:
    """Key and value of everything an image shows that is not a fact of its card already.

    Args:
        image: The picture.
        rows: Labels of its rows.
        day: The day on which it is shown.
        say: Makes the choices of a text and fills its slots.
        fact: Values of the facts of its card.
        draws: Gives a generator to each cell.
        measured: What a quantity is on the day of each row.

    Raises:
        Unsolvable: Its laws contradict each other.
    """
    compiler = LawCompiler(image, rows, day, fact, measured)
    solved = solve(compiler.problem(draws), draws)
    for key, spec in compiler.cells.items():
        if key in solved:
            yield key, _value_of(spec, solved[key], compiler.scale, day)
        else:
            yield key, draw_value(spec, draws(key), day, say)
    if image.kind == "receipt" and image.value is not None:
        total = sum((Decimal(solved[row]) / compiler.scale for row in rows), Decimal(0))
        yield "Total", number_value(image.value, total)
    for key, line in image.lines.items():
        if not isinstance(line, ValueRange) and not slots_of(line):
            yield key, FactValue(type=ValueType.TEXT, text=say(line))


def _value_of(spec: ValueRange, units: int, scale: int, day: date) -> FactValue:
    """What a solved cell says."""
    if spec.number is not None:
        least, _, step = decimals(spec)
        return number_value(spec, least + step * int((Decimal(units) / scale - least) / step))
    if spec.clock is not None:
        return clock_value(units)
    return FactValue(type=ValueType.DATE, text=(day + timedelta(days=units)).isoformat())
