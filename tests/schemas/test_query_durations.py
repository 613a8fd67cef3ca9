"""`shift`, `gaps`, and the claim of `conflict` as facts of the question's own images."""

from typing import Any

import pytest
from support.ledgers import fact, get, ledger_of, run, select, why

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryError, QueryTypeError
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """A kiln under warranty, a hive weighed four times, a dog and pictures of a question."""
    kilo = {"kind": "number", "unit": "kg"}
    poodle = {"scope": "question"}
    return ledger_of(
        [
            (fact("F1", "kiln", "bought", "2024-01-31", kind="date"), "D1:1"),
            (fact("F2", "kiln", "warranty", "25", kind="number", unit="months"), "D1:2"),
            (fact("F3", "shop", "opened", "2023-05", kind="date"), "D1:3"),
            (fact("F4", "wheel", "warranty", "1.5", kind="number", unit="year"), "D1:4"),
            (fact("F5", "hive", "weight", "11.2", valid_from="2024-01-10", **kilo), "D1:1"),
            (fact("F6", "hive", "weight", "12.5", valid_from="2024-01-31", **kilo), "D2:1"),
            (fact("F7", "hive", "weight", "9.8", valid_from="2024-03-01", **kilo), "D3:1"),
            (fact("F8", "hive", "weight", "12.5", valid_from="2024-03-22", **kilo), "D4:1"),
            (fact("F9", "Comet", "breed", "whippet"), "D2:2"),
            (fact("F10", "Comet", "colour", "grey"), "D2:3"),
            (fact("F11", "Comet", "breed", "poodle", **poodle), ""),
            (fact("F12", "Comet", "colour", "grey", **poodle), ""),
            (fact("F13", "Comet", "age", "3", **poodle), ""),
        ],
    )


BOUGHT = get(select(subject="kiln", attribute="bought"), "date")
OPENED = get(select(subject="shop"), "value")


def _shift(of: Any, by: Any, **more: str) -> Document:
    return {"op": "shift", "of": of, "by": by, **more}


@pytest.mark.parametrize(
    ("query", "date"),
    [
        (_shift(BOUGHT, get(select(subject="kiln", attribute="warranty"))), "2026-02-28"),
        (_shift(BOUGHT, "1 month"), "2024-02-29"),
        (_shift(BOUGHT, "2 Weeks", direction="earlier"), "2024-01-17"),
        (_shift(OPENED, "8 months"), "2024-01"),
        (_shift("2024-02-01", get(select(subject="kiln", attribute="warranty"))), "2026-03-01"),
        (_shift(BOUGHT, "0 days"), "2024-01-31"),
        (_shift(_shift(BOUGHT, "1 day"), "1 year"), "2025-02-01"),
    ],
)
def test_a_date_and_a_duration_give_a_date(ledger: Ledger, query: Document, date: str) -> None:
    """Looked up or stated, singular or plural; months keep to the end of the month."""
    found = run(query, ledger)
    assert (found.values, found.value_type) == ([date], "date")


def test_a_shift_rests_on_the_date_and_on_the_duration(ledger: Ledger) -> None:
    """A text of the query rests on nothing."""
    both = run(_shift(BOUGHT, get(select(subject="kiln", attribute="warranty"))), ledger)
    assert evidence_of(both, ledger).groups == [["D1:1"], ["D1:2"]]
    assert why(run(_shift(BOUGHT, "1 day"), ledger)) == ["F1"]


@pytest.mark.parametrize(
    ("of", "by", "error", "message"),
    [
        (OPENED, "2 weeks", AmbiguousError, "precise enough for a number of weeks, got 2023-05"),
        (BOUGHT, "3 hours", AmbiguousError, "precise enough"),
        (BOUGHT, "3", QueryTypeError, "whole number of year"),
        (BOUGHT, "3 kg", QueryTypeError, "whole number of year"),
        (BOUGHT, "soon", QueryTypeError, "expected a number"),
        (BOUGHT, get(select(subject="wheel")), QueryTypeError, "got '1.5 years'"),
        (BOUGHT, "9000 years", QueryTypeError, "year from 1 to 9999"),
        ("tomorrow", get(select(subject="kiln", attribute="warranty")), QueryTypeError, "date"),
        (get(select(attribute="colour")), "1 day", QueryTypeError, "shift.of: expected a date"),
        (get(select(subject="zoe")), "1 day", NoResultError, "expected facts, got none"),
    ],
)
def test_what_is_no_date_or_no_duration_is_an_error(
    ledger: Ledger, of: Any, by: Any, error: type[QueryError], message: str
) -> None:
    """Too coarse, no unit of time, no whole number, beyond the calendar."""
    with pytest.raises(error, match=message):
        run(_shift(of, by), ledger)


def _gaps(**more: Any) -> Document:
    return {"op": "gaps", "of": select(subject="hive"), **more}


def test_gaps_are_the_distances_of_neighbours(ledger: Ledger) -> None:
    """In days between weighings, in kilograms between weights, each of them, in order."""
    days = run(_gaps(unit="day"), ledger, "ordered")
    assert (days.values, days.unit, why(days)) == (
        ["21", "30", "21"],
        "day",
        ["F5", "F6", "F7", "F8"],
    )
    change = run(_gaps(field="value"), ledger, "all")
    assert (change.values, change.unit) == (["1.3", "-2.7", "2.7"], "kg")


@pytest.mark.parametrize(
    ("how", "query", "value"),
    [
        ("max", _gaps(unit="day"), "30"),
        ("mean", _gaps(unit="day"), "24"),
        ("sum", _gaps(unit="week", rounding="down"), "10"),
        ("min", _gaps(field="value"), "-2.7"),
    ],
)
def test_gaps_are_folded(ledger: Ledger, how: str, query: Document, value: str) -> None:
    """The longest pause between two weighings."""
    assert run({"op": "fold", "of": query, "with": how}, ledger).values == [value]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ({**_gaps(unit="day"), "of": select(subject="shop")}, NoResultError),
        (_gaps(unit="week"), NoResultError),
        (_gaps(), QueryTypeError),
        (_gaps(unit="kg"), QueryTypeError),
        (_gaps(field="value", unit="g"), QueryTypeError),
        (_gaps(by="value", unit="day"), AmbiguousError),
        ({**_gaps(field="value", by="said"), "of": select(subject="Comet")}, QueryTypeError),
    ],
)
def test_gaps_need_two_facts_and_an_order(
    ledger: Ledger, query: Document, error: type[QueryError]
) -> None:
    """One fact, no whole weeks, no unit of time, a tie, texts."""
    with pytest.raises(error):
        run(query, ledger, "all")


def _conflict(**where: Any) -> Document:
    claim = select(scope="question", **where)
    return {"op": "conflict", "claim": claim, "against": select(subject="Comet")}


def test_pictures_of_a_question_are_contradicted_by_what_was_told(ledger: Ledger) -> None:
    """One of two things in the picture is wrong; the picture itself needs no place."""
    found = run(_conflict(attribute=["breed", "colour"]), ledger)
    assert (found.values, why(found)) == (["true"], ["F11", "F12", "F9"])
    assert evidence_of(found, ledger).groups == [["D2:2"]]
    agreed = run(_conflict(attribute="colour"), ledger)
    assert (agreed.values, why(agreed)) == (["false"], ["F10", "F12"])


def test_what_a_picture_claims_must_be_spoken_of(ledger: Ledger) -> None:
    """Nobody told how old Comet is; and a claim is of the question, not of the history."""
    with pytest.raises(NoResultError, match="age of Comet"):
        run(_conflict(attribute="age"), ledger)
    with pytest.raises(NoResultError, match=r"conflict\.claim"):
        run(_conflict(attribute="owner"), ledger)
    told = {"op": "conflict", "claim": select(subject="hive"), "against": select(subject="hive")}
    with pytest.raises(QueryTypeError, match="the question's own images, got c/F5"):
        run(told, ledger)
