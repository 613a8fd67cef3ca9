"""Executing a query: the values it gives and why, at the time it is asked.

Pure and deterministic: no clock, no I/O, no draw; the order of records plays no part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from memassay.schemas.base import Shape
from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.queries.grammar.expressions import (
    Apply,
    AsOf,
    Count,
    Diff,
    Facts,
    Fold,
    Follow,
    Gaps,
    Get,
    Group,
    InSequence,
    Minus,
    Pick,
    Scalars,
    SelectFacts,
    Shift,
    UnionOf,
)
from memassay.schemas.queries.grammar.query import Query
from memassay.schemas.queries.grammar.truth import (
    Absent,
    Choose,
    Compare,
    Conflict,
    Ended,
    Exists,
    Truth,
)
from memassay.schemas.queries.grammar.words import FactField
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.operators.absence import absent, all_ended, decoys, exists
from memassay.schemas.queries.operators.claims import conflict
from memassay.schemas.queries.operators.combining import minus, pick, sequence, union
from memassay.schemas.queries.operators.computing.comparing import compare, diff
from memassay.schemas.queries.operators.computing.counting import count, fold
from memassay.schemas.queries.operators.computing.durations import gaps, shift
from memassay.schemas.queries.operators.computing.grouping import group
from memassay.schemas.queries.operators.computing.taught import apply
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, Values
from memassay.schemas.queries.operators.holding import as_of
from memassay.schemas.queries.operators.reading import get, read
from memassay.schemas.queries.operators.selecting import follow, select
from memassay.schemas.queries.scalars.arithmetic import are_same
from memassay.schemas.queries.scalars.scalar import Scalar, literal, the_one
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import AnswerRelation, AskedAt

FACTS: Final[dict[type[Shape], Callable[[Any, Evaluation], FactList]]] = {
    SelectFacts: select,
    AsOf: as_of,
    Pick: pick,
    Follow: follow,
    UnionOf: union,
    Minus: minus,
    InSequence: sequence,
}
"""What evaluates each operator that gives facts."""

VALUES: Final[dict[type[Shape], Callable[[Any, Evaluation], Values]]] = {
    Get: get,
    Count: count,
    Fold: fold,
    Group: group,
    Gaps: gaps,
    Diff: diff,
    Shift: shift,
    Apply: apply,
    Compare: compare,
    Conflict: conflict,
    Absent: absent,
    Exists: exists,
    Ended: all_ended,
}
"""What evaluates each operator that gives scalars or truth; `choose` is above them."""


@dataclass(frozen=True)
class Execution:
    """What a query gave.

    Attributes:
        values: The values, each once in natural order, or in the order of a sequence; numbers
            as decimal strings, truth as `true` or `false`, a choice as its label.
        value_type: How to read them.
        unit: Unit of numbers.
        why: Ids of the facts that the result rests on; all of them must be visible.
        context: Ids of facts passed over: superseded, taken back, ended. They support nothing.
        decoys: For an absence, ids of the facts that are nearly there: interference that fits,
            then facts that miss it by one filter, each by place.
        options: For a choice, value by label.
        denials: Those of why whose denial proves the result, in place of a statement.
        told: Those of these whose statement proves it too.
    """

    values: list[str]
    value_type: ValueType
    unit: str | None
    why: frozenset[str]
    context: frozenset[str] = frozenset()
    decoys: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    denials: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()


def execute(
    query: Query,
    ledger: Ledger,
    asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
    relation: AnswerRelation = AnswerRelation.ONE,
) -> Execution:
    """Execute a query over a ledger.

    Args:
        query: A parsed query.
        ledger: The facts and mentions of one conversation.
        asked_at: When it is asked; what comes later plays no part.
        relation: How many values are asked: `one` makes a second value an error, `ordered` needs
            a sequence.

    Raises:
        NoResultError: Nothing could be the answer (`NotVisibleError`: nobody can have seen it).
        AmbiguousError: Two values where one is asked, or an order that nobody can know.
        QueryTypeError: Values of another type or unit than an operator needs.
        MalformedQueryError: A session or checkpoint that does not exist.
    """
    run = _Run(ledger, ledger.moment(asked_at))
    if isinstance(query, Choose):
        return _choose(query, run)
    found = run.values(query)
    if not found.scalars:
        raise NoResultError("query: expected a value, got none; check the filters")
    scalars = found.scalars
    if relation is AnswerRelation.ONE:
        # A sequence can say the same value twice; asked for one, it gives one.
        scalars = [the_one(scalars, "query")]
    if relation is AnswerRelation.ORDERED and not found.in_sequence:
        raise QueryTypeError("query: expected a sequence for ordered values, got a set; order it")
    values, value_type, unit = _of_one_kind(scalars, relation)
    return Execution(
        values=values,
        value_type=value_type,
        unit=unit,
        why=found.why,
        context=found.context - found.why,
        decoys=decoys(query, run) if isinstance(query, Absent | Exists) and not found.why else (),
        denials=found.denials,
        told=found.told,
    )


def _of_one_kind(
    scalars: Sequence[Scalar], relation: AnswerRelation
) -> tuple[list[str], ValueType, str | None]:
    """Values with their type and unit; what is asked in order may be of several, and says each.

    Raises:
        QueryTypeError: They have several units in no order.
    """
    types = {scalar.type for scalar in scalars}
    units = {scalar.unit for scalar in scalars}
    if len(units) > 1 and relation is AnswerRelation.ORDERED:
        return [scalar.said for scalar in scalars], ValueType.TEXT, None
    if len(units) > 1:
        listed = ", ".join(sorted(str(unit) for unit in units))
        raise QueryTypeError(f"query: expected values of one unit, got {listed}; select one kind")
    value_type = types.pop() if len(types) == 1 else ValueType.TEXT
    return [scalar.text for scalar in scalars], value_type, units.pop()


def passed_on(
    expression: Query,
    ledger: Ledger,
    asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
) -> FactList | Values:
    """What an expression passes on to the one around it, executed alone at an asking time.

    Raises:
        QueryError: As for `execute`; facts may be none, and values several.
    """
    run = _Run(ledger, ledger.moment(asked_at))
    if type(expression) in FACTS:
        return run.facts(cast(Facts, expression))
    return run.values(expression.of if isinstance(expression, Choose) else expression)


class _Run(Evaluation):
    """One execution: each expression goes to the operator that evaluates it."""

    def facts(self, expression: Facts) -> FactList:
        return FACTS[type(expression)](expression, self)

    def values(self, expression: Facts | Scalars | Truth) -> Values:
        evaluate = VALUES.get(type(expression))
        if evaluate is not None:
            return evaluate(expression, self)
        found = self.some(cast(Facts, expression), expression.op)
        return read(found, FactField.VALUE, self)


def _choose(query: Choose, run: Evaluation) -> Execution:
    """The label of the option that says what `of` gives; it adds nothing to why."""
    found = run.values(query.of)
    value = the_one(found.scalars, "choose")
    fitting = [
        label
        for label, text in query.options.items()
        if are_same(value, literal(text, value, f"choose option {label}"), "choose")
    ]
    if not fitting:
        raise NoResultError(f"choose: expected an option that says {value.said!r}, got none")
    if len(fitting) > 1:
        raise AmbiguousError(
            f"choose: expected one option that says {value.said!r}, got {', '.join(fitting)}"
        )
    return Execution(
        values=fitting,
        value_type=ValueType.TEXT,
        unit=None,
        why=found.why,
        context=found.context - found.why,
        options=dict(query.options),
        denials=found.denials,
        told=found.told,
    )
