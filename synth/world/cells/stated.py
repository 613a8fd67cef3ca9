"""The laws of a picture as its record states them, so that anybody can check its values."""

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.drawn import DrawnRule, DrawnTurn
from memassay.synth.laws.grids import Rule
from memassay.synth.world.cells.laws import FactOf, LawCompiler
from memassay.synth.world.persona_pictures import ImageSpec, LawSpec

_CONSTANT: Final = "="
_TURNS: Final = ("peak", "dip")


class StatedLaws:
    """What holds between the values of one picture."""

    def __init__(self, image: ImageSpec, rows: list[str], day: date, fact: FactOf) -> None:
        """Take a picture, the labels of its rows, its day, and the facts of its card."""
        self.image, self.day = image, day
        self.compiler = LawCompiler(image, rows, day, fact)
        self.compiler.problem(self._draws)

    def rules(self) -> list[DrawnRule]:
        """Orders, bounds and trends, and a rule both ways for what can only be one value."""
        rules = [rule for law in self.image.laws for rule in self._rules_of(law)]
        orders = [self._rule(rule.smaller, rule.greater, rule.by) for rule in rules]
        return [*orders, *self._equal()]

    def _rules_of(self, law: LawSpec) -> Iterable[Rule]:
        if law.order is not None or law.bound is not None:
            return self.compiler.orders(law)
        if law.trend is None or law.trend in _TURNS:
            return []
        return self.compiler.trend(law, law.trend, self._draws)

    def turns(self) -> list[DrawnTurn]:
        """Cells with a peak or a dip; where it is, their values say."""
        return [
            DrawnTurn(shape=law.trend, cells=self.compiler.trend_cells(law))
            for law in self.image.laws
            if law.trend == "peak" or law.trend == "dip"
        ]

    @staticmethod
    def _draws(*_purpose: str) -> Random:
        """A generator where none is asked for anything that is kept."""
        return Random(0)

    def _equal(self) -> Iterator[DrawnRule]:
        for cell, value in self.compiler.fixed.items():
            yield self._rule(cell, f"{_CONSTANT}{value}", 0)
            yield self._rule(f"{_CONSTANT}{value}", cell, 0)

    def _rule(self, smaller: str, greater: str, by: int) -> DrawnRule:
        """A rule whose numbers are in the units of what is printed."""
        cell = next(one for one in (smaller, greater) if one in self.compiler.cells)
        return DrawnRule(
            smaller=self._place(smaller, cell),
            greater=self._place(greater, cell),
            by=self._number(by, cell, Decimal(0)),
        )

    def _place(self, name: str, cell: str) -> str:
        if not name.startswith(_CONSTANT) or name in self.compiler.cells:
            return name
        start = Decimal(self.day.toordinal())
        return f"{_CONSTANT}{self._number(int(name[1:]), cell, start)}"

    def _number(self, units: int, cell: str, start: Decimal) -> str:
        """Units of a cell as a number; days count from `start`."""
        spec = self.compiler.cells[cell]
        if spec.number is not None:
            return f"{(Decimal(units) / self.compiler.scale).normalize():f}"
        return f"{units + (start if spec.days is not None else 0):f}"
