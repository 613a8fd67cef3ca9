"""Pictures of packs: what they show as a figure, and what of it is a fact."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.packs.files.pack_file import SLOT
from memassay.synth.packs.files.pack_parts import PackImage
from memassay.synth.packs.plans.values import number_of
from memassay.synth.pictures.canvas.figures import Figure

_RANGE: Final = re.compile(r"(?P<low>\d+(?:\.\d+)?)-(?P<high>\d+(?:\.\d+)?)(?: ?(?P<unit>\D.*))?")
_NUMBER: Final = re.compile(r"^[\d.]+ ?")
_ONE: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Cell:
    """What a picture prints at a row or line.

    Attributes:
        key: Label of the row or line.
        text: What is printed.
        fact: Name of the fact of the pack that it is; empty for a value of the picture's own.
        value: Its own value.
    """

    key: str
    text: str
    fact: str = ""
    value: FactValue | None = None


def cells_of(
    image: PackImage, say: Callable[[str], str], pieces: Sequence[str], random: Random
) -> list[Cell]:
    """What a picture prints, its own values drawn.

    Args:
        image: The picture.
        say: What a slot says.
        pieces: Items of a list that it shows.
        random: Draws values.
    """
    if image.pieces is not None:
        return [Cell(str(at), item) for at, item in enumerate(pieces, start=1)]
    return [_cell(key, text, say, random) for key, text in {**image.rows, **image.lines}.items()]


def _cell(key: str, text: str, say: Callable[[str], str], random: Random) -> Cell:
    if (whole := _ONE.fullmatch(text)) is not None:
        return Cell(key, say(whole[1]), fact=whole[1])
    if (drawn := _RANGE.fullmatch(text)) is not None:
        value = _draw_number(drawn["low"], drawn["high"], drawn["unit"], random)
        return Cell(key, spoken_value(value), value=value)
    chosen = random.choice(text.split("|")) if "{" not in text else text
    printed = SLOT.sub(lambda found: say(found[1]), chosen)
    return Cell(key, printed, value=FactValue(type=ValueType.TEXT, text=printed))


def _draw_number(low: str, high: str, unit: str | None, random: Random) -> FactValue:
    places = max(len(each.partition(".")[2]) for each in (low, high))
    least, most = (int(Decimal(each).scaleb(places)) for each in (low, high))
    number = Decimal(random.randint(least, most)).scaleb(-places)
    return number_of(number, unit)


def figure_of(image: PackImage, cells: Sequence[Cell], say: Callable[[str], str]) -> Figure:
    """A picture as data.

    Args:
        image: The picture.
        cells: What it prints.
        say: What a slot says.
    """
    in_rows = [cell for cell in cells if cell.key in image.rows]
    in_lines = [cell for cell in cells if cell.key not in image.rows]
    units = {_NUMBER.sub("", cell.text) for cell in in_rows}
    return Figure(
        kind=image.kind,
        title=SLOT.sub(lambda found: say(found[1]), image.title),
        measure=image.measure,
        unit=(units.pop() or None) if len(units) == 1 and image.measure else None,
        rows=tuple(cell.key for cell in in_rows),
        cells=tuple((cell.text,) for cell in in_rows),
        lines=tuple((cell.key, cell.text) for cell in in_lines),
    )
