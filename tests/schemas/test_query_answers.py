"""Answers from executions, and the proof that an item's gold is what its query gives."""

from typing import Any

import pytest
from support.ledgers import bundle_of, fact, get, household, mention, run, select

from memassay.schemas.errors import (
    AmbiguousError,
    GoldError,
    MalformedQueryError,
    NotVisibleError,
    QueryError,
    QueryTypeError,
)
from memassay.schemas.queries.answers import answer_values, check_item
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactStatus, ValueType
from memassay.schemas.records.question import AnswerFormat, QAItem

Document = dict[str, Any]


@pytest.fixture(scope="module")
def bundles(paper_bundles: list[Document]) -> list[Bundle]:
    """Every bundle of the paper fixtures, as records."""
    return [Bundle.model_validate(each) for each in paper_bundles]


def test_every_query_of_the_five_papers_gives_its_gold(bundles: list[Bundle]) -> None:
    """Items of every question type, answered at asking time in their modalities."""
    checked = 0
    for bundle in bundles:
        ledger = Ledger(bundle)
        for item in bundle.questions:
            if item.query is not None:
                check_item(item, bundle, ledger)
                checked += 1
    assert checked >= 170


def test_every_query_of_the_five_papers_gives_its_evidence(bundles: list[Bundle]) -> None:
    """The places and facts written down by hand are those derived from mentions."""
    for bundle in bundles:
        ledger = Ledger(bundle)
        for item in bundle.questions:
            if item.query is None or item.answer.format is AnswerFormat.REFUSAL:
                continue
            execution = check_item(item, bundle, ledger)
            found = evidence_of(execution, ledger, item.asked_at, item.modalities)
            assert found.groups == item.evidence.groups, item.id
            assert found.canonical == item.evidence.canonical, item.id
            assert set(found.facts) == set(item.evidence.facts), item.id


def test_interference_never_counts_among_the_facts(bundles: list[Bundle]) -> None:
    """No gold of the fixtures rests on filler."""
    for bundle in bundles:
        ledger = Ledger(bundle)
        for item in bundle.questions:
            if item.query is not None:
                why = check_item(item, bundle, ledger).why
                status = {ledger.facts[name].status for name in why}
                assert FactStatus.INTERFERENCE not in status, item.id


@pytest.mark.parametrize(
    ("values", "kind", "unit", "form", "answers"),
    [
        (["26.40"], "number", "EUR", "number", ["26.40 EUR"]),
        (["41"], "number", None, "number", ["41"]),
        (["12"], "number", "%", "number", ["12%"]),
        (["1"], "number", "week", "number", ["1 week"]),
        (["4"], "number", "week", "number", ["4 weeks"]),
        (["-1.0"], "number", "day", "free", ["-1.0 day"]),
        (["62"], "number", "g", "free", ["62 g"]),
        (["2023-03"], "date", None, "date", ["2023-03"]),
        (["true"], "boolean", None, "yes_no", ["Yes."]),
        (["false"], "boolean", None, "free", ["No."]),
        (["true"], "boolean", None, "refusal", ["Not mentioned."]),
        (["D1:IMG_001", "D2:DOC_001"], "entity", None, "image_id", ["D1:IMG_001", "D2:DOC_001"]),
    ],
)
def test_the_format_renders_values_with_their_units(
    values: list[str], kind: str, unit: str | None, form: str, answers: list[str]
) -> None:
    """Units of time take a plural, truth becomes yes or no, nothing else is touched."""
    execution = Execution(values, ValueType(kind), unit, frozenset())
    assert answer_values(execution, AnswerFormat(form)) == answers


@pytest.mark.parametrize(
    ("values", "kind", "form"),
    [
        (["red"], "text", "number"),
        (["red"], "text", "date"),
        (["red"], "text", "yes_no"),
        (["red"], "text", "choice"),
        (["red"], "text", "image_id"),
        (["D1:1"], "entity", "image_id"),
        (["false"], "boolean", "refusal"),
    ],
)
def test_values_that_the_format_cannot_hold_are_an_error(
    values: list[str], kind: str, form: str
) -> None:
    """A colour is no number, a round no image, a known fact no refusal."""
    with pytest.raises(QueryTypeError):
        answer_values(Execution(values, ValueType(kind), None, frozenset()), AnswerFormat(form))


def test_a_choice_is_answered_with_its_label() -> None:
    """The label, not what the option says."""
    query = {
        "op": "choose",
        "of": get(select(attribute="breed")),
        "options": {"A": "Poodle", "B": "Boxer"},
    }
    assert answer_values(run(query, household()), AnswerFormat.CHOICE) == ["B"]


@pytest.fixture
def bundle() -> Bundle:
    """A price in a text, a colour in a picture, two pets."""
    return bundle_of(
        [
            (fact("F1", "kiln", "price", "1850", kind="number", unit="EUR"), "D2:1"),
            (fact("F2", "van", "colour", "red"), ""),
            (fact("F3", "amy", "pet", "Rex", order=1), "D1:1"),
            (fact("F4", "amy", "pet", "Tom", order=2), "D1:2"),
        ],
        [mention("F2_M1", "F2", "D3:1", modality="image", attachment="D3:IMG_001")],
    )


PRICE, COLOUR, PETS = (get(select(attribute=name)) for name in ("price", "colour", "pet"))
NO_DOG = {"op": "absent", "of": select(subject="ben", attribute="pet")}


def _item(query: Document | None, answer: Document, **more: Any) -> QAItem:
    return QAItem.model_validate(
        {
            "id": "c/Q1",
            "conversation": "c",
            "question": {"text": "?"},
            "answer": answer,
            "modalities": ["text"],
            "type": "fact_recall",
            "benchmark_type": "ss",
            "origin": "machine",
            "query": query,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (PRICE, {"format": "number", "values": ["1850 EUR"]}),
        (PRICE, {"format": "number", "values": ["1,850.00 EUR"]}),
        (PRICE, {"format": "free", "values": ["dear"], "equivalents": ["1850 EUR"]}),
        (PETS, {"format": "free", "values": ["Tom", "Rex"], "relation": "all"}),
        (NO_DOG, {"format": "refusal", "values": ["The conversation does not say."]}),
    ],
)
def test_a_gold_that_the_query_gives_is_proven(
    bundle: Bundle, query: Document, answer: Document
) -> None:
    """Up to spelling of numbers, order of a set and listed wordings."""
    assert check_item(_item(query, answer), bundle).values


@pytest.mark.parametrize(
    ("query", "answer", "more", "error", "message"),
    [
        (None, {"format": "free", "values": ["x"]}, {}, MalformedQueryError, "a person"),
        ({"op": "guess"}, {"format": "free", "values": ["x"]}, {}, MalformedQueryError, "guess"),
        (PRICE, {"format": "number", "values": ["1950 EUR"]}, {}, GoldError, "1950"),
        (PRICE, {"format": "number", "values": ["1850 USD"]}, {}, GoldError, "USD"),
        (PRICE, {"format": "number", "values": ["much"]}, {}, GoldError, "much"),
        (PRICE, {"format": "number", "values": []}, {}, GoldError, "answer.values"),
        (PETS, {"format": "free", "values": ["Rex"]}, {}, AmbiguousError, "'Tom'"),
        (
            PETS,
            {"format": "free", "values": ["Rex", "Rex"], "relation": "all"},
            {},
            GoldError,
            "Rex",
        ),
        (
            PETS,
            {"format": "free", "values": ["Rex"], "relation": "all"},
            {},
            GoldError,
            "Tom",
        ),
        (
            {"op": "sequence", "of": select(attribute="pet"), "by": "order"},
            {"format": "free", "values": ["Tom", "Rex"], "relation": "ordered"},
            {},
            GoldError,
            "Rex",
        ),
        (COLOUR, {"format": "free", "values": ["red"]}, {}, NotVisibleError, "text"),
        (
            PRICE,
            {"format": "number", "values": ["1850 EUR"]},
            {"asked_at": {"session": "D1"}},
            NotVisibleError,
            "asking time",
        ),
        (NO_DOG, {"format": "yes_no", "values": ["Yes."]}, {}, GoldError, "refusal"),
        (
            {"op": "compare", "a": PRICE, "b": "2000", "with": "less"},
            {"format": "refusal", "values": ["Not mentioned."]},
            {},
            GoldError,
            "refusal",
        ),
        (
            {"op": "choose", "of": PRICE, "options": {"A": "1850", "E": "2000"}},
            {
                "format": "choice",
                "values": ["A"],
                "options": [{"label": "A", "text": "1850"}, {"label": "B", "text": "2000"}],
            },
            {},
            GoldError,
            "labels",
        ),
    ],
)
def test_a_gold_that_is_not_proven_is_an_error(
    bundle: Bundle,
    query: Document | None,
    answer: Document,
    more: Document,
    error: type[QueryError],
    message: str,
) -> None:
    """The error names the item, what was expected, and is of the kind of its cause."""
    with pytest.raises(error, match=message) as caught:
        check_item(_item(query, answer, **more), bundle)
    assert str(caught.value).startswith("c/Q1.")
    assert type(caught.value) is error
