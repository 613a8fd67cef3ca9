"""Groups, counts of what is distinct, and positions of images."""

from typing import Any

import pytest
from support.ledgers import bundle_of, fact, get, ledger_of, mention, run, select, why

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryError, QueryTypeError
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle

Document = dict[str, Any]
EUR = {"kind": "number", "unit": "EUR"}


def _group(of: Document, by: str, measure: str = "count", which: str = "max", **n: int) -> Document:
    return {"op": "group", "of": of, "by": by, "with": measure, "which": which, **n}


def _count(of: Document, distinct: str) -> Document:
    return {"op": "count", "of": of, "distinct": distinct}


@pytest.fixture(scope="module")
def shop() -> Ledger:
    """Expenses of three people in three months, dated and in a list."""
    spent = [
        ("F1", "amy", "10", "2024-01-03", "D1:1"),
        ("F2", "Amy", "30", "2024-02-10T09:30", "D2:1"),
        ("F3", "ben", "25", "2024-02-11", "D2:1 D3:3"),
        ("F4", "ben", "5", "2024-02-11", "D2:2"),
        ("F5", "ÇİĞDEM", "31", "2024-03", "D3:1"),
        ("F6", "çiğdem", "8", "2024-03-09", "D4:1"),
    ]
    return ledger_of(
        [
            (fact(name, who, "spent", much, order=at, valid_from=when, **EUR), places)
            for at, (name, who, much, when, places) in enumerate(spent, start=1)
        ]
    )


SPENT = select(attribute="spent")


@pytest.mark.parametrize(
    ("query", "value"),
    [
        (_group(SPENT, "subject", "sum"), "Amy"),
        (_group(SPENT, "subject", "sum", "nth", n=2), "ÇİĞDEM"),
        (_group(SPENT, "subject", "sum", "min"), "ben"),
        (_group(SPENT, "subject", "mean", "nth", n=3), "ben"),
        (_group(SPENT, "subject", "max"), "ÇİĞDEM"),
        (_group(SPENT, "subject", "min"), "Amy"),
        (_group(SPENT, "month", "count"), "2024-02"),
        (_group(SPENT, "month", "sum", "min"), "2024-01"),
        (_group(SPENT, "month", "sum", "nth", n=2), "2024-03"),
        (_group(SPENT, "value", "max"), "31"),
        (_group(SPENT, "attribute", "count"), "spent"),
        (_group(SPENT, "session", "sum"), "D2"),
        (_group(SPENT, "session", "count", "nth"), "D2"),
    ],
    ids=str,
)
def test_a_group_gives_the_key_of_the_most_the_least_or_the_nth(
    shop: Ledger, query: Document, value: str
) -> None:
    """Spellings of one name are one group, in any alphabet; why is all members."""
    found = run(query, shop)
    assert found.values == [value]
    assert why(found) == ["F1", "F2", "F3", "F4", "F5", "F6"]


def test_a_key_keeps_its_type_and_unit(shop: Ledger) -> None:
    """A value as key is a number of its unit, a month a date: both can be compared."""
    found = run(_group(SPENT, "value", "max"), shop)
    assert (found.value_type, found.unit) == ("number", "EUR")
    later = {"op": "compare", "a": _group(SPENT, "month"), "b": "2024-01", "with": "more"}
    assert run(later, shop).values == ["true"]


@pytest.mark.parametrize(
    ("query", "error", "message"),
    [
        (_group(SPENT, "subject"), AmbiguousError, "'Amy', 'ben', 'ÇİĞDEM' with 2"),
        (_group(SPENT, "subject", "count", "nth", n=2), AmbiguousError, "one subject"),
        (_group(SPENT, "month", "count", "nth", n=4), NoResultError, "at least 4 groups, got 3"),
        (_group(select(attribute="unicorn"), "subject"), NoResultError, "group"),
        (_group(SPENT, "attachment"), NoResultError, "F1: expected a fact with an attachment"),
        (_group(SPENT, "subject", "last"), AmbiguousError, "order is not known"),
    ],
)
def test_ties_and_missing_keys_are_errors(
    shop: Ledger, query: Document, error: type[QueryError], message: str
) -> None:
    """Nobody can say which of two is the most; and 2024-03 is not before 2024-03-09."""
    with pytest.raises(error, match=message):
        run(query, shop)


def test_a_tie_beside_the_winner_is_none(shop: Ledger) -> None:
    """Two groups of one fact each leave the group of three the largest."""
    query = _group(select(subject=["amy", "ben"]), "month", "count")
    assert run(query, shop).values == ["2024-02"]
    with pytest.raises(AmbiguousError):
        run({**_group(SPENT, "session"), "which": "min"}, shop)


def _ledger(*facts: tuple[Document, str]) -> Ledger:
    return ledger_of(list(facts))


@pytest.mark.parametrize(
    ("one", "two", "query", "error"),
    [
        ({"value": "2"}, {"value": "3"}, ("subject", "sum"), AmbiguousError),
        ({"value": "2"}, {"value": "3", "supersedes": ["F1"]}, ("subject",), AmbiguousError),
        ({"value": "2"}, {"value": "3", "unit": "kg"}, ("session", "max"), QueryTypeError),
        ({"value": "2"}, {"value": "x", "kind": "text"}, ("session", "min"), QueryTypeError),
        ({"value": "2", "valid_from": "2024"}, {"value": "3"}, ("month",), AmbiguousError),
        ({"value": "2", "valid_from": "2023-02-30"}, {"value": "3"}, ("month",), QueryTypeError),
    ],
)
def test_what_cannot_be_measured_together_is_an_error(
    one: Document, two: Document, query: tuple[str, ...], error: type[QueryError]
) -> None:
    """As for `fold` and `count`, also where each group on its own could be measured."""
    facts = [
        fact(f"F{at}", "a", "b", **{"kind": "number", **each})
        for at, each in enumerate((one, two), start=1)
    ]
    ledger = _ledger((facts[0], "D1:1"), (facts[1], "D2:1"))
    with pytest.raises(error):
        run(_group(select(), *query), ledger)


def test_states_that_hold_no_longer_can_still_be_the_largest() -> None:
    """`max` of a history is of the history, as for `fold`."""
    ledger = _ledger(
        (fact("F1", "a", "b", "9", kind="number"), "D1:1"),
        (fact("F2", "a", "b", "3", kind="number", supersedes=["F1"]), "D2:1"),
        (fact("F3", "c", "b", "5", kind="number"), "D2:1"),
    )
    assert run(_group(select(), "subject", "max"), ledger).values == ["a"]
    assert run(_group(select(), "subject", "last"), ledger).values == ["c"]
    held = {"op": "as_of", "of": select(), "at": "end"}
    found = run(_group(held, "subject", "sum"), ledger)
    assert (found.values, why(found)) == (["c"], ["F2", "F3"])


@pytest.mark.parametrize(
    ("places", "dates", "value"),
    [
        (("D1:1", "D2:1"), (None, None), "3"),
        (("D2:1", "D1:1"), (None, None), "2"),
        (("D1:2", "D1:1"), (None, None), "2"),
        (("D1:2", "D1:1"), ("2024-01-01", "2024-01-02"), "3"),
        (("D1:2", "D1:1"), ("2024-01", "2024-01"), "2"),
        (("D1:1", "D1:1"), (None, None), None),
        (("D1:2", "D1:1"), ("2024-01", "2024-01-05"), None),
        (("", "D1:1"), ("2024-01-05", "2024-01-05"), None),
    ],
)
def test_last_is_by_date_then_by_place(
    places: tuple[str, str], dates: tuple[str | None, str | None], value: str | None
) -> None:
    """One group whose last number is 2 or 3, beside one of which the number is 2.5."""
    facts = [
        fact(
            f"F{at}",
            "a",
            "b",
            str(at),
            kind="number",
            valid_from=when,
            holder="world",
            session="D1",
        )
        for at, when in enumerate(dates, start=2)
    ]
    ledger = _ledger(
        *zip(facts, places, strict=True),
        (fact("F9", "middle", "b", "2.5", kind="number"), "D1:1"),
    )
    query = _group(select(), "subject", "last")
    if value is None:
        with pytest.raises(AmbiguousError, match="comes last"):
            run(query, ledger)
    else:
        assert run(query, ledger).values == ["a" if value == "3" else "middle"]


def test_last_without_any_dates_is_by_place() -> None:
    """A dialogue without dates still has an order."""
    ledger = ledger_of(
        [
            (fact("F1", "a", "b", "9", kind="number"), "D2:1"),
            (fact("F2", "a", "b", "1", kind="number"), "D1:1"),
            (fact("F3", "c", "b", "5", kind="number"), "D1:1"),
        ],
        dates=(None, None, None, None),
    )
    assert run(_group(select(), "subject", "last"), ledger).values == ["a"]


def _pictures() -> Bundle:
    """Three images and a document; the first image is attached again, the third shows two."""
    bundle = bundle_of(
        [
            (fact("F1", "map", "shows", "harbour"), ""),
            (fact("F2", "chart", "shows", "tide"), ""),
            (fact("F3", "boat", "shows", "mast"), ""),
            (fact("F4", "letter", "shows", "stamp"), ""),
            (fact("F5", "sky", "shows", "gull"), "D1:1"),
        ],
        [
            mention("M1", "F1", "D1:1", attachment="D1:IMG_002", modality="image"),
            mention("M2", "F1", "D3:1", attachment="D1:IMG_002", modality="image"),
            mention("M3", "F2", "D1:2", attachment="D1:IMG_010", modality="image"),
            mention("M4", "F3", "D2:1", attachment="D2:IMG_001", modality="image"),
            mention("M5", "F1", "D2:1", attachment="D2:IMG_001", modality="image"),
            mention("M6", "F4", "D1:3", attachment="D1:DOC_001", modality="document"),
            mention("M7", "F2", "D2:1", attachment="D2:IMG_001", form="partial", modality="image"),
            mention("M8", "F5", "D4:1", attachment="D9:IMG_001", modality="image"),
        ],
    )
    shown = {
        "D1:1": ["D1:IMG_002"],
        "D1:2": ["D1:IMG_010"],
        "D1:3": ["D1:DOC_001"],
        "D2:1": ["D2:IMG_001"],
        "D3:1": ["D1:IMG_002"],
    }
    document = bundle.model_dump(mode="json")
    for session in document["conversation"]["sessions"]:
        for round_ in session["rounds"]:
            round_["turns"][0]["attachments"] = [
                {"id": name, "asset": "c/a"} for name in shown.get(round_["id"], [])
            ]
    return Bundle.model_validate(document)


def test_an_ordinal_is_the_position_among_all_images() -> None:
    """By place, not by number; documents are none; an image attached again keeps its position."""
    ledger = Ledger(_pictures())
    assert run(get(select(value="tide"), "ordinal"), ledger).values == ["2"]
    assert run(get(select(value="mast"), "ordinal"), ledger).values == ["3"]
    assert run(get(select(value="harbour"), "ordinal"), ledger, "all").values == ["1", "3"]
    found = run(get(select(value="harbour"), "ordinal"), ledger, session="D1")
    assert (found.values, found.value_type, why(found)) == (["1"], "number", ["F1"])
    last = {"op": "compare", "a": get(select(value="mast"), "ordinal"), "b": "3", "with": "same"}
    assert run(last, ledger).values == ["true"]
    with pytest.raises(AmbiguousError):
        run(get(select(value="harbour"), "ordinal"), ledger)


@pytest.mark.parametrize("value", ["stamp", "gull"])
def test_what_no_image_of_the_conversation_shows_has_no_ordinal(value: str) -> None:
    """A fact of a document, and one of an attachment that does not exist."""
    with pytest.raises(NoResultError, match="an image of the conversation"):
        run(get(select(value=value), "ordinal"), Ledger(_pictures()))


def test_groups_by_attachment_hold_a_fact_several_times() -> None:
    """The third image shows the most; a fact shown twice by one image counts once there."""
    ledger = Ledger(_pictures())
    shown = select(value=["harbour", "tide", "mast"])
    found = run(_group(shown, "attachment"), ledger)
    assert (found.values, why(found)) == (["D2:IMG_001"], ["F1", "F2", "F3"])
    assert run(_count(shown, "attachment"), ledger).values == ["3"]
    assert run(_count(shown, "attachment"), ledger, session="D1").values == ["2"]


def test_distinct_sessions_and_days_are_counted() -> None:
    """A session is that of the first visible mention; a day may be known to the minute."""
    days = ["2024-01-10T09:30", "2024-01-10", "2024-01-11", "2024-02"]
    ledger = ledger_of(
        [
            (fact(f"F{at}", "a", "b", "c", valid_from=day), place)
            for at, (day, place) in enumerate(
                zip(days, ["D1:1 D3:1", "D3:1", "D3:2", "D3:4"], strict=True), start=1
            )
        ]
    )
    told = select()
    assert run(_count(told, "session"), ledger).values == ["2"]
    assert run(_count(told, "session"), ledger, session="D1").values == ["1"]
    exact = select(dated={"before": "2024-02"})
    found = run(_count(exact, "day"), ledger)
    assert (found.values, why(found)) == (["2"], ["F1", "F2", "F3", "F4"])
    with pytest.raises(AmbiguousError, match="names its day, got 2024-02"):
        run(_count(told, "day"), ledger)
    with pytest.raises(NoResultError, match="an attachment"):
        run(_count(told, "attachment"), ledger)


def test_a_count_of_days_needs_dates() -> None:
    """Where no session has a date there is no day to count, and sessions still are."""
    ledger = ledger_of([(fact("F1", "a", "b", "c"), "D1:1")], dates=(None, None, None, None))
    with pytest.raises(NoResultError, match="a date"):
        run(_count(select(), "day"), ledger)
    assert run(_count(select(), "session"), ledger).values == ["1"]
