"""The operators that give facts: select, as_of, pick, follow, union, minus, sequence.

Each gives facts and why: the facts that the result rests on. `docs/queries.md` has the table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from memassay.schemas.errors import (
    AmbiguousError,
    NoResultError,
    NotVisibleError,
    QueryTypeError,
)
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.filters import Filter
from memassay.schemas.queries.language import (
    AsOf,
    Facts,
    Follow,
    InSequence,
    Minus,
    Pick,
    Scalars,
    SelectFacts,
    UnionOf,
    Where,
)
from memassay.schemas.queries.ledger import Ledger, Moment
from memassay.schemas.queries.order import in_sequence, keyed, picked
from memassay.schemas.queries.states import States
from memassay.schemas.queries.values import Scalar, value_of
from memassay.schemas.records.ledger import Fact, FactOperation
from memassay.schemas.values.civil_time import is_when

END: Final = "end"
"""The point of `as_of` that means asking time."""


@dataclass(frozen=True)
class FactList:
    """Facts on their way through a query.

    Attributes:
        facts: The facts, by place in the conversation, or in sequence.
        why: Ids of the facts that the result rests on.
        aside: Facts taken back by asking time; only `as_of` looks at them.
        context: Ids of facts that were passed over: superseded, taken back, ended.
        settled: Ids of facts that `as_of` found to hold at its point.
        in_sequence: Whether the order of the facts is part of the result.
    """

    facts: tuple[Fact, ...]
    why: frozenset[str]
    aside: tuple[Fact, ...] = ()
    context: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()
    in_sequence: bool = False


OneScalar = Callable[[Scalars], tuple[Scalar, frozenset[str]]]
"""Gives the one value of a scalar expression, and why."""


class FactOperators:
    """Evaluates expressions that give facts, at one asking time."""

    def __init__(self, ledger: Ledger, moment: Moment, one_scalar: OneScalar) -> None:
        """Keep the ledger and the moment; scalars inside `as_of` are evaluated elsewhere."""
        self._ledger, self._moment, self._one_scalar = ledger, moment, one_scalar
        self._states = States(ledger)
        self.hidden: dict[str, Fact] = {}

    def evaluate(self, expression: Facts) -> FactList:
        """The facts of an expression; there may be none.

        Raises:
            QueryError: An operator has no result, two results, or values of the wrong type.
        """
        match expression:
            case SelectFacts():
                return self._selected(expression.where)
            case AsOf():
                return self._as_of(expression)
            case Pick():
                return self._pick(expression)
            case Follow():
                return self._follow(expression)
            case UnionOf():
                return self._union([self.evaluate(part) for part in expression.of])
            case Minus():
                return self._minus(expression)
            case InSequence():
                return self._sequence(expression)

    def some(self, expression: Facts, where: str) -> FactList:
        """The facts of an expression, at least one.

        Raises:
            NoResultError: There are none.
            NotVisibleError: There are some, but nobody can have seen them by asking time.
        """
        found = self.evaluate(expression)
        if found.facts:
            return found
        raise self.nothing(where)

    def nothing(self, where: str) -> NoResultError:
        """The error for an operator that finds no facts."""
        if self.hidden:
            names = ", ".join(sorted(self.hidden)[:5])
            return NotVisibleError(
                f"{where}: expected facts that can be seen at asking time, got {names}; ask later, "
                "or mention them earlier"
            )
        return NoResultError(f"{where}: expected facts, got none; check the filters")

    def _selected(self, where: Where, but: Iterable[Fact] = ()) -> FactList:
        selection = Filter(where, self._ledger, self._moment).select()
        left_out = {fact.id for fact in but}
        self.hidden |= {fact.id: fact for fact in selection.hidden}
        facts = tuple(fact for fact in selection.facts if fact.id not in left_out)
        aside = tuple(fact for fact in selection.aside if fact.id not in left_out)
        return FactList(facts, _ids(facts), aside, _ids(aside))

    def _union(self, parts: list[FactList]) -> FactList:
        """The facts of all parts, by place; why is that of all parts."""
        return FactList(
            facts=tuple(self._ledger.ordered(fact for part in parts for fact in part.facts)),
            why=frozenset().union(*(part.why for part in parts)),
            aside=tuple(self._ledger.ordered(fact for part in parts for fact in part.aside)),
            context=frozenset().union(*(part.context for part in parts)),
            settled=frozenset().union(*(part.settled for part in parts)),
        )

    def _minus(self, expression: Minus) -> FactList:
        """The facts of `a` not in `b`; why is both, as what was taken away must be known."""
        first, second = self.evaluate(expression.a), self.evaluate(expression.b)
        gone = _ids(second.facts)
        return FactList(
            facts=tuple(fact for fact in first.facts if fact.id not in gone),
            why=first.why | second.why,
            aside=tuple(fact for fact in first.aside if fact.id not in gone),
            context=first.context | second.context,
            settled=first.settled,
        )

    def _follow(self, expression: Follow) -> FactList:
        of = self.some(expression.of, "follow.of")
        keys = {
            key
            for fact in of.facts
            if (key := self._ledger.side(fact, expression.from_)) is not None
        }
        if not keys:
            raise NoResultError("follow: expected facts with a source, got none; name another side")
        to = {str(expression.to): sorted(keys)}
        where = Where.model_validate({"attribute": expression.attribute, **to})
        found = self._selected(where, but=of.facts)
        return replace(found, why=of.why | found.why, context=of.context | found.context)

    def _pick(self, expression: Pick) -> FactList:
        """One fact; why is all it was compared with, and what ranks their sources."""
        of = self.some(expression.of, "pick.of")
        pairs, support = keyed(of.facts, expression.by, self._ledger, self._moment)
        fact = picked(pairs, expression.by, expression.which, expression.n or 1, self._ledger)
        return FactList((fact,), of.why | support, (), of.context, of.settled)

    def _sequence(self, expression: InSequence) -> FactList:
        of = self.some(expression.of, "sequence.of")
        pairs, support = keyed(of.facts, expression.by, self._ledger, self._moment)
        facts = in_sequence(pairs, expression.by)
        return FactList(facts, of.why | support, (), of.context, of.settled, in_sequence=True)

    def _as_of(self, expression: AsOf) -> FactList:
        """The facts that held; those passed over are context and support nothing."""
        of = self.evaluate(expression.of)
        pool = self._ledger.ordered([*of.facts, *of.aside])
        held, known, support = self._held(expression.at, pool)
        facts = tuple(fact for fact in pool if fact.id in held)
        return FactList(
            facts=facts,
            why=((of.why - _ids(pool)) | _ids(facts) | support),
            context=(of.context - _ids(pool)) | (known - held),
            settled=held,
        )

    def _held(
        self, at: "str | Scalars", pool: list[Fact]
    ) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Ids of the facts that held at a point, of those known by it, and why that point."""
        support: frozenset[str] = frozenset()
        if not isinstance(at, str):
            scalar, support = self._one_scalar(at)
            at = scalar.text
            if not is_when(at) and parse_place(at) is None:
                raise QueryTypeError(f"as_of.at: expected a date or session, got {at!r}")
        if is_when(at):
            held = [fact for fact in pool if self._states.held_on(fact, at, self._moment)]
            return _ids(held), _ids(pool), support
        moment = self._moment if at == END else self._ledger.point(at)
        if not moment.sessions <= self._moment.sessions:
            raise NotVisibleError(
                f"as_of.at: expected a point no later than asking time, got {at!r}; ask later"
            )
        held = [fact for fact in pool if self._states.held_at(fact, moment)]
        known = [fact for fact in pool if self._ledger.known(fact, moment)]
        return _ids(held), _ids(known), support

    def refuse_superseded(self, found: FactList, where: str) -> None:
        """Refuse several facts of which one no longer held at asking time.

        Raises:
            AmbiguousError: One was superseded: do they ask for what is, or for all there was?
        """
        open_ones = [fact for fact in found.facts if fact.id not in found.settled]
        for fact in open_ones if len(found.facts) > 1 else ():
            for later in self._ledger.superseders.get(fact.id, ()):
                if self._ledger.known(later, self._moment):
                    raise AmbiguousError(
                        f"{where}: expected facts of one state, got {fact.id}, which {later.id} "
                        f"{_DID[later.operation]}; put as_of around the selection"
                    )

    def refuse_contradiction(self, facts: tuple[Fact, ...], where: str) -> None:
        """Refuse facts that give one subject two values of an attribute without an order.

        Raises:
            AmbiguousError: There are such facts.
        """
        said: dict[tuple[str | None, str | None], Fact] = {}
        for fact in facts:
            if fact.order is not None:
                continue
            key = (self._ledger.side(fact, "subject"), self._ledger.side(fact, "attribute"))
            other = said.setdefault(key, fact)
            if value_of(other).key != value_of(fact).key:
                raise AmbiguousError(
                    f"{where}: expected one {fact.attribute} of {fact.subject}, got "
                    f"{value_of(other).said!r} ({other.id}) and {value_of(fact).said!r} "
                    f"({fact.id}); use as_of or pick, or give the facts of a list an order"
                )


_DID: Final = {
    FactOperation.APPEND: "replaced",
    FactOperation.REVISE: "revised",
    FactOperation.DELETE: "deleted",
    FactOperation.MERGE: "merged",
}


def _ids(facts: Iterable[Fact]) -> frozenset[str]:
    return frozenset(fact.id for fact in facts)
