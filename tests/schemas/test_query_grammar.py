"""The grammar of filters by number and date, groups, gaps, shifts, endings and rules."""

from typing import Any

import pytest

from memassay.schemas.errors import MalformedQueryError
from memassay.schemas.queries.grammar.query import parts
from memassay.schemas.queries.language import parse_query, query_json

Document = dict[str, Any]
ALL: Document = {"op": "select", "where": {}}
DAY: Document = {"op": "get", "of": ALL, "field": "date"}


@pytest.mark.parametrize(
    "query",
    [
        {"op": "select", "of": ALL, "where": {"value": "hat"}},
        {"op": "select", "where": {"number": {"above": "12", "most": "-3.5", "unit": "kg"}}},
        {"op": "select", "where": {"dated": {"after": "2024-03", "until": "D3"}}},
        {"op": "select", "where": {"dated": {"from": DAY, "before": DAY}}},
        {"op": "count", "of": ALL, "distinct": "attachment"},
        {"op": "get", "of": ALL, "field": "ordinal"},
        {"op": "group", "of": ALL, "by": "month", "with": "last", "which": "nth", "n": 2},
        {"op": "gaps", "of": ALL},
        {"op": "gaps", "of": ALL, "by": "order", "field": "value"},
        {"op": "fold", "of": {"op": "gaps", "of": ALL, "unit": "day"}, "with": "max"},
        {"op": "shift", "of": DAY, "by": "24 months"},
        {"op": "shift", "of": "2024-03-16", "by": {"op": "fold", "of": ALL, "with": "sum"}},
        {"op": "apply", "rule": ALL, "to": {"ticket": "31", "area": DAY}},
        {"op": "exists", "of": ALL},
        {"op": "ended", "of": ALL},
        {"op": "conflict", "claim": ALL, "against": ALL},
        {"op": "choose", "of": {"op": "ended", "of": ALL}, "options": {"A": "yes", "B": "no"}},
    ],
    ids=str,
)
def test_a_query_is_written_as_it_was_read(query: Document) -> None:
    """Every operator and filter, with and without what has a default."""
    assert query_json(parse_query(query)) == query


@pytest.mark.parametrize(
    ("query", "place", "reason"),
    [
        pytest.param(
            {"op": "select", "where": {"number": {"unit": "kg"}}},
            "q.where.number:",
            "expected at least one of above, below, least, most, got none",
            id="number-without-bound",
        ),
        pytest.param(
            {"op": "select", "where": {"dated": {}}},
            "q.where.dated:",
            "at least one of after, before, from, until",
            id="dated-without-bound",
        ),
        pytest.param(
            {"op": "select", "where": {"number": {"above": "12 kg"}}},
            "q.where.number.above:",
            "[0-9]",
            id="bound-with-unit",
        ),
        pytest.param(
            {"op": "select", "where": {"number": {"above": 12}}},
            "q.where.number.above:",
            "string",
            id="bound-that-is-no-text",
        ),
        pytest.param(
            {"op": "select", "where": {"number": {"above": "١٢"}}},
            "q.where.number.above:",
            "[0-9]",
            id="digits-of-another-script",
        ),
        pytest.param(
            {"op": "select", "where": {"dated": {"after": "last May"}}},
            "q.where.dated.after:",
            "[0-9]",
            id="date-in-words",
        ),
        pytest.param(
            {"op": "select", "where": {"dated": {"from": ALL}}},
            "q.where.dated.from:",
            "got 'select'",
            id="facts-as-date",
        ),
        pytest.param(
            {"op": "select", "where": {"dated": {"since": "D1"}}},
            "q.where.dated.since:",
            "unknown",
            id="unknown-bound",
        ),
        pytest.param(
            {"op": "select", "of": DAY, "where": {}}, "q.of:", "got 'get'", id="scalars-as-pool"
        ),
        pytest.param(
            {"op": "group", "of": ALL, "by": "month", "with": "count", "which": "first"},
            "q.which:",
            "'max'",
            id="which-of-facts",
        ),
        pytest.param(
            {"op": "group", "of": ALL, "by": "mood", "with": "count", "which": "max"},
            "q.by:",
            "'month'",
            id="unknown-key",
        ),
        pytest.param(
            {"op": "gaps", "of": ALL, "field": "subject"}, "q.field:", "'date'", id="gaps-of-words"
        ),
        pytest.param(
            {"op": "get", "of": {"op": "gaps", "of": ALL}, "field": "value"},
            "q.of:",
            "got 'gaps'",
            id="gaps-are-no-facts",
        ),
        pytest.param(
            {"op": "fold", "of": {"op": "count", "of": ALL}, "with": "sum"},
            "q.of:",
            "'gaps'",
            id="fold-of-one-number",
        ),
        pytest.param(
            {"op": "apply", "rule": ALL, "to": {}}, "q.to:", "at least 1", id="rule-without-slots"
        ),
        pytest.param(
            {"op": "apply", "rule": ALL, "to": {"get": ALL}},
            "q.to.get:",
            "got 'select'",
            id="facts-in-a-slot",
        ),
        pytest.param(
            {"op": "conflict", "claim": {"subject": "a", "attribute": "b"}, "against": ALL},
            "q.claim.value:",
            "missing",
            id="half-a-claim",
        ),
        pytest.param(
            {"op": "conflict", "claim": DAY, "against": ALL}, "q.claim:", "got 'get'", id="claim"
        ),
        pytest.param({"op": "exists", "of": DAY}, "q.of:", "got 'get'", id="exists-of-scalars"),
        pytest.param(
            {"op": "get", "of": {"op": "ended", "of": ALL}, "field": "value"},
            "q.of:",
            "got 'ended'",
            id="truth-where-facts-are-needed",
        ),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(
    query: Document, place: str, reason: str
) -> None:
    """The message names the place in the JSON, what was expected and where to read on."""
    with pytest.raises(MalformedQueryError) as error:
        parse_query(query, "q")
    assert str(error.value).startswith(place)
    assert reason in str(error.value)
    assert "docs/queries.md" in str(error.value)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"op": "shift", "of": "2024-03-16", "by": "24 months"}, "q:"),
        (
            {
                "op": "select",
                "where": {"dated": {"after": {"op": "diff", "a": "1", "b": "2"}}},
            },
            "q.where.dated.after:",
        ),
        (
            {
                "op": "apply",
                "rule": ALL,
                "to": {"ticket": {"op": "shift", "of": "2024", "by": "1 year"}},
            },
            "q.to.ticket:",
        ),
    ],
)
def test_two_texts_cannot_stand_alone_anywhere(query: Document, place: str) -> None:
    """Wherever an expression can stand, two texts would state what it gives."""
    with pytest.raises(MalformedQueryError, match="two texts") as error:
        parse_query(query, "q")
    assert str(error.value).startswith(place)


def test_the_parts_of_a_query_are_named_by_their_paths() -> None:
    """Filters, lists and slots are passed through; every operator comes once, outside first."""
    query = parse_query(
        {
            "op": "count",
            "of": {
                "op": "union",
                "of": [{"op": "select", "where": {"dated": {"from": DAY}}}, ALL],
            },
        }
    )
    assert [(path, part.op) for path, part in parts(query)] == [
        ("", "count"),
        ("of", "union"),
        ("of.of.0", "select"),
        ("of.of.0.where.dated.from", "get"),
        ("of.of.0.where.dated.from.of", "select"),
        ("of.of.1", "select"),
    ]
