"""Questions of ms and tr that gather, count, order, shift and follow causes, each recomputed.

Run as a script to write the items of docs/m3exam.md again:
``PYTHONPATH=tests python tests/synth/test_questions_forms.py``.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.places import REPOSITORY
from support.told import told

from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.schemas.values.text import holds
from memassay.synth.questions.across.logs import (
    commonest,
    courses,
    every_kind,
    extremes,
    kind_counts,
)
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.times.courses import noted_when
from memassay.synth.questions.times.orders import orders
from memassay.synth.questions.times.shifted import ends
from memassay.synth.world.persona_file import PERSONAS, load_persona
from memassay.synth.world.sizes import Sizes

NAME = "liam-woodworking-apprentice"
SEED = 8
SIZES = Sizes(sessions=14, rounds=9, images=2, documents=0, procedures=0, inferences=0)
"""As in the recipe on the page."""
PAGE = REPOSITORY / "docs" / "m3exam.md"
PART = re.compile(r"(<!-- forms -->\n).*?(<!-- end of forms -->)", re.DOTALL)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history of fourteen sessions with its questions."""
    return told(NAME, SEED, tmp_path_factory.mktemp("forms"), SIZES)


@pytest.fixture(scope="module")
def history(bundle: Bundle) -> History:
    """The history as makers see it."""
    return History(bundle, load_persona(PERSONAS / f"{NAME}.yaml"))


@pytest.fixture(scope="module")
def answers(bundle: Bundle) -> Callable[[Draft], list[str]]:
    """What a draft's query gives."""
    ledger = Ledger(bundle)

    def values(draft: Draft) -> list[str]:
        query = parse_query(draft.query)
        listed = draft.query.get("of", {})
        several = isinstance(listed, dict) and listed.get("op") == "sequence"
        one = AnswerRelation.ALL if draft.every else AnswerRelation.ONE
        relation = AnswerRelation.ORDERED if several else one
        return execute(query, ledger, relation=relation).values

    return values


def _drafts(form: Callable[[History, Random], Iterator[Draft]], history: History) -> list[Draft]:
    drafts = list(form(history, Random(1)))
    assert drafts
    return drafts


def _series(history: History, attribute: str) -> list[Fact]:
    (name,) = [name for name, log in history.persona.logs.items() if log.attribute == attribute]
    return [fact for _, fact in history.entries(name)]


def _attribute(query: Any) -> str:
    """The attribute that the innermost selection of a query names."""
    while "where" not in query:
        of = query["of"]
        query = of[0] if isinstance(of, list) else of
    return str(query["where"]["attribute"])


def _entries(history: History, draft: Draft) -> list[Fact]:
    return _series(history, _attribute(draft.query))


def test_a_kind_is_counted_in_all_its_entries(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """Two entries at least; the kind stands in the question."""
    for draft in _drafts(kind_counts, history):
        value = draft.query["of"]["where"]["value"]
        alike = [one for one in _entries(history, draft) if one.value.text == value]
        assert answers(draft) == [str(len(alike))]
        assert len(alike) > 1
        assert value in draft.text


def test_every_kind_is_named_once(history: History, answers: Callable[[Draft], list[str]]) -> None:
    """All that the entries of a series name, in any order."""
    for draft in _drafts(every_kind, history):
        kinds = {one.value.text for one in _entries(history, draft)}
        assert sorted(answers(draft)) == sorted(kinds)


def test_the_commonest_kind_is_named_most_often(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """The kind that most entries name, where one is ahead of all others."""
    for draft in _drafts(commonest, history):
        counts = Counter(one.value.text for one in _series(history, _attribute(draft.query)))
        (first, most), *others = counts.most_common()
        if not others or others[0][1] < most:
            assert answers(draft) == [first]


def test_a_kind_is_dated_by_its_first_or_last_entry(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """By the date of that entry, among all of the kind; an end by the date of the one entry."""
    for draft in _drafts(noted_when, history):
        pick, entries = draft.query["of"], _entries(history, draft)
        if pick["by"] == "date":
            value = pick["of"]["where"]["value"]
            alike = [one for one in entries if one.value.text == value]
            fact = alike[0 if pick["which"] == "first" else -1]
            assert pick["which"] in draft.text
        else:
            end = max if pick["which"] == "max" else min
            fact = end(entries, key=lambda one: Decimal(one.value.text))
        assert answers(draft) == [fact.valid_from]


def test_a_course_is_the_first_and_the_last_figure(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """In the order of time, and never the same."""
    for draft in _drafts(courses, history):
        entries = _entries(history, draft)
        assert answers(draft) == [entries[0].value.text, entries[-1].value.text]
        assert len({*answers(draft)}) > 1


def test_an_end_is_reached_once(history: History, answers: Callable[[Draft], list[str]]) -> None:
    """The greatest or the least of all entries, which one of them alone is."""
    for draft in _drafts(extremes, history):
        numbers = [Decimal(one.value.text) for one in _entries(history, draft)]
        end = (max if draft.query["with"] == "max" else min)(numbers)
        assert [Decimal(one) for one in answers(draft)] == [end]
        assert numbers.count(end) == 1


def _days(history: History, draft: Draft) -> dict[str, date]:
    facts = [history.facts[name] for name in draft.about]
    return {fact.subject: date.fromisoformat(fact.value.text) for fact in facts}


def test_events_are_put_in_the_order_of_time(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """Three or four titles, by their days, in no order in the question."""
    drafts = _drafts(orders, history)
    for draft in drafts:
        days = _days(history, draft)
        assert answers(draft) == sorted(days, key=days.__getitem__)
        assert 3 <= len(days) <= 4
    as_asked = [sorted(answers(one), key=one.text.find) == answers(one) for one in drafts]
    assert sum(as_asked) < len(drafts) / 2


def test_a_length_of_time_ends_so_much_later(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """The day of the event and the length of time; neither stands in the question."""
    for draft in _drafts(ends, history):
        day, length = (history.facts[name] for name in draft.about)
        begun = date.fromisoformat(day.value.text)
        over = date.fromisoformat(answers(draft)[0])
        most = {"days": 1, "weeks": 7, "months": 31, "years": 366}[str(length.value.unit)]
        assert 0 < (over - begun).days <= int(length.value.text) * most
        if length.value.unit == "months":
            months = (over.year - begun.year) * 12 + over.month - begun.month
            assert months == int(length.value.text)
        elif most < 31:
            assert (over - begun).days == int(length.value.text) * most


def _is_new(item: QAItem) -> bool:
    """Whether a query gathers, counts, orders or shifts, or follows what led to what."""
    query = str(item.query)
    marks = ("'group'", "'shift'", "'cause'", "'count'", "'fold'", "'pick'")
    ordered = item.benchmark_type == "tr" and "'sequence'" in query
    return ordered or any(mark in query for mark in marks)


@pytest.mark.parametrize(("code", "least"), [("ms", 0.3), ("tr", 0.15)])
def test_new_forms_have_their_share(code: str, least: float, bundle: Bundle) -> None:
    """Of ms three in ten and of tr four in ten; single dates stay a part of tr."""
    items = [item for item in bundle.questions if item.benchmark_type == code]
    share = sum(map(_is_new, items)) / len(items)
    assert share >= least
    assert code == "ms" or any(item.query and item.query["op"] == "get" for item in items)


def test_all_that_gold_and_question_share_is_an_order(bundle: Bundle) -> None:
    """No gold of ms and tr stands in its question, but for what is to be put in order."""
    for item in bundle.questions:
        if item.benchmark_type in {"ms", "tr"}:
            listed = item.answer.relation is AnswerRelation.ORDERED
            assert listed or not holds(item.question.text, item.answer.values[0])


def _shown(bundle: Bundle) -> str:
    """The items of new forms as the page shows them, one of each shape of query."""
    rows: dict[str, str] = {}
    for item in bundle.questions:
        shape = re.sub(r"'(?!(?:op|where|with|by)')[^']*'", "", str(item.query))
        if item.benchmark_type in {"ms", "tr"} and _is_new(item):
            query = json.dumps(item.query)
            gives = ", ".join(f"`{value}`" for value in item.answer.values)
            rests = ", ".join(f"`{place}`" for place in item.evidence.canonical)
            row = [item.benchmark_type, item.question.text, f"`{query}`", gives, rests]
            rows.setdefault(shape, f"| {' | '.join(row)} |\n")
    head = "| type | question | query | gives | rests on |\n| --- | --- | --- | --- | --- |\n"
    return head + "".join(rows.values())


def test_the_page_shows_items_of_this_history(bundle: Bundle) -> None:
    """Its table holds what the recipe beside it makes; among it, counts, groups and ends."""
    page = PAGE.read_text(encoding="utf-8")
    assert PART.sub(lambda found: f"{found[1]}{_shown(bundle)}{found[2]}", page) == page
    for word in ('"op": "sequence"', '"op": "pick"'):
        assert word in _shown(bundle)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        written = _shown(told(NAME, SEED, Path(folder), SIZES))
    whole = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(PART.sub(lambda found: f"{found[1]}{written}{found[2]}", whole), "utf-8")
