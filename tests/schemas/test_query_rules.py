"""`apply`: templates, tables, thresholds and linear formulas that a history teaches."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.ledgers import fact, get, ledger_of, run, select, why

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryError, QueryTypeError
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.scalars.rules import apply_rule
from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.taught_rule import LinearRule

Document = dict[str, Any]
FERRY = {
    "kind": "linear",
    "terms": {"adults": "12.50", "children": "4.25"},
    "constant": "3",
    "unit": "EUR",
}
RULES: dict[str, Document] = {
    "branch": {"kind": "template", "text": "{ticket}-{area}/{ticket}"},
    "bin": {"kind": "table", "slot": "waste", "rows": {"Glass": "green bin", "paper": "blue bin"}},
    "feed": {
        "kind": "threshold",
        "slot": "weight",
        "unit": "kg",
        "steps": [{"least": "20", "then": "two scoops"}, {"least": "35.5", "then": "three scoops"}],
        "otherwise": "one scoop",
    },
    "ferry": FERRY,
}


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Four rules in words, a dog that is weighed, a family."""
    rules = [
        (_rule(f"F{at}", name, rule), f"D1:{at}")
        for at, (name, rule) in enumerate(RULES.items(), start=1)
    ]
    return ledger_of(
        [
            *rules,
            (fact("F5", "rex", "weight", "35.5", kind="number", unit="kg"), "D2:1"),
            (fact("F6", "family", "children", "3", kind="number"), "D2:2"),
            (fact("F7", "family", "home", "Delft"), "D2:3"),
            (_rule("F8", "toll", {**FERRY, "constant": "4"}, order=1), "D2:4"),
            (_rule("F9", "toll", FERRY, order=2), "D3:1"),
        ],
    )


def _rule(name: str, subject: str, rule: Document, **more: Any) -> Document:
    made = fact(name, subject, "rule", f"how the {subject} is", kind="rule", **more)
    made["value"]["rule"] = rule
    return made


def _apply(subject: str, **to: Any) -> Document:
    return {"op": "apply", "rule": select(subject=subject, attribute="rule"), "to": to}


WEIGHT = get(select(subject="rex", attribute="weight"))


@pytest.mark.parametrize(
    ("query", "values", "unit"),
    [
        (_apply("branch", ticket="31", area="search"), ["31-search/31"], None),
        (_apply("branch", ticket="{area}", area="x"), ["{area}-x/{area}"], None),
        (_apply("bin", waste="glass"), ["green bin"], None),
        (_apply("feed", weight="20 kg"), ["two scoops"], None),
        (_apply("feed", weight="19.99"), ["one scoop"], None),
        (_apply("feed", weight=WEIGHT), ["three scoops"], None),
        (_apply("ferry", adults="2", children="1"), ["32.25"], "EUR"),
        (
            _apply("ferry", adults="0", children=get(select(attribute="children"))),
            ["15.75"],
            "EUR",
        ),
        (_apply("ferry", adults="0.1", children="-1"), ["0"], "EUR"),
    ],
)
def test_a_rule_is_applied_to_a_new_case(
    ledger: Ledger, query: Document, values: list[str], unit: str | None
) -> None:
    """Filled in once, looked up, compared at the step itself, computed exactly."""
    found = run(query, ledger)
    assert (found.values, found.unit) == (values, unit)


def test_it_rests_on_the_rule_and_on_what_is_put_in(ledger: Ledger) -> None:
    """A text of the query rests on nothing."""
    found = run(_apply("feed", weight=WEIGHT), ledger)
    assert why(found) == ["F3", "F5"]
    assert evidence_of(found, ledger).groups == [["D1:3"], ["D2:1"]]
    assert why(run(_apply("feed", weight="1 kg"), ledger)) == ["F3"]


@pytest.mark.parametrize(
    ("query", "error", "message"),
    [
        (_apply("branch", ticket="31"), QueryTypeError, "slots area, ticket, got ticket"),
        (_apply("bin", waste="glass", day="1"), QueryTypeError, "slots waste, got day, waste"),
        (_apply("bin", waste="wood"), NoResultError, "a row for 'wood'"),
        (_apply("feed", weight="20 g"), QueryTypeError, "a number in kg, got '20 g'"),
        (_apply("feed", weight="heavy"), QueryTypeError, "expected a number"),
        (
            _apply("ferry", adults="1", children=get(select(attribute="home"))),
            QueryTypeError,
            "expected a number, got 'Delft'",
        ),
        (_apply("toll", adults="1", children="1"), AmbiguousError, "one rule, got c/F8, c/F9"),
        (_apply("zoo", age="1"), NoResultError, "expected facts"),
        (
            {"op": "apply", "rule": select(attribute="home"), "to": {"a": "1"}},
            QueryTypeError,
            r"a rule, got c/F7 \(text\)",
        ),
    ],
)
def test_a_case_that_the_rule_does_not_fit_is_an_error(
    ledger: Ledger, query: Document, error: type[QueryError], message: str
) -> None:
    """Other slots, no row, another unit, a text, two rules, none, no rule at all."""
    with pytest.raises(error, match=message):
        run(query, ledger)


@given(st.lists(st.tuples(st.decimals(-999, 999, places=6), st.decimals(-999, 999, places=6))))
def test_a_linear_rule_is_exact(pairs: list[tuple[Any, Any]]) -> None:
    """The sum of products, digit for digit, as integers give it."""
    terms = {f"s{at}": str(factor) for at, (factor, _) in enumerate(pairs)} | {"one": "1"}
    values = {f"s{at}": Scalar(str(value), ValueType.NUMBER) for at, (_, value) in enumerate(pairs)}
    rule = LinearRule(kind="linear", terms=terms, constant="0.5")
    given_values = values | {"one": Scalar("1", ValueType.NUMBER)}
    whole = sum(int(factor * 10**6) * int(value * 10**6) for factor, value in pairs)
    sign, digits = "-" if (whole + 15 * 10**11) < 0 else "", abs(whole + 15 * 10**11)
    expected = f"{sign}{digits // 10**12}.{digits % 10**12:012d}".rstrip("0").rstrip(".")
    assert apply_rule(rule, given_values).text == ("0" if expected == "-0" else expected)
