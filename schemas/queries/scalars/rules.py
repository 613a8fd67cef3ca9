"""What a taught rule gives for the values of its slots: looked up or computed, never run."""

import re
from collections.abc import Mapping
from decimal import Decimal, localcontext

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.queries.scalars.scalar import Scalar, literal, number, number_text, shortest
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.taught_rule import (
    LinearRule,
    TableRule,
    TaughtRule,
    TemplateRule,
    ThresholdRule,
    slots_of,
)
from memassay.schemas.values.text import normalise


def needed_slots(rule: TaughtRule) -> frozenset[str]:
    """Names of the slots that a rule needs values for."""
    match rule:
        case TemplateRule():
            return frozenset(slots_of(rule.text))
        case LinearRule():
            return frozenset(rule.terms)
        case TableRule() | ThresholdRule():
            return frozenset({rule.slot})


def read_for(rule: TaughtRule, text: str, slot: str) -> Scalar:
    """A text of a query as the value of a slot: a number where the rule computes with it.

    Raises:
        QueryTypeError: It is no number where one is needed.
    """
    if isinstance(rule, ThresholdRule | LinearRule):
        unit = rule.unit if isinstance(rule, ThresholdRule) else None
        return literal(text, Scalar("0", ValueType.NUMBER, unit), f"apply.to.{slot}")
    return Scalar(text, ValueType.TEXT)


def apply_rule(rule: TaughtRule, values: Mapping[str, Scalar]) -> Scalar:
    """What a rule gives.

    Args:
        rule: A taught rule.
        values: A value for each of its slots, and no other.

    Raises:
        NoResultError: A table has no row for the case.
        AmbiguousError: A table has two.
        QueryTypeError: A value is no number, or not in the unit, where the rule computes.
    """
    match rule:
        case TemplateRule():
            return Scalar(_fill(rule, values), ValueType.TEXT)
        case TableRule():
            return Scalar(_looked_up(rule, values[rule.slot]), ValueType.TEXT)
        case ThresholdRule():
            return Scalar(_highest_step(rule, values[rule.slot]), ValueType.TEXT)
        case LinearRule():
            return Scalar(_total(rule, values), ValueType.NUMBER, rule.unit)


def _fill(rule: TemplateRule, values: Mapping[str, Scalar]) -> str:
    """The form with its slots filled; braces inside a value are no slots."""
    marks = {f"{{{slot}}}": values[slot].said for slot in slots_of(rule.text)}
    return re.sub("|".join(map(re.escape, marks)), lambda mark: marks[mark.group()], rule.text)


def _looked_up(rule: TableRule, case: Scalar) -> str:
    wanted = {normalise(case.text), normalise(case.said)}
    found = [result for row, result in sorted(rule.rows.items()) if normalise(row) in wanted]
    if not found:
        raise NoResultError(f"apply: expected a row for {case.said!r}, got none; check the slot")
    if len(found) > 1:
        raise AmbiguousError(f"apply: expected one row for {case.said!r}, got {', '.join(found)}")
    return found[0]


def _highest_step(rule: ThresholdRule, value: Scalar) -> str:
    """The result of the highest step that a number reaches."""
    amount = number(value, f"apply.to.{rule.slot}")
    if value.unit != rule.unit:
        raise QueryTypeError(
            f"apply.to.{rule.slot}: expected a number in {rule.unit or 'no unit'}, got "
            f"{value.said!r}"
        )
    reached = [step for step in rule.steps if Decimal(step.least) <= amount]
    if not reached:
        return rule.otherwise
    highest = max(Decimal(step.least) for step in reached)
    results = {step.then for step in reached if Decimal(step.least) == highest}
    if len(results) > 1:
        raise AmbiguousError(f"apply: expected one step from {highest} on, got several")
    return results.pop()


def _total(rule: LinearRule, values: Mapping[str, Scalar]) -> str:
    """The constant and each slot times its factor, exactly."""
    terms = [
        (Decimal(factor), number(values[slot], f"apply.to.{slot}"))
        for slot, factor in sorted(rule.terms.items())
    ]
    digits = sum(len(str(part)) for term in terms for part in term) + len(rule.constant)
    with localcontext() as context:
        context.prec = digits + len(terms) + 1
        total = sum((factor * value for factor, value in terms), Decimal(rule.constant))
    return shortest(number_text(total))
