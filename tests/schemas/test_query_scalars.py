"""What the operators that give numbers and truth give, and why; what is an error."""

from typing import Any

import pytest
from support.ledgers import get, household, run, select, why

from memassay.schemas.errors import (
    AmbiguousError,
    NoResultError,
    QueryError,
    QueryTypeError,
)
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Amy, her pets, a kiln, prices, steps, sources and a chart."""
    return household()


def _price(subject: str) -> Document:
    return get(select(subject=subject, attribute="price"))


def _both(attribute: str) -> Document:
    return select(subject=["kiln", "wheel"], attribute=attribute)


def _diff(a: Document | str, b: Document | str, unit: str | None, **more: str) -> Document:
    return {"op": "diff", "a": a, "b": b, "unit": unit, **more}


def _date(subject: str) -> Document:
    return get(select(subject=subject, attribute="bought"), "date")


def test_count_counts_facts_or_what_is_distinct(ledger: Ledger) -> None:
    """Three steps of one plan."""
    steps = select(attribute="step")
    assert run({"op": "count", "of": steps}, ledger).values == ["3"]
    assert run({"op": "count", "of": steps, "distinct": "subject"}, ledger).values == ["1"]


def test_a_count_of_nothing_is_an_absence(ledger: Ledger) -> None:
    """Zero has no evidence; `absent` says so, and a zero left by minus is a number."""
    steps = select(attribute="step")
    with pytest.raises(NoResultError):
        run({"op": "count", "of": select(attribute="unicorn")}, ledger)
    none = run({"op": "count", "of": {"op": "minus", "a": steps, "b": steps}}, ledger)
    assert (none.values, why(none)) == (["0"], ["F10", "F8", "F9"])


@pytest.mark.parametrize(
    ("how", "value"),
    [("sum", "2490.50"), ("mean", "1245.25"), ("min", "640.50"), ("max", "1850")],
)
def test_fold_computes_in_decimals(ledger: Ledger, how: str, value: str) -> None:
    """No float takes part, and the unit is kept."""
    found = run({"op": "fold", "of": _both("price"), "with": how}, ledger)
    assert (found.values, found.unit, why(found)) == ([value], "EUR", ["F4", "F5"])


def test_a_fold_of_mixed_units_is_an_error(ledger: Ledger) -> None:
    """Euros and kilograms have no sum."""
    query = {"op": "fold", "of": select(attribute=["price", "weight"]), "with": "sum"}
    with pytest.raises(QueryTypeError, match="EUR, kg"):
        run(query, ledger)


@pytest.mark.parametrize(
    ("query", "value", "unit"),
    [
        (_diff(_price("kiln"), _price("wheel"), "EUR"), "1209.50", "EUR"),
        (_diff(_price("wheel"), _price("kiln"), None), "-1209.50", "EUR"),
        (_diff(_price("kiln"), "1800", "EUR"), "50", "EUR"),
        (_diff(_date("wheel"), _date("kiln"), "day"), "42", "day"),
        (_diff(_date("wheel"), _date("kiln"), "week"), "6", "week"),
        (_diff(_date("kiln"), _date("wheel"), "week"), "-6", "week"),
        (_diff(_date("wheel"), _date("kiln"), "month", rounding="down"), "1", "month"),
        (_diff(get(select(attribute="month"), "date"), "2024-01", "month"), "2", "month"),
    ],
)
def test_diff_is_signed_and_by_calendar(
    ledger: Ledger, query: Document, value: str, unit: str
) -> None:
    """The first minus the second, both sides being evidence."""
    found = run(query, ledger)
    assert (found.values, found.unit) == ([value], unit)


@pytest.mark.parametrize(
    ("query", "error"),
    [
        (_diff(_date("wheel"), _date("kiln"), "month"), NoResultError),
        (_diff(_date("wheel"), get(select(attribute="month"), "date"), "day"), AmbiguousError),
        (_diff(_date("wheel"), _date("kiln"), "hour"), AmbiguousError),
        (_diff(_date("wheel"), _date("kiln"), "EUR"), QueryTypeError),
        (_diff(_date("wheel"), _price("kiln"), "day"), QueryTypeError),
        (_diff(_price("wheel"), _price("kiln"), "kg"), QueryTypeError),
        (_diff(get(select(attribute="weight")), _price("kiln"), None), QueryTypeError),
        (_diff(_date("wheel"), "soon", "day"), QueryTypeError),
        (_diff(get(select(attribute="breed")), "Boxer", None), QueryTypeError),
        (_diff(get(select(attribute="pet")), "Rex", None), AmbiguousError),
    ],
)
def test_what_cannot_be_subtracted_is_an_error(
    ledger: Ledger, query: Document, error: type[QueryError]
) -> None:
    """Uneven distances, coarse dates, other types and units, several values."""
    with pytest.raises(error):
        run(query, ledger)


@pytest.mark.parametrize(
    ("a", "how", "b", "value"),
    [
        (_price("kiln"), "more", _price("wheel"), "true"),
        (_price("kiln"), "less", "1850.00", "false"),
        (_price("kiln"), "same", "1,850 EUR", "true"),
        (_date("kiln"), "less", _date("wheel"), "true"),
        (get(select(attribute="breed")), "same", "the boxer", "true"),
        (get(select(attribute="breed")), "differ", "Poodle", "true"),
        ({"op": "count", "of": select(attribute="step")}, "more", "2", "true"),
    ],
)
def test_compare(ledger: Ledger, a: Document, how: str, b: Document | str, value: str) -> None:
    """Numbers by value, dates by time, words by what they say."""
    assert run({"op": "compare", "a": a, "b": b, "with": how}, ledger).values == [value]


def test_words_have_no_order(ledger: Ledger) -> None:
    """Less and more are of numbers and dates."""
    query = {"op": "compare", "a": get(select(attribute="breed")), "b": "Poodle", "with": "less"}
    with pytest.raises(QueryTypeError):
        run(query, ledger)


def _conflict(subject: str, value: str, **more: Any) -> Document:
    claim = {"subject": subject, "attribute": "breed", "value": value, **more}
    return {"op": "conflict", "claim": claim, "against": select(attribute="breed")}


def test_conflict_rests_on_the_facts_that_decide(ledger: Ledger) -> None:
    """Another breed contradicts, the same one confirms, a second boxer only if one may be."""
    assert run(_conflict("Rex", "poodle"), ledger).values == ["true"]
    assert run(_conflict("Rex", "boxer"), ledger).values == ["false"]
    found = run(_conflict("Ace", "boxer", one="subject"), ledger)
    assert (found.values, why(found)) == (["true"], ["F3"])


def test_facts_that_do_not_speak_to_a_claim_are_an_error(ledger: Ledger) -> None:
    """Nothing is known of Ace: neither yes nor no."""
    with pytest.raises(NoResultError, match="speak to"):
        run(_conflict("Ace", "boxer"), ledger)


def test_facts_for_and_against_a_claim_are_an_error(ledger: Ledger) -> None:
    """One source says Aarhus, the other Esbjerg."""
    claim = {"subject": "fair", "attribute": "place", "value": "Aarhus"}
    query = {"op": "conflict", "claim": claim, "against": select(attribute="place")}
    with pytest.raises(AmbiguousError, match="as_of"):
        run(query, ledger)


def test_absent_rests_on_nothing_and_names_near_misses(ledger: Ledger) -> None:
    """The world knows of a brother whom nobody mentioned: for the reader he is absent."""
    found = run({"op": "absent", "of": select(subject="amy", attribute="brother")}, ledger)
    assert (found.values, why(found)) == (["true"], [])
    assert "c/F1" in found.decoys
    assert "c/F20" not in found.decoys
    there = run({"op": "absent", "of": select(subject="Rex", attribute="breed")}, ledger)
    assert (there.values, why(there)) == (["false"], ["F3"])


def _choose(of: Document, **options: str) -> Document:
    return {"op": "choose", "of": of, "options": options}


def test_choose_gives_the_label_and_adds_nothing_to_why(ledger: Ledger) -> None:
    """Options are read like the value: a number may have its unit."""
    found = run(_choose(_price("kiln"), A="640.50 EUR", B="1850 EUR"), ledger)
    assert (found.values, why(found)) == (["B"], ["F4"])
    assert found.options == {"A": "640.50 EUR", "B": "1850 EUR"}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"A": "1", "B": "2"}, NoResultError),
        ({"A": "1850", "B": "1850.0"}, AmbiguousError),
        ({"A": "1850", "B": "cheap"}, QueryTypeError),
    ],
)
def test_options_of_which_not_exactly_one_is_right(
    ledger: Ledger, options: dict[str, str], error: type[QueryError]
) -> None:
    """No option, two options, an option of another type."""
    with pytest.raises(error):
        run(_choose(_price("kiln"), **options), ledger)
