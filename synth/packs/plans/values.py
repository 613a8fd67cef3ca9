"""Values of the facts of a dialogue: drawn, computed by laws, changed."""

from collections.abc import Collection
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.packs.files.laws import evaluate_law, names_of_law
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import PackFact
from memassay.synth.world.persona_parts import ValueRange
from memassay.synth.world.values import clock_value, decimals

_MONEY: Final = "EUR"
_CENT: Final = Decimal("0.01")
_STEP: Final = 5
"""Minutes between two times of day that can be drawn."""
_TRIES: Final = 40


class NoValueError(UsageError):
    """A fact can have no value that it did not have before."""


class Values:
    """The values of one dialogue as it goes on.

    Attributes:
        now: By fact and subject, the value that holds.
    """

    def __init__(self, pack: Pack, random: Random) -> None:
        """Begin without values."""
        self.pack, self.random = pack, random
        self.now: dict[tuple[str, str], FactValue] = {}
        self._past: dict[tuple[str, str], list[str]] = {}

    def of(self, name: str, subject: str, bound: Collection[str] = ()) -> FactValue:
        """The value of a fact, drawn when it is first asked for.

        Args:
            name: The fact.
            subject: Thing of a role; empty for the user's.
            bound: Names of the things that were bound so far, for facts that pick one.

        Raises:
            UsageError: Its law is no arithmetic, or there is nothing to pick.
        """
        key = (name, subject)
        if key not in self.now:
            self.now[key] = self._draw(
                self.pack.facts[name], subject, self._values_elsewhere(name), bound
            )
        return self.now[key]

    def change(self, name: str, bound: Collection[str] = ()) -> FactValue:
        """A new value of a fact that it did not have before.

        Raises:
            NoValueError: There is none.
        """
        spec, change, key = self.pack.facts[name], self.pack.changes[name], (name, "")
        past = self._past.setdefault(key, [])
        past.append(self.now[key].text)
        for _ in range(_TRIES):
            value = self._draw(spec, "", past, bound)
            if change.drift is not None and value.type is ValueType.NUMBER:
                value = self._drift(spec, change.drift, Decimal(past[-1]))
            if value.text not in past:
                self.now[key] = value
                return value
        raise NoValueError(f"facts.{name}: expected a value that it did not have, got none")

    def _values_elsewhere(self, name: str) -> list[str]:
        """Values that others have of the same fact."""
        return [value.text for (fact, _), value in self.now.items() if fact == name]

    def _draw(
        self, spec: PackFact, subject: str, apart: Collection[str], bound: Collection[str]
    ) -> FactValue:
        pool: list[FactValue]
        if spec.law is not None:
            return self._compute(spec, subject)
        if spec.number is not None:
            least, greatest, step = decimals(_range(spec))
            count = int((greatest - least) / step)
            pool = [number_of(least + step * at, spec.unit) for at in range(count + 1)]
        elif spec.clock is not None:
            first, last = (hour * 60 for hour in spec.clock)
            pool = [clock_value(minute) for minute in range(first, last, _STEP)]
        else:
            texts = sorted(bound) if spec.pick is not None else list(spec.draw or ())
            kind = ValueType.ENTITY if spec.pick is not None else ValueType.TEXT
            pool = [FactValue(type=kind, text=text) for text in texts]
        fit = [value for value in pool if value.text not in apart] or pool
        if not fit:
            raise NoValueError(f"{spec.say}: expected something to choose from, got none")
        return self.random.choice(fit)

    def _compute(self, spec: PackFact, subject: str) -> FactValue:
        law = spec.law or ""
        known: dict[str, Decimal] = {}
        for name in names_of_law(law):
            if name not in self.pack.facts:
                raise UsageError(f"law: expected facts of the pack, got {name!r} in {law!r}")
            own = subject if self.pack.facts[name].of else ""
            known[name] = Decimal(self.of(name, own).text)
        return number_of(evaluate_law(law, known).normalize(), spec.unit)

    def _drift(self, spec: PackFact, drift: tuple[float, float], old: Decimal) -> FactValue:
        least, greatest, step = decimals(_range(spec))
        low, high = (Decimal(f"{each:.12g}") for each in drift)
        count = int((greatest - least) / step)
        near = [
            number
            for number in (least + step * at for at in range(count + 1))
            if low <= number - old <= high and number != old
        ]
        if not near:
            raise NoValueError(f"{spec.say}: expected values within {drift} of {old}, got none")
        return number_of(self.random.choice(near), spec.unit)


def _range(spec: PackFact) -> ValueRange:
    return ValueRange(number=spec.number, unit=spec.unit)


def number_of(number: Decimal, unit: str | None) -> FactValue:
    """A number with its unit as people say it; sums of money have no decimals or two."""
    if not number % 1:
        number = number.quantize(Decimal(1))
    elif unit == _MONEY:
        number = number.quantize(_CENT)
    return FactValue(type=ValueType.NUMBER, text=f"{number:f}", unit=unit)
