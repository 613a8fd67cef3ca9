"""The operators that put facts together or in order: `union`, `minus`, `pick`, `sequence`."""

from memassay.schemas.queries.grammar.expressions import InSequence, Minus, Pick, UnionOf
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, ids
from memassay.schemas.queries.operators.order import in_sequence, pick_fact, sort_by_key


def union(query: UnionOf, run: Evaluation) -> FactList:
    """The facts of all parts, by place; why is that of all parts."""
    parts = [run.facts(part) for part in query.of]
    return FactList(
        facts=tuple(run.ledger.in_order(fact for part in parts for fact in part.facts)),
        why=frozenset().union(*(part.why for part in parts)),
        aside=tuple(run.ledger.in_order(fact for part in parts for fact in part.aside)),
        context=frozenset().union(*(part.context for part in parts)),
        settled=frozenset().union(*(part.settled for part in parts)),
        over=tuple(run.ledger.in_order(fact for part in parts for fact in part.over)),
    )


def minus(query: Minus, run: Evaluation) -> FactList:
    """The facts of `a` not in `b`; why is both, as what was taken away must be known."""
    first, second = run.facts(query.a), run.facts(query.b)
    gone = ids(second.facts)
    # What both set aside, or passed over, is in both: an `as_of` around must not bring it back.
    unheld = gone | ids(second.aside) | ids(second.over)
    return FactList(
        facts=tuple(fact for fact in first.facts if fact.id not in gone),
        why=first.why | second.why,
        aside=tuple(fact for fact in first.aside if fact.id not in unheld),
        context=first.context | second.context,
        settled=first.settled,
        over=tuple(fact for fact in first.over if fact.id not in unheld),
    )


def pick(query: Pick, run: Evaluation) -> FactList:
    """One fact; why is all it was compared with, and what ranks their sources."""
    of = run.some(query.of, "pick.of")
    pairs, support = sort_by_key(of.facts, query.by, run.ledger, run.moment)
    fact = pick_fact(pairs, query.by, query.which, query.n or 1, run.ledger)
    return FactList((fact,), of.why | support, (), of.context, of.settled)


def sequence(query: InSequence, run: Evaluation) -> FactList:
    """All facts in order; why is all of them, and what ranks their sources."""
    of = run.some(query.of, "sequence.of")
    pairs, support = sort_by_key(of.facts, query.by, run.ledger, run.moment)
    facts = in_sequence(pairs, query.by)
    return FactList(facts, of.why | support, (), of.context, of.settled, in_sequence=True)
