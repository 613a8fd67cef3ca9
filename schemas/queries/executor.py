"""Executing a query: the values it gives and why, at the time it is asked.

Pure and deterministic: no clock, no I/O, no draw; the order of records plays no part.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pydantic import BaseModel

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryTypeError
from memassay.schemas.queries.dates import date_order
from memassay.schemas.queries.facts import FactList, FactOperators
from memassay.schemas.queries.filters import Filter
from memassay.schemas.queries.language import (
    Absent,
    AsOf,
    Choose,
    Compare,
    Conflict,
    Count,
    Diff,
    FactField,
    Facts,
    Fold,
    Follow,
    Get,
    InSequence,
    Minus,
    Pick,
    Query,
    Scalars,
    SelectFacts,
    Truth,
    UnionOf,
)
from memassay.schemas.queries.ledger import Ledger, Moment
from memassay.schemas.queries.values import (
    Scalar,
    are_same,
    difference,
    distinct,
    fold,
    literal,
    order_of,
    the_one,
    truth,
    value_of,
)
from memassay.schemas.records.ledger import Fact, MentionForm, ValueType
from memassay.schemas.records.question import AnswerRelation, AskedAt
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.text import normalise


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
        decoys: For an absence, ids of the facts that miss it by one filter, by place.
        options: For a choice, value by label.
    """

    values: list[str]
    value_type: ValueType
    unit: str | None
    why: frozenset[str]
    context: frozenset[str] = frozenset()
    decoys: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Values:
    """Scalars on their way through a query."""

    scalars: list[Scalar]
    why: frozenset[str]
    context: frozenset[str] = frozenset()
    in_sequence: bool = False


_FACTS: Final = (SelectFacts, AsOf, Pick, Follow, UnionOf, Minus, InSequence)
_TRUTH: Final = (Compare, Conflict, Absent)


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
        return run.choose(query)
    found = run.values(query)
    if not found.scalars:
        raise NoResultError("query: expected a value, got none; check the filters")
    scalars = found.scalars
    if relation is AnswerRelation.ONE:
        # A sequence can say the same value twice; asked for one, it gives one.
        scalars = [the_one(scalars, "query")]
    if relation is AnswerRelation.ORDERED and not found.in_sequence:
        raise QueryTypeError("query: expected a sequence for ordered values, got a set; order it")
    types = {scalar.type for scalar in scalars}
    units = {scalar.unit for scalar in scalars}
    if len(units) > 1:
        listed = ", ".join(sorted(str(unit) for unit in units))
        raise QueryTypeError(f"query: expected values of one unit, got {listed}; select one kind")
    return Execution(
        values=[scalar.text for scalar in scalars],
        value_type=types.pop() if len(types) == 1 else ValueType.TEXT,
        unit=units.pop(),
        why=found.why,
        context=found.context - found.why,
        decoys=run.decoys(query) if isinstance(query, Absent) else (),
    )


class _Run:
    """One execution: the operators that give scalars and truth."""

    def __init__(self, ledger: Ledger, moment: Moment) -> None:
        self._ledger, self._moment = ledger, moment
        self._facts = FactOperators(ledger, moment, self._one_scalar)

    def values(self, query: Facts | Scalars | Truth) -> _Values:
        if isinstance(query, _FACTS):
            found = self._facts.some(query, query.op)
            return self._read(found, FactField.VALUE)
        if isinstance(query, _TRUTH):
            return self._truth(query)
        return self._scalars(query)

    def _scalars(self, query: Scalars) -> _Values:
        match query:
            case Get():
                found = self._facts.some(query.of, f"get {query.field}")
                return self._read(found, query.field)
            case Count():
                return self._count(query)
            case Fold():
                found = self._facts.some(query.of, "fold")
                if query.with_ in {"sum", "mean"}:
                    self._facts.refuse_superseded(found, f"fold with {query.with_}")
                    self._facts.refuse_contradiction(found.facts, f"fold with {query.with_}")
                folded = fold([value_of(fact) for fact in found.facts], query.with_)
                return _Values([folded], found.why, found.context)
            case Diff():
                left, right, why, context = self._two(query.a, query.b, "diff")
                return _Values([difference(left, right, query.unit, query.rounding)], why, context)

    def _truth(self, query: Truth) -> _Values:
        match query:
            case Compare():
                left, right, why, context = self._two(query.a, query.b, "compare")
                return _Values([truth(_holds(left, right, query.with_))], why, context)
            case Conflict():
                return self._conflict(query)
            case Absent():
                found = self._facts.evaluate(query.of)
                return _Values([truth(not found.facts)], _ids(found), found.context)

    def choose(self, query: Choose) -> Execution:
        found = self.values(query.of)
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
        )

    def decoys(self, query: Absent) -> tuple[str, ...]:
        """Facts that fit a selection of the query but for one filter."""
        near = [
            fact
            for selection in _selections(query.of)
            for fact in Filter(selection.where, self._ledger, self._moment).near_misses()
        ]
        return tuple(fact.id for fact in self._ledger.ordered(near))

    def _one_scalar(self, query: Scalars) -> tuple[Scalar, frozenset[str]]:
        found = self._scalars(query)
        return the_one(found.scalars, query.op), found.why

    def _two(
        self, a: "str | Scalars", b: "str | Scalars", where: str
    ) -> tuple[Scalar, Scalar, frozenset[str], frozenset[str]]:
        """Both operands, a text read like the other one; why is that of both."""
        first = None if isinstance(a, str) else self._scalars(a)
        second = None if isinstance(b, str) else self._scalars(b)
        left = None if first is None else the_one(first.scalars, f"{where}.a")
        right = None if second is None else the_one(second.scalars, f"{where}.b")
        if left is None and right is not None:
            left = literal(str(a), right, f"{where}.a")
        if right is None and left is not None:
            right = literal(str(b), left, f"{where}.b")
        if left is None or right is None:
            raise QueryTypeError(f"{where}: expected an operator in a or b, got two texts")
        parts = [part for part in (first, second) if part is not None]
        why: frozenset[str] = frozenset().union(*(part.why for part in parts))
        context: frozenset[str] = frozenset().union(*(part.context for part in parts))
        return left, right, why, context

    def _count(self, query: Count) -> _Values:
        found = self._facts.evaluate(query.of)
        # Zero out of nothing is an absence: it has no evidence, and `absent` says so honestly.
        if not found.why:
            raise self._facts.nothing("count")
        if query.distinct is None:
            self._facts.refuse_superseded(found, "count")
            amount = len(found.facts)
        elif query.distinct == "value":
            amount = len({value_of(fact).key for fact in found.facts})
        else:
            amount = len({self._ledger.side(fact, "subject") for fact in found.facts})
        return _Values([Scalar(str(amount), ValueType.NUMBER)], found.why, found.context)

    def _conflict(self, query: Conflict) -> _Values:
        """Truth; why is the facts that contradict the claim, or else those that confirm it."""
        claim = query.claim
        found = self._facts.some(query.against, "conflict.against")
        against: list[Fact] = []
        agreeing: list[Fact] = []
        for fact in found.facts:
            if self._ledger.side(fact, "attribute") != normalise(claim.attribute):
                continue
            same_subject = self._ledger.side(fact, "subject") == normalise(claim.subject)
            if not same_subject and claim.one == "value":
                continue
            same_value = _agrees(fact, claim.value)
            if same_subject and same_value:
                agreeing.append(fact)
            elif same_value or (same_subject and fact.order is None and claim.one == "value"):
                against.append(fact)
        if not against and not agreeing:
            raise NoResultError(
                f"conflict: expected facts that speak to {claim.attribute} of {claim.subject}, got "
                "none that do; check the filters"
            )
        if against and agreeing:
            raise AmbiguousError(
                f"conflict: expected facts of one mind, got {agreeing[0].id} for the claim and "
                f"{against[0].id} against it; put as_of around the selection"
            )
        deciding = frozenset(fact.id for fact in against or agreeing)
        beyond = found.why - _ids(found)
        return _Values([truth(bool(against))], deciding | beyond, found.context)

    def _read(self, found: FactList, name: FactField) -> _Values:
        # A sequence tells states apart by their order; elsewhere two states are a contradiction.
        if name is FactField.VALUE and not found.in_sequence:
            self._facts.refuse_superseded(found, "get value")
            self._facts.refuse_contradiction(found.facts, "get value")
        scalars = [scalar for fact in found.facts for scalar in self._field(fact, name)]
        if not found.in_sequence:
            scalars = distinct(scalars)
        return _Values(scalars, found.why, found.context, found.in_sequence)

    def _field(self, fact: Fact, name: FactField) -> list[Scalar]:
        """The values of one field of a fact; only attachments can be several."""
        if name is FactField.VALUE:
            return [value_of(fact)]
        if name is FactField.SUBJECT:
            return [Scalar(fact.subject, ValueType.ENTITY)]
        if name is FactField.ATTRIBUTE:
            return [Scalar(fact.attribute, ValueType.TEXT)]
        kind = ValueType.DATE if name is FactField.DATE else ValueType.ENTITY
        texts = {
            FactField.DATE: self._date,
            FactField.SESSION: self._session,
            FactField.SPEAKER: self._speaker,
            FactField.ATTACHMENT: self._attachments,
        }[name](fact)
        if not texts:
            raise NoResultError(f"{fact.id}: expected a fact with a {name}, got none")
        return [Scalar(text, kind) for text in texts]

    def _date(self, fact: Fact) -> list[str]:
        date = self._ledger.date(fact)
        return [date] if date is not None else []

    def _session(self, fact: Fact) -> list[str]:
        """The session a fact was first stated in."""
        seen = self._ledger.seen(fact, self._moment)
        session = self._ledger.session_of(seen[0].round) if seen else fact.session
        return [session] if session is not None else []

    def _speaker(self, fact: Fact) -> list[str]:
        """Who holds a fact, or who first stated it."""
        seen = self._ledger.seen(fact, self._moment)
        speaker = fact.speaker or (seen[0].speaker if seen else None)
        return [speaker] if speaker is not None else []

    def _attachments(self, fact: Fact) -> list[str]:
        return [
            mention.attachment
            for mention in self._ledger.seen(fact, self._moment)
            if mention.attachment is not None and mention.form is MentionForm.FULL
        ]


def _ids(found: FactList) -> frozenset[str]:
    return frozenset(fact.id for fact in found.facts)


def _holds(left: Scalar, right: Scalar, how: str) -> bool:
    if how in {"same", "differ"}:
        return are_same(left, right, "compare") == (how == "same")
    return order_of(left, right, "compare") == (-1 if how == "less" else 1)


def _agrees(fact: Fact, claim: str) -> bool:
    """Whether a fact says what a claim says; a coarser date that holds the fact's agrees."""
    value = value_of(fact)
    claimed = literal(claim, value, "conflict.claim")
    both_dates = value.type is ValueType.DATE and is_when(value.text)
    if both_dates and len(claimed.text) < len(value.text):
        return date_order(claimed.text, value.text) is None
    return are_same(value, claimed, "conflict.claim")


def _selections(node: object) -> Iterator[SelectFacts]:
    """Every `select` inside an expression."""
    if isinstance(node, SelectFacts):
        yield node
    elif isinstance(node, list):
        for part in node:
            yield from _selections(part)
    elif isinstance(node, BaseModel):
        for name in type(node).model_fields:
            yield from _selections(getattr(node, name))
