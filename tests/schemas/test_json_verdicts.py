"""Both JSON Schema validators, and the models, give one verdict on any document."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.places import PAPERS, TESTS

from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.json_schemas import parse_record, schema_errors

Document = dict[str, Any]
OTHER_KINDS: list[tuple[str, Document]] = list(
    json.loads((TESTS / "support" / "other_records.json").read_text(encoding="utf-8")).items()
)


def _records() -> Iterator[tuple[str, Document]]:
    for path in sorted(PAPERS.glob("*.json")):
        for bundle in json.loads(path.read_text(encoding="utf-8")):
            yield "conversation", bundle["conversation"]
            for kind in ("asset", "fact", "mention", "question"):
                yield from ((kind, each) for each in bundle[f"{kind}s"])


# Every tenth record is enough for mutations; each kind is among them.
RECORDS = OTHER_KINDS + list(_records())
SAMPLE = OTHER_KINDS + RECORDS[len(OTHER_KINDS) :: 10] + [("conversation", next(_records())[1])]
ODD_VALUES: list[Any] = [
    *(None, True, False, [], {}, "", "x", "D1:1\n", "\nD1", "D1:1\u2028", "D0", "D1:01"),
    *(0, -1, 1, 2**31, 2**63, 2**64, 10**40, 1.0, 1.5, -0.0, 1e30, 1e-9),
    *("\ud83d", "\x00", "Ⅷ", "D１", "a" * 301, ["x"], [None], {"x": 1}, "2024-02-30", "2024-13"),
]


def _places(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    pairs = (
        node.items()
        if isinstance(node, dict)
        else enumerate(node)
        if isinstance(node, list)
        else ()
    )
    for key, value in pairs:
        yield from _places(value, (*path, key))


def _drop(parent: Any, key: str | int, _value: Any) -> None:
    del parent[key]


def _replace(parent: Any, key: str | int, value: Any) -> None:
    parent[key] = value


def _add_beside(parent: Any, _key: str | int, value: Any) -> None:
    if isinstance(parent, dict):
        parent["unheard_of"] = value
    else:
        parent.append(value)


def _end_with_newline(parent: Any, key: str | int, _value: Any) -> None:
    if isinstance(parent[key], str):
        parent[key] += "\n"


def _as_float(parent: Any, key: str | int, _value: Any) -> None:
    if isinstance(parent[key], int):
        parent[key] = float(parent[key])


MUTATIONS: list[Callable[[Any, str | int, Any], None]] = [
    _drop,
    _replace,
    _replace,
    _replace,
    _add_beside,
    _end_with_newline,
    _as_float,
]


@st.composite
def mutated(draw: st.DrawFn) -> tuple[str, Document]:
    """A record of the fixtures with one or two mutations anywhere inside."""
    kind, original = draw(st.sampled_from(SAMPLE))
    document = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 2))):
        places = list(_places(document))
        if not places:
            break
        *above, key = draw(st.sampled_from(places))
        parent: Any = document
        for step in above:
            parent = parent[step]
        change = draw(st.sampled_from(MUTATIONS))
        change(parent, key, copy.deepcopy(draw(st.sampled_from(ODD_VALUES))))
    return kind, document


def test_both_validators_accept_every_fixture() -> None:
    """The bulk validator and the reference find nothing in a hand-made record."""
    for kind, document in RECORDS:
        assert schema_errors(kind, document) == [], document["id"]
        assert schema_errors(kind, document, reference=True) == [], document["id"]


@pytest.mark.slow
@settings(max_examples=examples(600))
@given(mutated())
def test_both_validators_give_one_verdict_on_a_mutation(case: tuple[str, Document]) -> None:
    """A mutated record is right to both validators, or wrong to both."""
    kind, document = case
    bulk = schema_errors(kind, document)
    reference = schema_errors(kind, document, reference=True)
    assert bool(bulk) == bool(reference), (bulk[:1], reference[:1])


@settings(max_examples=examples(300))
@given(mutated())
def test_a_mutation_becomes_a_record_or_a_record_error(case: tuple[str, Document]) -> None:
    """Reading never fails in another way, and a document without schema errors is read."""
    kind, document = case
    wrong = False
    try:
        assert isinstance(parse_record(kind, document), Record)
    except RecordError:
        wrong = True
    assert wrong or schema_errors(kind, document) == []


@pytest.mark.parametrize("place", [("id",), ("fact",), ("round",), ("turn",), ("asset",)])
def test_an_id_with_a_newline_at_its_end_is_refused(place: tuple[str, ...]) -> None:
    """The anchors of patterns let no final newline through, in either validator."""
    kind, document = next(
        (kind, each) for kind, each in RECORDS if kind == "mention" and "asset" in each
    )
    broken = {**document, place[0]: document[place[0]] + "\n"}
    assert schema_errors(kind, broken)
    assert schema_errors(kind, broken, reference=True)


def test_the_message_names_record_place_and_count() -> None:
    """The error of a broken record starts with its kind, its id and the first place."""
    kind, document = next(pair for pair in OTHER_KINDS if pair[0] == "finding")
    with pytest.raises(RecordError, match=r"^finding finding-1/severity: .*\(and 1 more\)$"):
        parse_record(kind, {**document, "severity": "awful", "target": 7})


@pytest.mark.parametrize("document", [None, [], "text", 7, {}, {"id": 7}])
def test_what_is_no_record_is_refused(document: Any) -> None:
    """A document that is no object, or has no id, is a record error."""
    with pytest.raises(RecordError):
        parse_record("fact", document)
