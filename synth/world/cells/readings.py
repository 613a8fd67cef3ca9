"""What the assistant reads off the pictures of a card, rightly or wrongly, before it is worded."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from random import Random
from typing import Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.values.text import content_tokens
from memassay.synth.world.cells.claims import CLEAR, states_pictures
from memassay.synth.world.cells.laws import cells_of
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.persona_parts import ValueRange
from memassay.synth.world.persona_pictures import ImageSpec
from memassay.synth.world.values import decimals

READ: Final = "read:"
"""Begins the slot of a value that the assistant reads; round, form and place follow."""
MISREAD: Final = "misread:"
"""Begins the slot of what it takes the value for, if that is wrong; the round follows."""
WRONG_SHARE: Final = 0.03
"""Share of readings that are wrong, and put right later (our choice)."""
_WHOLE: Final = ("value", "highest", "second", "lowest", "last")
"""Forms that name the value; only a value can be misread."""
_COUNTED: Final = ("bar_chart", "scene")
"""Kinds in which a row can have none."""
_UNREAD: Final = ("photo_pair", "cluttered_scene", "double_chart")
"""Kinds of which nothing is read off in passing: they are counted in, or compared."""
_RANKED: Final = ("bar_chart", "line_chart", "receipt", "plan")


@dataclass(frozen=True)
class Reading:
    """A value that the assistant names in a round.

    Attributes:
        position: 0-based position of the round in its card.
        form: `value`, or what else is said of it: `highest`, `second`, `lowest`, `last`; `up` or
            `down` since the row before; `missing` where there is none.
        image: Name of the image in the card.
        key: What is read: `row`, `row/column` or a line's.
    """

    position: int
    form: str
    image: str
    key: str

    @property
    def slot(self) -> str:
        """Slot of the reading among the facts of its event."""
        return f"{READ}{self.position}:{self.form}:{self.cell}"

    @property
    def cell(self) -> str:
        """Slot of the value that is read."""
        return f"image:{self.image}:{self.key}"


def reading_in(slots: Mapping[str, object], position: int) -> Reading | None:
    """The reading of a round of an event, from the slots of its facts; None if there is none."""
    for slot in slots:
        if slot.startswith(f"{READ}{position}:"):
            _, _, form, _, image, key = slot.split(":", 5)
            return Reading(position, form, image, key)
    return None


def readings_of(
    card: CardSpec,
    rows_of: Callable[[ImageSpec], list[str]],
    values: Mapping[str, FactValue],
    share: float,
    randoms: Randoms,
) -> Iterator[tuple[Reading, FactValue | None]]:
    """What the assistant reads in the rounds of a card, and what it takes it for if wrong.

    Args:
        card: The card or part of one.
        rows_of: Labels of the rows of an image.
        values: Values by slot, those of the images among them.
        share: Share of the rounds with a picture in which it reads.
        randoms: Gives the generator of each round.
    """
    for position, round_ in enumerate(card.rounds):
        random = randoms("reading", card.key, str(position))
        images = {name: card.images[name] for name in round_.shows}
        said = states_pictures(f"{round_.user} {round_.assistant}", card.images)
        if not images or random.random() >= share or said:
            continue
        rows = {name: rows_of(image) for name, image in images.items()}
        reading = _draw_reading(images, rows, values, position, random)
        if reading is None:
            continue
        # Who has the last word cannot be put right.
        fails = random.random() < WRONG_SHARE and position < len(card.rounds) - 1
        fails = fails and reading.form in _WHOLE
        keys = _column_keys(images[reading.image], rows[reading.image], reading.key)
        yield reading, _misreading(reading, keys, values, random) if fails else None


def _draw_reading(
    images: Mapping[str, ImageSpec],
    rows: Mapping[str, list[str]],
    values: Mapping[str, FactValue],
    position: int,
    random: Random,
) -> Reading | None:
    """Something to read off the images of a round; None where they hold nothing to read.

    Args:
        images: Images that the round shows, by name.
        rows: Labels of their rows.
        values: Values by slot, those of the images among them.
        position: 0-based position of the round.
        random: Draws it.
    """
    options = [
        Reading(position, form, name, key)
        for name, image in images.items()
        for form, key in _forms(image, rows[name], f"image:{name}:", values)
    ]
    # A form as likely as another: charts have many values and one top.
    form = random.choice(sorted({one.form for one in options})) if options else ""
    return random.choice([one for one in options if one.form == form]) if options else None


def _forms(
    image: ImageSpec, rows: list[str], prefix: str, values: Mapping[str, FactValue]
) -> Iterator[tuple[str, str]]:
    """What can be said of an image, and of which of its values."""
    if image.kind in _UNREAD:
        return
    known = (key for key in cells_of(image, rows) if prefix + key in values)
    # A mark such as `A` is no word that could be looked for in a text.
    cells = [key for key in known if content_tokens(values[prefix + key].text)]
    yield from (("value", key) for key in cells)
    if image.kind in _COUNTED:
        yield from (("missing", key) for key in cells if values[prefix + key].text == "0")
    if image.kind not in _RANKED or image.value is None or image.value.number is None:
        return
    if len(cells) == 1:
        return
    order = sorted(cells, key=lambda key: Decimal(values[prefix + key].text))
    least, greatest, _ = decimals(image.value)
    for form, (top, next_to) in (("highest", order[:-3:-1]), ("lowest", order[:2])):
        apart = Decimal(values[prefix + top].text) - Decimal(values[prefix + next_to].text)
        named = image.kind.endswith("chart") or form == "highest"
        if named and abs(apart) >= CLEAR * (greatest - least):
            yield form, top
    numbers = {key: Decimal(values[prefix + key].text) for key in cells}
    clear = CLEAR * (greatest - least)
    if image.kind == "line_chart":
        yield "last", rows[-1]
        change = numbers[rows[-1]] - numbers[rows[-2]]
        if abs(change) >= clear:
            yield "up" if change > 0 else "down", rows[-1]
    elif len(order) > 2 and all(
        numbers[upper] - numbers[lower] >= clear for lower, upper in pairwise(order[-3:])
    ):
        yield "second", order[-2]


def _misreading(
    reading: Reading, keys: Sequence[str], values: Mapping[str, FactValue], random: Random
) -> FactValue | None:
    """A believable wrong value: the neighbour's, or two digits changed over; None if none differs.

    Args:
        reading: What is read; what is said to be highest is highest all the same.
        keys: Keys of the values of one column or chart, in order.
        values: Values by slot.
        random: Draws it.
    """
    right = values[reading.cell]
    at = keys.index(reading.key)
    beside = [keys[near] for near in (at - 1, at + 1) if 0 <= near < len(keys)]
    wrong = [values[f"image:{reading.image}:{key}"] for key in beside]
    digits = right.text
    if right.type is ValueType.NUMBER and len(digits) > 1 and digits[-2:].isdigit():
        swapped = digits[:-2] + digits[-1] + digits[-2]
        wrong += [right.model_copy(update={"text": swapped})] if swapped[0] != "0" else []
    different = [one for one in wrong if one != right]
    return random.choice(different) if different else None


def _column_keys(image: ImageSpec, rows: list[str], key: str) -> list[str]:
    """Keys of the values that stand in one column with a value, in order."""
    cells = cells_of(image, rows)
    if image.columns:
        column = key.rpartition("/")[2]
        return [one for one in cells if one.rpartition("/")[2] == column]
    alike: ValueRange = cells[key]
    return [one for one, spec in cells.items() if spec == alike]
