"""`apply`: what a taught rule gives for a new case."""

import re
from decimal import Decimal
from typing import Any

from support.brute.common import (
    AMBIGUOUS,
    NONE,
    TYPE,
    Document,
    WrongQuery,
    every,
    measure,
    number,
    plain,
)
from support.brute.scalars import Reading, Values, scalar


class Applying(Reading):
    """The evaluation of `apply`."""

    def _apply(self, query: Document) -> Values:
        inside = {name: each for name, each in query["to"].items() if isinstance(each, dict)}
        (stated, why), *given = every(
            lambda: self._rule(query),
            *(lambda part=part: self.one(part) for part in inside.values()),
        )
        slots: dict[str, Any] = dict(query["to"])
        for name, (value, reasons) in zip(inside, given, strict=True):
            slots[name] = value
            why |= reasons
        result = getattr(self, f"_{stated['kind']}")(stated, slots)
        return Values([result], why)

    def _rule(self, query: Document) -> tuple[Document, frozenset[str]]:
        found = self.finding.find(query["rule"])
        if not found.facts:
            raise self.finding.nothing(query["rule"])
        if len(found.facts) > 1:
            raise WrongQuery(AMBIGUOUS)
        value = found.facts[0]["value"]
        if value["type"] != "rule" or not value.get("rule"):
            raise WrongQuery(TYPE)
        if set(query["to"]) != _slots(value["rule"]):
            raise WrongQuery(TYPE)
        return value["rule"], found.why

    def _template(self, rule: Document, slots: Document) -> Document:
        texts = {name: _written(each) for name, each in slots.items()}
        return scalar("text", re.sub(r"\{(\w+)\}", lambda at: texts[at[1]], rule["text"]))

    def _table(self, rule: Document, slots: Document) -> Document:
        value = slots[rule["slot"]]
        fitting = [then for case, then in rule["rows"].items() if self._is_case(case, value)]
        if len(fitting) != 1:
            raise WrongQuery(AMBIGUOUS if fitting else NONE)
        return scalar("text", fitting[0])

    def _is_case(self, case: str, value: Any) -> bool:
        text = value["text"] if isinstance(value, dict) else value
        if isinstance(value, dict) and value["type"] == "number" and number(case) is not None:
            return number(case) == number(text)
        return plain(case) == plain(text)

    def _threshold(self, rule: Document, slots: Document) -> Document:
        own = slots[rule["slot"]]
        value = own if isinstance(own, dict) else _read(own, rule.get("unit"))
        if value["type"] != "number" or value["unit"] != rule.get("unit"):
            raise WrongQuery(TYPE)
        reached = [
            (Decimal(step["least"]), step["then"])
            for step in rule["steps"]
            if Decimal(value["text"]) >= Decimal(step["least"])
        ]
        return scalar("text", max(reached)[1] if reached else rule["otherwise"])

    def _linear(self, rule: Document, slots: Document) -> Document:
        total = Decimal(rule.get("constant", "0"))
        for name, factor in rule["terms"].items():
            own = slots[name]
            value = own if isinstance(own, dict) else _read(own, None)
            if value["type"] != "number":
                raise WrongQuery(TYPE)
            total += Decimal(factor) * Decimal(value["text"])
        return scalar("number", total, rule.get("unit"))


def _slots(rule: Document) -> set[str]:
    """The names of the slots of a rule."""
    if rule["kind"] == "template":
        return set(re.findall(r"\{(\w+)\}", rule["text"]))
    return set(rule["terms"]) if rule["kind"] == "linear" else {rule["slot"]}


def _written(value: Any) -> str:
    """What is put into a template: a number with its unit."""
    if not isinstance(value, dict):
        return str(value)
    unit = f" {value['unit']}" if value["unit"] else ""
    return f"{value['text']}{unit}"


def _read(text: str, unit: str | None) -> Document:
    """A text as a number, with its unit if it has one."""
    return scalar("number", *measure(text, unit))
