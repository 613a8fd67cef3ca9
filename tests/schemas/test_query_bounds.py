"""Filters by number and date, and filters over what another operator gave."""

from typing import Any

import pytest
from support.ledgers import bundle_of, context, fact, get, ledger_of, mention, run, select, why

from memassay.schemas.errors import (
    AmbiguousError,
    MalformedQueryError,
    NoResultError,
    NotVisibleError,
    QueryError,
    QueryTypeError,
)
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]
KG = {"kind": "number", "unit": "kg"}


@pytest.fixture(scope="module")
def hive() -> Ledger:
    """Four weighings of a hive, one of them twice told; a change of the hive; a colour."""
    return ledger_of(
        [
            (fact("W1", "hive", "weight", "11.9", order=1, valid_from="2024-01-07", **KG), "D1:1"),
            (fact("W2", "hive", "weight", "12", order=2, **KG), "D2:1 D3:1"),
            (fact("W3", "hive", "weight", "12.0001", order=3, **KG), "D3:2"),
            (fact("W4", "hive", "weight", "-3", order=4, valid_from="2024-04", **KG), "D4:1"),
            (fact("C1", "hive", "moved", "2024-02-20", kind="date"), "D2:2"),
            (fact("C2", "hive", "colour", "green"), "D2:2"),
        ]
    )


def _weights(**bounds: str) -> Document:
    return select(attribute="weight", number={"unit": "kg", **bounds})


def _dated(**bounds: Any) -> Document:
    return select(attribute="weight", dated=bounds)


def _facts(query: Document, ledger: Ledger) -> list[str]:
    """Local ids of the facts that an expression gives: those for which it is not absent."""
    return why(run({"op": "absent", "of": query}, ledger))


@pytest.mark.parametrize(
    ("bounds", "facts"),
    [
        ({"above": "12"}, ["W3"]),
        ({"least": "12"}, ["W2", "W3"]),
        ({"least": "12.0"}, ["W2", "W3"]),
        ({"below": "12"}, ["W1", "W4"]),
        ({"most": "12"}, ["W1", "W2", "W4"]),
        ({"above": "-3", "below": "12"}, ["W1"]),
        ({"most": "-3"}, ["W4"]),
        ({"least": "012.00010"}, ["W3"]),
    ],
)
def test_a_number_lies_within_bounds(
    hive: Ledger, bounds: dict[str, str], facts: list[str]
) -> None:
    """Exactly: no float rounds 12.0001 to 12, and zeros make no difference."""
    assert _facts(_weights(**bounds), hive) == facts


def test_a_filter_by_number_rests_on_all_it_had_to_read(hive: Ledger) -> None:
    """Also on what is below the bound; a zero rests on them as well."""
    counted = run({"op": "count", "of": _weights(above="12")}, hive)
    assert (counted.values, why(counted)) == (["1"], ["W1", "W2", "W3", "W4"])
    none = run({"op": "count", "of": _weights(above="100")}, hive)
    assert (none.values, why(none)) == (["0"], ["W1", "W2", "W3", "W4"])
    early = run({"op": "count", "of": _weights(above="12")}, hive, session="D2")
    assert (early.values, why(early)) == (["0"], ["W1", "W2"])


def test_a_zero_out_of_nothing_is_no_number(hive: Ledger) -> None:
    """The bound of a filter proves nothing about facts that are not there."""
    moved = get(select(attribute="moved"), "date")
    for where in ({"number": {"above": "1"}}, {"dated": {"after": moved}}):
        with pytest.raises(NoResultError):
            run({"op": "count", "of": select(attribute="unicorn", **where)}, hive)


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"number": {"above": "12"}}, "W1.value.unit: expected no unit.*got kg"),
        ({"number": {"above": "12", "unit": "lb"}}, "expected lb.*got kg"),
        ({"number": {"above": "12", "unit": "KG"}}, "expected KG.*got kg"),
        ({"attribute": "colour", "number": {"above": "12"}}, "C2.value: expected a number"),
        ({"attribute": "moved", "number": {"above": "12"}}, "C1.value: expected a number"),
    ],
)
def test_a_pool_of_other_units_or_of_no_numbers_is_an_error(
    hive: Ledger, where: Document, message: str
) -> None:
    """What cannot be held against the bound is never left out in silence."""
    with pytest.raises(QueryTypeError, match=message):
        run({"op": "count", "of": select(**{"attribute": "weight", **where})}, hive)


@pytest.mark.parametrize(
    ("bounds", "facts"),
    [
        ({"after": "2024-01-07"}, ["W2", "W3", "W4"]),
        ({"from": "2024-01-07"}, ["W1", "W2", "W3", "W4"]),
        ({"before": "2024-04"}, ["W1", "W2", "W3"]),
        ({"until": "2024-04"}, ["W1", "W2", "W3", "W4"]),
        ({"after": "2024-03"}, ["W4"]),
        ({"from": "2024-02", "until": "2024-03"}, ["W2", "W3"]),
        ({"after": "D2"}, ["W3", "W4"]),
        ({"from": "D2", "before": "D4"}, ["W2", "W3"]),
        ({"until": "D1"}, ["W1"]),
        ({"after": "D1", "until": "2024-03"}, ["W2", "W3"]),
        ({"after": get(select(attribute="moved"), "date")}, ["W3", "W4"]),
        ({"before": get(select(attribute="colour"), "session")}, ["W1"]),
    ],
)
def test_a_date_or_session_lies_within_bounds(
    hive: Ledger, bounds: Document, facts: list[str]
) -> None:
    """A date stands for all it covers; a fact told twice is of the first session."""
    assert _facts(_dated(**bounds), hive) == facts


@pytest.mark.parametrize(
    ("date", "true", "false", "unknown"),
    [
        ("2024-03-10", "until", "after", ""),
        ("2024-03-10", "from", "before", ""),
        ("2024-03", "", "", "after before from until"),
        ("2024-03-11", "after from", "before until", ""),
        ("2024-03-09T23:59", "before until", "after from", ""),
        ("2024-03-10T12:00", "from until", "after before", ""),
        ("2024", "", "", "after before from until"),
        ("2024-04", "after from", "before until", ""),
    ],
)
def test_dates_of_any_precision_against_a_day(
    date: str, true: str, false: str, unknown: str
) -> None:
    """What the precision leaves open is an error, on either side."""
    ledger = ledger_of([(fact("F1", "a", "b", "c", valid_from=date), "D1:1")])
    for name in true.split():
        query = {"op": "count", "of": select(dated={name: "2024-03-10"})}
        assert run(query, ledger).values == ["1"], name
    for name in false.split():
        query = {"op": "count", "of": select(dated={name: "2024-03-10"})}
        assert run(query, ledger).values == ["0"], name
    for name in unknown.split():
        with pytest.raises(AmbiguousError, match=f"lies {name} 2024-03-10"):
            run({"op": "count", "of": select(dated={name: "2024-03-10"})}, ledger)


def test_each_bound_is_decided_on_its_own(hive: Ledger) -> None:
    """A fact that one bound leaves out must still be decided by the other."""
    with pytest.raises(AmbiguousError, match="W4"):
        run({"op": "count", "of": _dated(before="2024-03-01", until="2024-04-15")}, hive)


def test_why_of_a_bound_is_evidence_too(hive: Ledger) -> None:
    """Who asks for what came after the move must read of the move."""
    query = {"op": "count", "of": _dated(after=get(select(attribute="moved"), "date"))}
    found = run(query, hive)
    assert (found.values, why(found)) == (["2"], ["C1", "W1", "W2", "W3", "W4"])


@pytest.mark.parametrize(
    ("bound", "error"),
    [
        ("2023-02-30", QueryTypeError),
        ("D9", MalformedQueryError),
        (get(select(attribute="colour")), QueryTypeError),
        (get(select(attribute="weight", order=1)), QueryTypeError),
        (get(select(attribute="weight"), "date"), AmbiguousError),
        (get(select(attribute="unicorn"), "date"), NoResultError),
        ({"op": "count", "of": select()}, QueryTypeError),
    ],
)
def test_bounds_that_are_no_date_and_no_session(
    hive: Ledger, bound: Any, error: type[QueryError]
) -> None:
    """Also where no fact is left to be held against them."""
    with pytest.raises(error):
        run({"op": "count", "of": _dated(after=bound)}, hive)
    with pytest.raises(error):
        run({"op": "absent", "of": select(subject="nobody", dated={"after": bound})}, hive)


def test_a_session_after_asking_time_is_no_bound(hive: Ledger) -> None:
    """Nobody who asks after the second session knows of the third."""
    with pytest.raises(NotVisibleError, match=r"dated\.before"):
        run({"op": "count", "of": _dated(before="D3")}, hive, session="D2")
    assert run({"op": "count", "of": _dated(until="D2")}, hive, session="D2").values == ["2"]


def test_sessions_bound_what_has_no_dates() -> None:
    """In a conversation without dates sessions have an order, and dates are an error."""
    ledger = ledger_of(
        [(fact("F1", "a", "b", "c"), "D1:1"), (fact("F2", "a", "b", "d"), "D3:1 D1:2")],
        dates=(None, None, None, None),
    )
    assert run({"op": "count", "of": select(dated={"until": "D1"})}, ledger).values == ["2"]
    with pytest.raises(NoResultError, match="as `dated` asks"):
        run({"op": "count", "of": select(dated={"after": "2024"})}, ledger)


def test_what_has_no_session_cannot_be_bounded_by_one() -> None:
    """General knowledge is told nowhere."""
    ledger = ledger_of([(fact("F1", "a", "b", "c", holder="external"), "")])
    with pytest.raises(NoResultError, match="a session"):
        run({"op": "absent", "of": select(dated={"from": "D1"})}, ledger)


def test_the_first_error_is_that_of_the_number() -> None:
    """Whatever the order of facts: a text and an unclear date in one pool."""
    for first, second in (("F1", "F2"), ("F2", "F1")):
        ledger = ledger_of(
            [
                (fact(first, "a", "b", "many"), "D1:1"),
                (fact(second, "a", "b", "3", kind="number", valid_from="2024"), "D1:2"),
            ]
        )
        with pytest.raises(QueryTypeError, match=f"{first}.value"):
            run(get(select(number={"above": "1"}, dated={"after": "2024-02"})), ledger)


def test_other_filters_make_the_pool() -> None:
    """A weight in another unit is no matter where the filter does not look at it."""
    ledger = ledger_of(
        [
            (fact("F1", "hive", "weight", "13", **KG), "D1:1"),
            (fact("F2", "cat", "weight", "9", kind="number", unit="lb"), "D1:2"),
            (fact("F3", "hive", "weight", "14", kind="number", unit="lb"), "D3:2"),
        ]
    )
    query = select(subject="hive", session="D1", number={"above": "12", "unit": "kg"})
    found = run(get(query), ledger)
    assert (found.values, why(found)) == (["13"], ["F1"])


def test_facts_set_aside_are_bounded_for_as_of() -> None:
    """What was taken back later is read at an earlier point; it counts as context else."""
    ledger = ledger_of(
        [
            (fact("F1", "hive", "weight", "13", status="retracted", **KG), "D1:1"),
            (fact("F2", "hive", "weight", "11", supersedes=["F1"], **KG), "D3:1"),
        ],
        [mention("N1", "F1", "D3:1", form="denied")],
    )
    heavy = select(attribute="weight", number={"above": "12", "unit": "kg"})
    then = run(get({"op": "as_of", "of": heavy, "at": "D2"}), ledger)
    assert (then.values, why(then)) == (["13"], ["F1", "F2"])
    now = run({"op": "count", "of": heavy}, ledger)
    assert (now.values, why(now), context(now)) == (["0"], ["F2"], ["F1"])
    with pytest.raises(QueryTypeError, match="F1"):
        run({"op": "count", "of": select(number={"above": "12", "unit": "lb"})}, ledger)


def test_superseded_facts_of_the_pool_are_read() -> None:
    """Over what holds, ask what holds first."""
    ledger = ledger_of(
        [
            (fact("F1", "hive", "weight", "13", **KG), "D1:1"),
            (fact("F2", "hive", "weight", "11", supersedes=["F1"], **KG), "D3:1"),
        ]
    )
    held = {"op": "as_of", "of": select(attribute="weight"), "at": "end"}
    query = select(number={"above": "10", "unit": "kg"})
    found = run(get({**query, "of": held}), ledger)
    assert (found.values, why(found), context(found)) == (["11"], ["F2"], ["F1"])
    found = run(get({"op": "as_of", "of": _weights(above="10"), "at": "end"}), ledger)
    assert (found.values, why(found), context(found)) == (["11"], ["F2"], ["F1"])


def test_select_of_filters_what_another_operator_gave(hive: Ledger) -> None:
    """Why is that of the operator: all of it had to be read."""
    of = {"op": "sequence", "of": select(attribute="weight"), "by": "order"}
    found = run(get({**select(order=[3, 1]), "of": of}), hive, "ordered")
    assert (found.values, why(found)) == (["11.9", "12.0001"], ["W1", "W2", "W3", "W4"])
    none = run({"op": "count", "of": {**select(order=9), "of": of}}, hive)
    assert (none.values, why(none)) == (["0"], ["W1", "W2", "W3", "W4"])


def test_select_of_leaves_nothing_out_unasked() -> None:
    """What `of` was asked for stays: implied facts, interference, deletions, the question's own."""
    ledger = ledger_of(
        [
            (fact("F1", "a", "b", "c"), "D1:1"),
            (fact("F2", "a", "b", "d", status="implied", entailed_by=["F1"]), ""),
            (fact("F3", "a", "b", "e", status="interference"), "D2:1"),
            (fact("F4", "a", "b", "f", scope="question"), ""),
            (fact("F5", "a", "b", "g", operation="delete"), "D2:2"),
        ]
    )
    everything = {
        "op": "union",
        "of": [
            select(status="implied"),
            select(status="interference"),
            select(scope="question"),
            select(operation="delete"),
            select(),
        ],
    }
    over = {**select(subject="A"), "of": everything}
    assert run({"op": "count", "of": over}, ledger).values == ["5"]
    only = {**select(status="implied"), "of": everything}
    assert run(get(only), ledger).values == ["d"]


def test_a_dress_and_a_hat() -> None:
    """Images that show both: the facts of the images with the one, filtered by the other."""
    shown = [
        ("F1", "D1:IMG_001", "dress", "D1:1"),
        ("F2", "D1:IMG_001", "hat", "D1:1"),
        ("F3", "D2:IMG_001", "dress", "D2:1"),
        ("F4", "D3:IMG_001", "Hat", "D3:1"),
    ]
    ledger = Ledger(
        bundle_of(
            [(fact(name, image, "depicts", what), "") for name, image, what, _ in shown],
            [
                mention(f"{name}_M", name, place, attachment=image, modality="image")
                for name, image, _, place in shown
            ],
        )
    )
    dress = select(attribute="depicts", value="dress")
    beside = {"op": "follow", "of": dress, "attribute": "depicts", "from": "subject"}
    found = run(get({**select(value="HAT"), "of": beside}, "attachment"), ledger)
    assert (found.values, why(found)) == (["D1:IMG_001"], ["F1", "F2", "F3"])
