"""Operators that give scalars: `get`, `count`, `fold`, `diff`."""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from itertools import combinations
from typing import Any

from support.brute.common import (
    AMBIGUOUS,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    distance,
    every,
    measure,
    number,
    plain,
    spans,
)
from support.brute.finding import Finding
from support.brute.selecting import Found
from support.brute.validity import Validity


@dataclass(frozen=True)
class Values:
    """Scalars (`type`, `text`, `unit`) or truth, and what they rest on."""

    scalars: list[Document]
    why: frozenset[str]
    in_order: bool = False


def scalar(kind: str, text: object, unit: str | None = None) -> Document:
    """A value as it flows through a query."""
    return {"type": kind, "text": str(text), "unit": unit}


def sort_of(value: Document) -> str:
    """Whether a value is compared as a number, a date, truth or a text."""
    kind = str(value["type"])
    return kind if kind in {"number", "date", "boolean"} else "text"


def key(value: Document) -> tuple[Any, ...]:
    """What makes two values the same."""
    if value["type"] == "number" and number(value["text"]) is not None:
        return ("number", number(value["text"]), value["unit"])
    return (plain(value["text"]), value["unit"])


def natural(text: str) -> list[Any]:
    """Numbers inside a text by value."""
    parts = re.split(r"([0-9]+)", text)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]


class Reading:
    """The evaluation of expressions that give scalars."""

    def __init__(self, world: Validity) -> None:
        """Keep the world and the evaluator of facts."""
        self.world = world
        self.finding = Finding(world, self.one)

    def one(self, query: Document) -> tuple[Document, frozenset[str]]:
        """The only scalar that an expression gives, and what it rests on."""
        given = self.scalars(query)
        if not given.scalars:
            raise WrongQuery(NONE)
        if not all_same(key(each) for each in given.scalars):
            raise WrongQuery(AMBIGUOUS)
        return given.scalars[0], given.why

    def scalars(self, query: Document) -> Values:
        """The scalars that an expression gives."""
        given: Values = getattr(self, f"_{query['op']}")(query)
        return given

    def _get(self, query: Document) -> Values:
        found = self.finding.find(query["of"])
        if not found.facts:
            raise self.finding.nothing(query["of"])
        return self.read(found, query["field"])

    def read(self, found: Found, field: str) -> Values:
        """One field of every fact."""
        if field == "value":
            self._refuse_what_is_no_list(found)
        each_fact = [self.field(fact, field) for fact in found.facts]
        if [] in each_fact:
            raise WrongQuery(NONE)
        scalars = [value for values in each_fact for value in values]
        if found.in_order:
            return Values(scalars, found.why, in_order=True)
        in_order = sorted(scalars, key=lambda value: natural(value["text"]))
        once: dict[Any, Document] = {}
        for value in in_order:
            once.setdefault(key(value), value)
        return Values(list(once.values()), found.why)

    def _refuse_what_is_no_list(self, found: Found) -> None:
        """Neither values of which one no longer holds, nor two values of one thing."""
        if not found.in_order:
            every(
                lambda: self.refuse_ended(found),
                lambda: self.refuse_contradictions(found),
            )

    def refuse_ended(self, found: Found) -> None:
        """Several facts of which one no longer holds, without an `as_of` that let it pass."""
        unsettled = [fact for fact in found.facts if fact["id"] not in found.settled]
        over = [self.world.over(fact, self.world.now) for fact in unsettled]
        if len(found.facts) > 1 and any(over):
            raise WrongQuery(AMBIGUOUS)

    def refuse_contradictions(self, found: Found) -> None:
        """Two values of one subject's attribute; one with a position is a member of a list."""
        for one, other in combinations(found.facts, 2):
            about = all(plain(one[name]) == plain(other[name]) for name in ("subject", "attribute"))
            single = one["order"] is None and other["order"] is None
            if about and single and key(one["value"]) != key(other["value"]):
                raise WrongQuery(AMBIGUOUS)

    def some(self, fact: Document, field: str) -> list[Document]:
        """What a fact has in a field; nothing is an error."""
        own = self.field(fact, field)
        if not own:
            raise WrongQuery(NONE)
        return own

    def field(self, fact: Document, field: str) -> list[Document]:
        """What a fact has in a field; attachments may be several."""
        told = self.world.mentioned(fact, self.world.now)
        if field == "value":
            return [scalar(fact["value"]["type"], fact["value"]["text"], fact["value"]["unit"])]
        if field in {"subject", "attribute"}:
            return [scalar("text", fact[field])]
        if field == "date":
            when = self.world.date(fact)
            return [scalar("date", when)] if when else []
        if field in {"day", "month"}:
            when, size = self.world.date(fact), 10 if field == "day" else 7
            if when and len(when) < size:
                raise WrongQuery(AMBIGUOUS)
            return [scalar("date", when[:size])] if when else []
        if field == "session":
            session = self.world.first_session(fact)
            return [scalar("session", session)] if session else []
        if field == "speaker":
            first = [fact["speaker"], *(each["speaker"] for each in told[:1])]
            return [scalar("text", each) for each in first if each][:1]
        full = self.world.mentioned(fact, self.world.now, "full")
        shown = dict.fromkeys(each["attachment"] for each in full if each["attachment"])
        if field == "ordinal":
            images = [each for each in self.world.images() if each in shown]
            return [scalar("number", self.world.images().index(each) + 1) for each in images]
        return [scalar("text", each) for each in shown]

    def _count(self, query: Document) -> Values:
        found = self.finding.find(query["of"])
        if not found.facts and not self._can_be_read(found.why):
            raise self.finding.nothing(query["of"])
        distinct = query.get("distinct")
        if distinct is None:
            self.refuse_ended(found)
            size = len(found.facts)
        else:
            each_fact = every(
                *(lambda fact=fact: self.some(fact, distinct) for fact in found.facts)
            )
            size = len({key(value) for values in each_fact for value in values})
        return Values([scalar("number", size)], found.why)

    def _can_be_read(self, why: frozenset[str]) -> bool:
        """Whether something that a value rests on has a place in the conversation."""
        facts = [each for each in self.world.facts if each["id"] in why]
        return any(each["holder"] != "external" and each["scope"] == "history" for each in facts)

    def _fold(self, query: Document) -> Values:
        if query["of"]["op"] == "gaps":
            gaps = self.scalars(query["of"])
            numbers = [Decimal(each["text"]) for each in gaps.scalars]
            unit = gaps.scalars[0]["unit"]
            return Values([scalar("number", folded(numbers, query["with"]), unit)], gaps.why)
        found = self.finding.find(query["of"])
        if not found.facts:
            raise self.finding.nothing(query["of"])
        if query["with"] in {"sum", "mean"}:
            every(
                lambda: self.refuse_ended(found),
                lambda: self.refuse_contradictions(found),
                lambda: numbers_of(found.facts),
            )
        result = folded(numbers_of(found.facts), query["with"])
        return Values([scalar("number", result, found.facts[0]["value"]["unit"])], found.why)

    def _diff(self, query: Document) -> Values:
        a, b, why = self.two(query)
        return Values([apart(a, b, query)], why)

    def two(self, query: Document) -> tuple[Document, Document, frozenset[str]]:
        """Both sides of a comparison, of one type and unit; a text is read like the other side."""
        asked = [query[name] for name in "ab" if isinstance(query[name], dict)]
        given = every(*(lambda part=part: self.one(part) for part in asked))
        why: frozenset[str] = frozenset().union(*(each for _, each in given))
        sides = [value for value, _ in given]
        for at, name in enumerate("ab"):
            if isinstance(query[name], str):
                sides.insert(at, self.read_like(query[name], sides[0]))
        a, b = sides
        if "rule" in {a["type"], b["type"]}:
            raise WrongQuery(TYPE)
        if sort_of(a) != sort_of(b) or a["unit"] != b["unit"]:
            raise WrongQuery(TYPE)
        return a, b, why

    def read_like(self, text: str, other: Document) -> Document:
        """A text as a value of the same type and unit as another."""
        value = scalar(other["type"], text, other["unit"])
        if value["type"] == "number":
            return scalar("number", *measure(text, other["unit"]))
        if value["type"] == "rule":
            raise WrongQuery(TYPE)
        if value["type"] == "date":
            spans(text)
        if value["type"] == "boolean" and plain(text) not in {"true", "false"}:
            raise WrongQuery(TYPE)
        return value


def numbers_of(facts: list[Document]) -> list[Decimal]:
    """The numbers of facts, of one unit."""
    values = [fact["value"] for fact in facts]
    numbers = [number(each["text"]) for each in values if each["type"] == "number"]
    if len(numbers) < len(values):
        raise WrongQuery(TYPE)
    if not all_same(each["unit"] for each in values):
        raise WrongQuery(TYPE)
    return [each for each in numbers if each is not None]


def apart(a: Document, b: Document, query: Document) -> Document:
    """One value minus another: numbers in their unit, dates in the unit asked for."""
    unit = query.get("unit")
    if a["type"] == "number":
        if unit is not None and unit != a["unit"]:
            raise WrongQuery(TYPE)
        return scalar("number", Decimal(a["text"]) - Decimal(b["text"]), a["unit"])
    if a["type"] != "date" or unit not in {"year", "month", "week", "day", "hour", "minute"}:
        raise WrongQuery(TYPE)
    whole = distance(a["text"], b["text"], unit, query.get("rounding", "exact"))
    return scalar("number", whole, unit)


def folded(numbers: list[Decimal], how: str) -> Decimal:
    """The sum, mean, smallest or largest; a mean may have two decimals more than the numbers."""
    if how in {"min", "max"}:
        return min(numbers) if how == "min" else max(numbers)
    total = sum(numbers, Decimal(0))
    if how == "sum":
        return total
    finest = min(int(each.as_tuple().exponent) for each in numbers)
    exact = Context(prec=60).divide(total, Decimal(len(numbers)))
    for places in (0, 1, 2):
        rounded = exact.quantize(Decimal(1).scaleb(min(finest, 0) - places), ROUND_HALF_EVEN)
        if rounded == exact:
            break
    return rounded
