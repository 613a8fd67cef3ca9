"""What texts say of pictures: slots that are computed of their values, and guards that they decide.

``{heat.highest}`` is a value, ``{heat.most}`` the row that has it; ``[if a.last > b.last: one|else:
other]`` says what holds. Whatever is said so is a fact of the picture that is seen in the text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import count
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.synth.world.grammar import GUARD, SLOT, settle
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.persona_pictures import ImageSpec
from memassay.synth.world.values import decimals, minutes, number_value, spoken_value

EXTREMES: Final = {"highest": max, "lowest": min, "most": max, "least": min}
"""Forms of a slot that name an extreme: two its value, two its row."""
ROWS: Final = ("most", "least")
"""Forms that say what a row is called."""
_ENDS: Final = {"first": 0, "last": -1}
FORMS: Final = (*EXTREMES, *_ENDS, "change", "trend", "total")
"""What a slot can say of a picture."""
TRENDS: Final = ("rises", "falls", "holds")
"""What `trend` says."""
CLEAR: Final = Decimal("0.02")
"""By how much of its range an extreme must lead to be named (our choice)."""
_HOLDS: Final = Decimal("0.1")
"""Share of its range under which a change is none (our choice)."""
_SLOT: Final = re.compile(
    r"(?P<image>[a-z0-9_-]+)\.(?P<form>[a-z]+)(?:-(?P<image2>[a-z0-9_-]+)\.(?P<form2>[a-z]+))?"
)
_CLAIM: Final = "claim."
"""Begins the slot that encloses what a guard lets say; a number follows."""


@dataclass(frozen=True)
class PictureSlot:
    """A slot that says something of a picture, or of two: the distance between their values.

    Attributes:
        name: The slot.
        of: Image and form, once or twice.
    """

    name: str
    of: tuple[tuple[str, str], ...]


def picture_slot(name: str, images: Mapping[str, ImageSpec]) -> PictureSlot | None:
    """What a slot of a card with these images says of them; None for other slots."""
    found = _SLOT.fullmatch(name)
    if found is None:
        return None
    pairs = [(found["image"], found["form"]), (found["image2"], found["form2"])]
    of = tuple((image, form) for image, form in pairs if image is not None)
    known = all(image in images and form in FORMS for image, form in of)
    return PictureSlot(name, of) if known else None


def picture_slots(card: CardSpec) -> Iterator[PictureSlot]:
    """Slots in the rounds of a card that say something of its pictures, each once."""
    texts = [text for one in card.rounds for text in (one.user, one.assistant)]
    for name in dict.fromkeys(name for text in texts for name in SLOT.findall(text)):
        if slot := picture_slot(name, card.images):
            yield slot


def states_pictures(text: str, images: Mapping[str, ImageSpec]) -> bool:
    """Whether a text has a slot or a guard about pictures."""
    return any(picture_slot(one, images) for one in SLOT.findall(text)) or any(
        GUARD.match(part) for part in re.split(r"[\[|]", text)
    )


@dataclass(frozen=True)
class Statement:
    """What a slot or a term says, and the facts that it rests on.

    Attributes:
        text: In words; empty where nothing is so clear that it could be said.
        facts: The facts.
        number: As a number; None for words.
        whole: Whether the text is the value of its one fact.
    """

    text: str
    facts: tuple[Fact, ...]
    number: Decimal | None = None
    whole: bool = False


_UNCLEAR: Final = Statement("", ())


class Claims:
    """What the rounds of one event say of its pictures.

    Attributes:
        card: The card, its guards decided.
        values: What each slot says.
        facts: By slot, the fact that is said in full.
        parts: By slot, the facts that are said in part.
    """

    def __init__(self, card: CardSpec, facts: Mapping[str, Fact]) -> None:
        """Decide the guards of a card and fill its slots.

        Args:
            card: The card or part of one.
            facts: The facts of its event by slot.

        Raises:
            UsageError: A text names what its pictures do not say for certain.
        """
        self._images, self._by_slot = card.images, facts
        self.values: dict[str, str] = {}
        self.facts: dict[str, Fact] = {}
        self.parts: dict[str, tuple[Fact, ...]] = {}
        self._numbers = count()
        rounds = [
            one.model_copy(
                update={
                    "user": settle(one.user, self._decide),
                    "assistant": settle(one.assistant, self._decide),
                }
            )
            for one in card.rounds
        ]
        same = all(one == other for one, other in zip(rounds, card.rounds, strict=True))
        self.card = card if same else card.model_copy(update={"rounds": rounds})
        for slot in picture_slots(self.card):
            self._fill(slot)

    def _fill(self, slot: PictureSlot) -> None:
        said = self._value(slot.of[0]) if len(slot.of) == 1 else self._distance(slot)
        if not said.text:
            raise UsageError(f"text: expected a clear {slot.name}; guard it, or run the checker")
        self.values[slot.name] = said.text
        if said.whole:
            self.facts[slot.name] = said.facts[0]
        else:
            self.parts[slot.name] = said.facts

    def _decide(self, options: list[str]) -> str:
        """The first alternative whose condition holds, between the marks of its claim."""
        facts: tuple[Fact, ...] = ()
        for option in options:
            guard = GUARD.match(option)
            if guard is None:
                raise UsageError(f"text: expected a condition or `else:`, got {option!r}")
            holds, rests = self._holds(guard) if guard["left"] else (True, ())
            facts += rests
            if holds:
                said = option[guard.end() :]
                name = f"{_CLAIM}{next(self._numbers)}"
                self.values[name], self.parts[name] = "", _each_once(facts)
                return f"{{{name}}}{said}{{{name}}}" if said.strip() else ""
        raise UsageError(f"text: expected `else:` at the end of {options!r}")

    def _holds(self, guard: re.Match[str]) -> tuple[bool, tuple[Fact, ...]]:
        left = self._term(guard["left"])
        if guard["compares"] is None:
            return bool(left.text), left.facts
        right = self._term(guard["right"])
        if left.number is None or right.number is None:
            # Two extremes that are not clear are not the same.
            return left.text == right.text != "", left.facts + right.facts
        signs = {
            "=": left.number == right.number,
            ">": left.number > right.number,
            "<": left.number < right.number,
            ">=": left.number >= right.number,
            "<=": left.number <= right.number,
        }
        return signs[guard["compares"]], left.facts + right.facts

    def _term(self, term: str) -> Statement:
        """What a term of a condition is: a number, a word, a fact, a form or a cell of an image."""
        image, _, rest = term.partition(".")
        if image in self._images:
            if rest in FORMS:
                return self._value((image, rest))
            return _of_fact(self._by_slot[f"image:{image}:{rest}"])
        if term in self._by_slot:
            return _of_fact(self._by_slot[term])
        return Statement(term, (), _number(term))

    def _distance(self, slot: PictureSlot) -> Statement:
        left, right = (self._value(one) for one in slot.of)
        return self._between(self._images[slot.of[0][0]], left, right)

    def _between(self, image: ImageSpec, one: Statement, other: Statement) -> Statement:
        """How far apart two values are, with their unit."""
        if one.number is None or other.number is None:
            return _UNCLEAR
        apart = abs(one.number - other.number)
        assert image.value is not None
        return Statement(
            spoken_value(number_value(image.value, apart)), one.facts + other.facts, apart
        )

    def _value(self, of: tuple[str, str]) -> Statement:
        name, form = of
        image, cells = self._images[name], self._cells(name)
        assert image.value is not None
        if form in _ENDS:
            return _of_fact(cells[_ENDS[form]])
        if form == "total":
            return self._total(name, image, cells)
        if form in EXTREMES:
            return _extreme(image, cells, form)
        first, last = _of_fact(cells[0]), _of_fact(cells[-1])
        if form == "change":
            return self._between(image, first, last)
        assert first.number is not None
        assert last.number is not None
        least, greatest, _ = decimals(image.value)
        change = last.number - first.number
        held = abs(change) < _HOLDS * (greatest - least)
        word = TRENDS[2] if held else TRENDS[0] if change > 0 else TRENDS[1]
        return Statement(word, (cells[0], cells[-1]))

    def _total(self, name: str, image: ImageSpec, cells: list[Fact]) -> Statement:
        printed = self._by_slot.get(f"image:{name}:Total")
        if printed is not None:
            return _of_fact(printed)
        assert image.value is not None
        total = sum((Decimal(cell.value.text) for cell in cells), Decimal(0))
        return Statement(spoken_value(number_value(image.value, total)), tuple(cells), total)

    def _cells(self, name: str) -> list[Fact]:
        """Values of an image from row to row, as the world made them."""
        prefix = f"image:{name}:"
        beside = {f"{prefix}title", f"{prefix}Total"}
        found = [
            fact
            for slot, fact in self._by_slot.items()
            if slot.startswith(prefix) and slot not in beside
        ]
        return sorted(found, key=lambda fact: natural_key(fact.id))


def _extreme(image: ImageSpec, cells: list[Fact], form: str) -> Statement:
    """The greatest or least value or its row; nothing where it hardly leads."""
    best = EXTREMES[form](cells, key=lambda fact: Decimal(fact.value.text))
    others = [Decimal(fact.value.text) for fact in cells if fact is not best]
    number = Decimal(best.value.text)
    assert image.value is not None
    least, greatest, _ = decimals(image.value)
    if any(abs(number - other) < CLEAR * (greatest - least) for other in others):
        return Statement("", tuple(cells))
    if form in ROWS:
        return Statement(best.attribute, (best,))
    return _of_fact(best)


def _each_once(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    return tuple({fact.id: fact for fact in facts}.values())


def _of_fact(fact: Fact) -> Statement:
    value = fact.value
    number = Decimal(value.text) if value.type is ValueType.NUMBER else _number(value.text)
    return Statement(spoken_value(value), (fact,), number, whole=True)


def _number(text: str) -> Decimal | None:
    """A number or the minute of a time of day; None for other words."""
    try:
        return Decimal(minutes(text)) if ":" in text else Decimal(text)
    except (InvalidOperation, ValueError):
        return None
