"""docs/queries.md runs what it shows: items of the fixtures, executed, in every place.

Run as a script to write the shown parts again:
``PYTHONPATH=tests python tests/schemas/test_queries_page.py``.
"""

import json
import re
from enum import StrEnum
from functools import cache
from typing import Any

import pytest
from support.places import PAPERS, REPOSITORY

from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.queries.answers import answer_values, check_item
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.grammar.expressions import DateBounds, Where
from memassay.schemas.queries.grammar.query import OPERATORS
from memassay.schemas.queries.grammar.where import NumberBounds
from memassay.schemas.queries.grammar.words import (
    FactField,
    GroupBy,
    JoinSide,
    Measure,
    Order,
    Which,
)
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation, FactStatus
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.durations import TIME_UNITS

PAGE = REPOSITORY / "docs" / "queries.md"
ITEM = re.compile(
    r"(?P<head><!-- item (?P<id>\S+) -->\n)(?P<body>.*?)(?P<tail><!-- end of item -->)", re.DOTALL
)
TYPES = re.compile(
    r"(?P<head><!-- types (?P<paper>\S+) -->\n)(?P<body>.*?)(?P<tail><!-- end of types -->)",
    re.DOTALL,
)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
WIDTH = 116


@cache
def _ledgers() -> tuple[tuple[Bundle, Ledger], ...]:
    return tuple(
        (bundle, Ledger(bundle))
        for path in sorted(PAPERS.glob("*.json"))
        for document in json.loads(path.read_text(encoding="utf-8"))
        for bundle in [Bundle.model_validate(document)]
    )


def _find(item: str) -> tuple[QAItem, Bundle, Ledger]:
    return next(
        (each, bundle, ledger)
        for bundle, ledger in _ledgers()
        for each in bundle.questions
        if each.id == item
    )


def _layout(value: Any, depth: int = 0) -> str:
    """JSON with everything short on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(flat) + depth <= WIDTH:
        return flat
    pad = " " * (depth + 2)
    keyed = isinstance(value, dict)
    pairs = value.items() if keyed else ((None, each) for each in value)
    parts = [
        pad + (f"{json.dumps(key)}: " if keyed else "") + _layout(each, depth + 2)
        for key, each in pairs
    ]
    return "{["[not keyed] + "\n" + ",\n".join(parts) + "\n" + " " * depth + "}]"[not keyed]


def _outcome(item: QAItem, bundle: Bundle, ledger: Ledger) -> tuple[str, str]:
    """What an item's query gives, and the rounds it rests on, as the page shows them."""
    execution = check_item(item, bundle, ledger)
    values = answer_values(execution, item.answer.format)
    groups = evidence_of(execution, ledger, item.asked_at, item.modalities).groups
    places = ", ".join(" or ".join(f"`{place}`" for place in group) for group in groups)
    return ", ".join(f"`{value}`" for value in values), places or "nothing"


def _shown_item(found: re.Match[str]) -> str:
    item, bundle, ledger = _find(found["id"])
    values, places = _outcome(item, bundle, ledger)
    return (
        f"{found['head']}{item.question.text}\n\n```json\n{_layout(item.query)}\n```\n\n"
        f"gives {values}; rests on {places}.\n{found['tail']}"
    )


def _shown_types(found: re.Match[str]) -> str:
    rows = ["| type | question | query | gives | rests on |", "| --- " * 5 + "|"]
    for code in CROSSWALK[found["paper"]]:
        asked = next(
            (
                (each, bundle, ledger)
                for bundle, ledger in _ledgers()
                for each in bundle.questions
                if bundle.conversation.collection == found["paper"]
                and each.benchmark_type == code
                and each.query is not None
            ),
            None,
        )
        if asked is None:
            continue  # M2A leaves LoCoMo's adversarial items out
        item, bundle, ledger = asked
        values, places = _outcome(item, bundle, ledger)
        query = json.dumps(item.query, ensure_ascii=False)
        rows.append(f"| {code} | {item.question.text} | `{query}` | {values} | {places} |")
    return found["head"] + "\n".join(rows) + "\n" + found["tail"]


def rewritten(page: str) -> str:
    """The page with everything it shows made anew."""
    return TYPES.sub(_shown_types, ITEM.sub(_shown_item, page))


@pytest.fixture(scope="module")
def page() -> str:
    """The page's text."""
    return PAGE.read_text(encoding="utf-8")


def test_the_page_shows_what_runs(page: str) -> None:
    """Every query, value and place of the page is what the executor gives."""
    assert rewritten(page) == page, "run this file as a script"


def test_every_operator_has_a_section_with_an_example_that_uses_it(page: str) -> None:
    """A heading each, followed by an item whose query has the operator."""
    sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(sections) == list(OPERATORS)
    for name, text in sections.items():
        shown = [json.dumps(_find(found["id"])[0].query) for found in ITEM.finditer(text)]
        assert any(f'"op": "{name}"' in query for query in shown), name


@pytest.mark.parametrize(
    "words",
    [Order, Which, FactField, GroupBy, JoinSide, Measure, FactStatus, FactOperation, AnswerFormat],
    ids=lambda words: words.__name__,
)
def test_every_word_of_the_grammar_is_on_the_page(page: str, words: type[StrEnum]) -> None:
    """Whatever a query may name, the page names."""
    assert [word for word in words if f"`{word}`" not in page] == []


def test_every_key_of_the_grammar_is_on_the_page(page: str) -> None:
    """Filters, keys of operators and units of time."""
    keys = {
        field.alias or name
        for model in (
            *OPERATORS.values(),
            Where,
            NumberBounds,
            DateBounds,
        )
        for name, field in model.model_fields.items()
    }
    assert sorted(key for key in {*keys, *TIME_UNITS} if f"`{key}`" not in page) == []


def test_every_type_of_the_five_papers_is_on_the_page(page: str) -> None:
    """One table a paper; LoCoMo's types are the host's in M2A."""
    assert {found["paper"] for found in TYPES.finditer(page)} == {
        *("m3exam", "mem-gallery", "m2a", "locomo", "worldmemarena", "mmrc")
    }


def test_the_program_of_the_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python on the page runs in the repository, and its assertions hold."""
    monkeypatch.chdir(REPOSITORY)
    programs = PYTHON.findall(page)
    assert programs
    for program in programs:
        exec(compile(program, str(PAGE), "exec"), {})


if __name__ == "__main__":
    PAGE.write_text(rewritten(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
