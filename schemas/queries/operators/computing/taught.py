"""The operator `apply`: a rule that the history teaches, and a case that it did not have."""

from memassay.schemas.errors import AmbiguousError, QueryTypeError
from memassay.schemas.queries.grammar.expressions import Apply
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, Values
from memassay.schemas.queries.scalars.rules import apply_rule, needed_slots, read_for
from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.records.taught_rule import TaughtRule


def apply(query: Apply, run: Evaluation) -> Values:
    """What the one rule gives for the values of its slots; why is the rule and the values.

    Raises:
        AmbiguousError: There are several rules.
        QueryTypeError: The fact is no rule, or other slots are given than it has.
    """
    found = run.some(query.rule, "apply.rule")
    rule = _the_rule(found)
    if needed_slots(rule) != query.to.keys():
        raise QueryTypeError(
            "apply.to: expected the slots "
            f"{', '.join(sorted(needed_slots(rule))) or 'of none'}, got "
            f"{', '.join(sorted(query.to))}"
        )
    values: dict[str, Scalar] = {}
    why, context = found.why, found.context
    for slot, operand in sorted(query.to.items()):
        if isinstance(operand, str):
            values[slot] = read_for(rule, operand, slot)
        else:
            values[slot], of = run.one(operand, f"apply.to.{slot}")
            why, context = why | of.why, context | of.context
    return Values([apply_rule(rule, values)], why, context)


def _the_rule(found: FactList) -> TaughtRule:
    if len(found.facts) > 1:
        listed = ", ".join(fact.id for fact in found.facts[:5])
        raise AmbiguousError(f"apply.rule: expected one rule, got {listed}; narrow the selection")
    fact = found.facts[0]
    if fact.value.rule is None:
        raise QueryTypeError(
            f"apply.rule: expected a fact whose value is a rule, got {fact.id} ({fact.value.type})"
        )
    return fact.value.rule
