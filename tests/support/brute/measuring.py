"""Operators that measure facts: `group`, `gaps`, `shift`."""

import re
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from support.brute.common import (
    AMBIGUOUS,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    all_same,
    before,
    both,
    every,
    later_by_months,
    number,
    spans,
)
from support.brute.scalars import Reading, Values, apart, key, numbers_of, scalar

_UNITS = {"year": 4, "month": 7, "week": 10, "day": 10, "hour": 16, "minute": 16}


class Measuring(Reading):
    """The evaluation of `group`, `gaps` and `shift`."""

    def _group(self, query: Document) -> Values:
        found = self.finding.find(query["of"])
        if not found.facts:
            raise self.finding.nothing(query["of"])
        checks: list[Any] = []
        if query["with"] in {"count", "sum", "mean"}:
            checks.append(lambda: self.refuse_ended(found))
        if query["with"] in {"sum", "mean"}:
            checks.append(lambda: self.refuse_contradictions(found))
        if query["with"] != "count":
            checks.append(lambda: numbers_of(found.facts))
        every(*checks, lambda: self._measures(found.facts, query))
        keys, groups = self._groups(found.facts, query["by"])
        measures = self._measures(found.facts, query)
        place = {"max": 1, "min": len(groups)}.get(query["which"]) or query["n"]
        if place > len(groups):
            raise WrongQuery(NONE)
        for name, measure in measures.items():
            others = [other for one, other in measures.items() if one != name]
            if measure not in others and sum(other > measure for other in others) == place - 1:
                return Values([keys[name]], found.why)
        raise WrongQuery(AMBIGUOUS)

    def _groups(
        self, facts: list[Document], by: str
    ) -> tuple[dict[Any, Document], dict[Any, list[Document]]]:
        """The key of each group as it is written, and its facts."""
        keys: dict[Any, Document] = {}
        groups: dict[Any, list[Document]] = {}
        every_fact = every(*(lambda fact=fact: self.some(fact, by) for fact in facts))
        for fact, own in zip(facts, every_fact, strict=True):
            for value in own:
                keys.setdefault(key(value), value)
                groups.setdefault(key(value), []).append(fact)
        return keys, groups

    def _measures(self, facts: list[Document], query: Document) -> dict[Any, Any]:
        """The number of each group."""
        how = query["with"]
        _, groups = self._groups(facts, query["by"])
        if how == "count":
            return {name: len(members) for name, members in groups.items()}
        if how == "last":
            self.finding.ordered(facts, "date")
        chosen = {
            name: [self._last(members)] if how == "last" else members
            for name, members in groups.items()
        }
        numbers_of([fact for members in chosen.values() for fact in members])
        made = {}
        for name, members in chosen.items():
            numbers = [Fraction(each) for each in numbers_of(members)]
            total = sum(numbers, Fraction(0))
            made[name] = {
                "sum": total,
                "mean": total / len(numbers),
                "min": min(numbers),
                "max": max(numbers),
                "last": numbers[0],
            }[how]
        return made

    def _last(self, facts: list[Document]) -> Document:
        """The last fact by date; of those with the same date the last by place."""
        dates = {each["id"]: self.world.date(each) for each in facts}
        for fact in facts:
            others = [each for each in facts if each is not fact]
            if all(self._earlier(each, fact, dates) for each in others):
                return fact
        raise WrongQuery(AMBIGUOUS)

    def _earlier(self, one: Document, other: Document, dates: dict[str, Any]) -> bool:
        if dates[one["id"]] != dates[other["id"]]:
            return before(dates[one["id"]], dates[other["id"]]) is True
        places = [
            [self.world.position(each) for each in self.world.mentioned(fact, self.world.now)][:1]
            for fact in (one, other)
        ]
        return all(places) and places[0] < places[1]

    def _gaps(self, query: Document) -> Values:
        found = self.finding.find(query["of"])
        if not found.facts:
            raise self.finding.nothing(query["of"])
        if len(found.facts) < 2:
            raise WrongQuery(NONE)
        (facts, ranks), _ = both(
            lambda: self._in_order(found.facts, query.get("by", "date")),
            lambda: self._ends(found.facts, query),
        )
        ends = self._ends(facts, query)
        pairs = list(zip(ends[1:], ends[:-1], strict=True))
        gaps = every(*(lambda pair=pair: apart(*pair, query) for pair in pairs))
        return Values(gaps, found.why | ranks, in_order=True)

    def _in_order(self, facts: list[Document], by: str) -> tuple[list[Document], frozenset[str]]:
        order, ranks = self.finding.ordered(facts, by)
        places = range(1, len(facts) + 1)
        return [self.finding.nth(facts, order, at) for at in places], ranks

    def _ends(self, facts: list[Document], query: Document) -> list[Document]:
        """The values or dates whose distances are asked."""
        fields = [self.field(each, query.get("field", "date")) for each in facts]
        if [] in fields:
            raise WrongQuery(NONE)
        ends = [each[0] for each in fields]
        if not all_same((each["type"], each["unit"]) for each in ends):
            raise WrongQuery(TYPE)
        return ends

    def _shift(self, query: Document) -> Values:
        asked = {name: query[name] for name in ("of", "by")}
        inside = [each for each in asked.values() if isinstance(each, dict)]
        given = iter(every(*(lambda part=part: self.one(part) for part in inside)))
        sides, why = {}, frozenset()
        for name, part in asked.items():
            sides[name] = part
            if isinstance(part, dict):
                sides[name], reasons = next(given)
                why |= reasons
        when, duration = every(
            lambda: _date(sides["of"]),
            lambda: _duration(sides["by"]),
        )
        amount, unit = duration
        sign = -1 if query.get("direction") == "earlier" else 1
        return Values([scalar("date", shifted(when, sign * int(amount), unit))], why)


def _date(given: Any) -> str:
    text = given["text"] if isinstance(given, dict) else given
    if isinstance(given, dict) and given["type"] != "date":
        raise WrongQuery(TYPE)
    spans(text)
    return str(text)


def _duration(given: Any) -> tuple[str, str]:
    """A whole number and a unit of time, in the singular."""
    text = f"{given['text']} {given['unit']}" if isinstance(given, dict) else given
    if isinstance(given, dict) and given["type"] != "number":
        raise WrongQuery(TYPE)
    found = re.fullmatch(r"(-?[0-9]+(?:\.[0-9]+)?) ([a-z]+?)s?", text)
    if found is None or found[2] not in _UNITS:
        raise WrongQuery(TYPE)
    amount = number(found[1])
    if amount is None or amount != int(amount):
        raise WrongQuery(TYPE)
    return str(int(amount)), found[2]


def shifted(when: str, amount: int, unit: str) -> str:
    """The date so many units later, as precise as it was."""
    if len(when) < _UNITS[unit]:
        raise WrongQuery(AMBIGUOUS)
    (begin, _) = spans(when)[0]
    try:
        if unit in {"year", "month"}:
            day = later_by_months(begin.date(), amount * (12 if unit == "year" else 1))
            moved = datetime.combine(day, begin.time())
        else:
            moved = begin + amount * timedelta(**{f"{unit}s": 1})
    except (ValueError, OverflowError) as error:
        raise WrongQuery(TYPE) from error
    return moved.isoformat()[: len(when)]
