"""Laws that hold for every ledger: drawn facts, drawn asking times, shuffled records."""

from cProfile import Profile
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from support.examples import examples
from support.ledgers import (
    bundle_of,
    conversation,
    fact,
    get,
    ledger_of,
    mention,
    run,
    select,
)
from support.query_strategies import SESSIONS, facts, scalars, truths, worlds

from memassay.schemas.errors import QueryError
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution, execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AskedAt

Document = dict[str, Any]
ALL = select()


def _outcome(query: Document, ledger: Ledger, **asked_at: str) -> Execution | str:
    try:
        return run(query, ledger, "all", **asked_at)
    except QueryError as error:
        return f"{type(error).__name__}: {error}"


QUERIES = (
    get(ALL),
    get(ALL, "subject"),
    get({"op": "as_of", "of": ALL, "at": "end"}),
    get({"op": "as_of", "of": ALL, "at": "2024-02-20"}),
    get({"op": "pick", "of": ALL, "by": "value", "which": "max"}),
    {"op": "sequence", "of": ALL, "by": "said"},
    {"op": "fold", "of": select(subject="amy"), "with": "sum"},
    {"op": "count", "of": ALL},
    {"op": "absent", "of": select(subject="amy", attribute="cost")},
    {"op": "count", "of": select(number={"above": "50", "unit": "EUR"}), "distinct": "session"},
    {"op": "count", "of": {**select(dated={"after": "D1"}), "of": ALL}, "distinct": "day"},
    {"op": "group", "of": ALL, "by": "subject", "with": "last", "which": "max"},
    {"op": "group", "of": ALL, "by": "month", "with": "max", "which": "min"},
)


@given(worlds(), st.randoms(use_true_random=False), st.sampled_from(QUERIES))
def test_the_order_of_records_plays_no_part(
    world: list[tuple[Document, str]], random: Any, query: Document
) -> None:
    """Facts and mentions in any order give the same values, reasons, messages and evidence."""
    bundle = bundle_of(world)
    facts, mentions = list(bundle.facts), list(bundle.mentions)
    random.shuffle(facts)
    random.shuffle(mentions)
    shuffled = bundle.model_copy(update={"facts": facts, "mentions": mentions})
    outcome = _outcome(query, Ledger(bundle))
    assert outcome == _outcome(query, Ledger(shuffled))
    if isinstance(outcome, Execution):
        assert evidence_of(outcome, Ledger(bundle)) == evidence_of(outcome, Ledger(shuffled))


@given(worlds(), st.sampled_from(SESSIONS), st.sampled_from(QUERIES))
def test_evidence_lies_in_visible_rounds(
    world: list[tuple[Document, str]], session: str, query: Document
) -> None:
    """No place of a group has been reached after asking time, and every group is met."""
    ledger = ledger_of(world)
    outcome = _outcome(query, ledger, session=session)
    if not isinstance(outcome, Execution):
        return
    evidence = evidence_of(outcome, ledger, AskedAt(session=session))
    visible = {f"D{day}:{at}" for day in range(1, int(session[1:]) + 1) for at in range(1, 5)}
    assert all(set(group) <= visible for group in evidence.groups)
    assert [group[0] for group in evidence.groups] == evidence.canonical
    assert bool(evidence.groups) == bool(outcome.why)


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(
    worlds(odd_dates=True),
    facts() | scalars() | truths(),
    st.sampled_from(["one", "all", "ordered"]),
)
def test_any_query_gives_a_value_or_says_why_not(
    world: list[tuple[Document, str]], query: Document, relation: str
) -> None:
    """Nothing but a query error comes out, and no value without a type."""
    ledger = ledger_of(world)
    try:
        found = run(query, ledger, relation)
        evidence_of(found, ledger)
    except QueryError as error:
        note(str(error))
        return
    assert found.values
    assert relation != "one" or len(found.values) == 1
    assert not found.why & found.context


def _large(size: int) -> Bundle:
    """A bundle of many facts: things with a price each, told once, many in pictures."""
    documents = [
        fact(f"F{at}", f"thing{at}", ("price", "depicts", "colour")[at % 3], str(at), kind="number")
        for at in range(size)
    ]
    return Bundle.model_validate(
        {
            "conversation": conversation(),
            "facts": documents,
            "mentions": [
                mention(f"M{at}", f"F{at}", f"D{at % 4 + 1}:{at % 3 + 1}") for at in range(size)
            ],
        }
    )


def _calls(ledger: Ledger, document: dict[str, Any]) -> int:
    """How many functions are called to answer a query, once the ledger is indexed."""
    query = parse_query(document)
    evidence_of(execute(query, ledger), ledger)
    profile = Profile()
    profile.runcall(lambda: evidence_of(execute(query, ledger), ledger))
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.slow
def test_a_narrow_look_up_does_not_walk_the_ledger_and_a_wide_one_walks_it_once() -> None:
    """Ten times the facts cost a look-up nothing more, and a fold ten times as much."""
    few, many = Ledger(_large(500)), Ledger(_large(5_000))
    narrow = get({"op": "as_of", "of": select(subject="thing3", attribute="price"), "at": "end"})
    wide = {"op": "fold", "of": select(attribute="price"), "with": "max"}
    assert _calls(many, narrow) <= _calls(few, narrow) + 10
    assert _calls(many, wide) <= 11 * _calls(few, wide)
