"""The grammar of the query language: what is an expression, and what is said of what is not."""

from typing import Any

import pytest

from memassay.schemas.errors import MalformedQueryError, QueryError, RecordError
from memassay.schemas.queries.grammar.query import OPERATORS
from memassay.schemas.queries.language import MAX_DEPTH, parse_query, query_json

Document = dict[str, Any]
ALL: Document = {"op": "select", "where": {}}


def test_there_are_21_operators_and_no_literal() -> None:
    """The language is closed: no operator states an answer."""
    assert len(OPERATORS) == 21
    assert "literal" not in OPERATORS


def test_a_query_is_written_as_it_was_read(paper_bundles: list[Document]) -> None:
    """Every query of the paper fixtures comes back from its model unchanged."""
    for bundle in paper_bundles:
        for item in bundle["questions"]:
            if item.get("query") is not None:
                assert query_json(parse_query(item["query"])) == item["query"], item["id"]


@pytest.mark.parametrize(
    ("document", "place", "reason"),
    [
        pytest.param(None, "q:", "an object with `op`, got", id="null"),
        pytest.param([], "q:", "an object with `op`, got", id="list"),
        pytest.param({}, "q:", "under `op`", id="no-operator"),
        pytest.param({"op": "literal", "value": "7"}, "q:", "got 'literal'", id="literal"),
        pytest.param({"op": "select"}, "q.where:", "missing", id="missing-field"),
        pytest.param(
            {"op": "select", "where": {"colour": "red"}}, "q.where.colour:", "unknown", id="filter"
        ),
        pytest.param(
            {"op": "get", "of": {**ALL, "x": 1}, "field": "value"}, "q.of.x:", "unknown", id="field"
        ),
        pytest.param(
            {"op": "get", "of": {"op": "count", "of": ALL}, "field": "value"},
            "q.of:",
            "got 'count'",
            id="scalars-where-facts-are-needed",
        ),
        pytest.param(
            {"op": "diff", "a": ALL, "b": "1", "unit": "EUR"},
            "q.a:",
            "got 'select'",
            id="facts-where-scalars-are-needed",
        ),
        pytest.param(
            {"op": "union", "of": [ALL, {"op": "selec", "where": {}}]},
            "q.of.1:",
            "got 'selec'",
            id="inside-a-list",
        ),
        pytest.param({"op": "selct"}, "q:", "(like it: 'select')", id="misspelt"),
        pytest.param(
            {"op": "select", "where": {"number": {"above": 4.5}}},
            "q.where.number.above:",
            "expected a string in quotes, got 4.5",
            id="bare-number",
        ),
        pytest.param(
            {"op": "select", "where": {"number": {"above": "4,5"}}},
            "q.where.number.above:",
            "got '4,5'",
            id="comma",
        ),
        pytest.param({"op": "union", "of": []}, "q.of:", "at least 1", id="empty-union"),
        pytest.param(
            {"op": "select", "where": {"order": "1"}}, "q.where.order:", "integer", id="text-order"
        ),
        pytest.param(
            {"op": "select", "where": {"session": "day 1"}}, "q.where.session:", "D", id="session"
        ),
        pytest.param(
            {"op": "select", "where": {"during": "May 2023"}}, "q.where.during:", "[0-9]", id="date"
        ),
        pytest.param(
            {"op": "pick", "of": ALL, "by": "luck", "which": "first"}, "q.by:", "'date'", id="by"
        ),
    ],
)
def test_what_is_no_expression_is_refused_with_its_place(
    document: object, place: str, reason: str
) -> None:
    """The message names the place in the JSON, what was expected and where to read on."""
    with pytest.raises(MalformedQueryError) as error:
        parse_query(document, "q")
    assert str(error.value).startswith(place)
    assert reason in str(error.value)
    assert "docs/queries.md" in str(error.value)


def test_a_malformed_query_is_a_record_error_too() -> None:
    """Whoever reads records catches it as one; whoever executes queries as a query error."""
    assert issubclass(MalformedQueryError, RecordError)
    assert issubclass(MalformedQueryError, QueryError)
    assert MalformedQueryError.exit_code == 2


@pytest.mark.parametrize("operator", ["compare", "diff"])
def test_two_texts_cannot_be_compared(operator: str) -> None:
    """A comparison of two texts would state its answer in place of looking it up."""
    more = {"with": "same"} if operator == "compare" else {"unit": "EUR"}
    query = {"op": operator, "a": "1", "b": "2", **more}
    if operator == "diff":
        query = {"op": "compare", "a": query, "b": "3", "with": "same"}
    with pytest.raises(MalformedQueryError, match="two texts"):
        parse_query(query)


def test_a_query_of_endless_depth_is_refused() -> None:
    """Nesting is limited before anything recursive looks at the document."""
    query = ALL
    for _ in range(100_000):
        query = {"op": "union", "of": [query]}
    with pytest.raises(MalformedQueryError, match=f"at most {MAX_DEPTH}"):
        parse_query(query)
