"""Questions of ms and tr that count, filter, order, shift and follow causes, each recomputed.

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
from itertools import pairwise
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
from memassay.synth.questions.across.causes import beginnings
from memassay.synth.questions.across.links import Links
from memassay.synth.questions.across.logs import ask_count, ask_recall, commonest, spans
from memassay.synth.questions.across.several import multi_session
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
        relation = AnswerRelation.ORDERED if several else AnswerRelation.ONE
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
        query = query.get("of") or query["a"]
    return str(query["where"]["attribute"])


_KEEPS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "above": lambda number, limit: number > limit,
    "below": lambda number, limit: number < limit,
    "least": lambda number, limit: number >= limit,
    "most": lambda number, limit: number <= limit,
}


def _within(history: History, query: Any) -> list[Fact]:
    """The entries that a selection of a query keeps, compared by hand."""
    where = query["of"]["where"] if "where" in query["of"] else query["of"]["of"]["where"]
    entries = _series(history, where["attribute"])
    if "value" in where:
        return [fact for fact in entries if fact.value.text == where["value"]]
    ((how, limit),) = [pair for pair in where["number"].items() if pair[0] != "unit"]
    return [f for f in entries if _KEEPS[how](Decimal(f.value.text), Decimal(limit))]


def test_entries_within_a_limit_are_counted(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """A count is that of the entries the limit keeps, at least two and never all."""
    drafts = _drafts(ask_count, history)
    for draft in drafts:
        kept = _within(history, draft.query)
        assert answers(draft) == [str(len(kept))]
        assert len(kept) >= 2
    assert len({tuple(answers(draft)) for draft in drafts}) > 2


def test_the_commonest_kind_is_named_most_often(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """The kind that most entries name, where one is ahead of all others."""
    for draft in _drafts(commonest, history):
        counts = Counter(one.value.text for one in _series(history, _attribute(draft.query)))
        (first, most), *others = counts.most_common()
        if not others or others[0][1] < most:
            assert answers(draft) == [first]


def test_what_is_recalled_is_the_first_or_last_within_a_limit(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """The entry itself, or its date."""
    for form, read in ((ask_recall, "value"), (noted_when, "date")):
        for draft in _drafts(form, history):
            kept = _within(history, draft.query)
            fact = kept[0 if draft.query["of"]["which"] == "first" else -1]
            assert draft.query["of"]["which"] in draft.text
            wanted = fact.value.text if read == "value" else fact.valid_from
            assert answers(draft) == [wanted]


def test_a_span_is_the_highest_less_the_lowest(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """Over all entries of a series."""
    for draft in _drafts(spans, history):
        numbers = [Decimal(one.value.text) for one in _series(history, _attribute(draft.query))]
        assert [Decimal(one) for one in answers(draft)] == [max(numbers) - min(numbers)]


def _causes(history: History) -> dict[str, str]:
    return {fact.subject: fact.value.text for _, fact in history.causes()}


def test_a_beginning_is_found_by_going_back(
    history: History, answers: Callable[[Draft], list[str]]
) -> None:
    """Two steps from event to cause; the question names neither of them."""
    cause = _causes(history)
    for draft in _drafts(beginnings, history):
        title = history.facts[draft.about[0]].subject
        for _ in draft.about:
            title = cause[title]
        assert answers(draft) == [title]
        assert title not in draft.text


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
    """Whether a query counts, filters, orders or shifts, or follows what led to what."""
    query = str(item.query)
    marks = ("'number'", "'dated'", "'group'", "'gaps'", "'shift'", "'cause'", "'count'", "'fold'")
    ordered = item.benchmark_type == "tr" and "'sequence'" in query
    return ordered or any(mark in query for mark in marks)


@pytest.mark.parametrize(("code", "least"), [("ms", 0.3), ("tr", 0.15)])
def test_new_forms_have_their_share(code: str, least: float, bundle: Bundle) -> None:
    """Of ms three in ten and of tr four in ten; single dates stay a part of tr."""
    items = [item for item in bundle.questions if item.benchmark_type == code]
    share = sum(map(_is_new, items)) / len(items)
    assert share >= least
    assert code == "ms" or any(item.query and item.query["op"] == "get" for item in items)


def test_every_ms_item_joins_what_is_linked(bundle: Bundle, history: History) -> None:
    """One person, thing, series, or events of which one rests on another join all it rests on."""
    links = Links(history)
    items = [item for item in bundle.questions if item.benchmark_type == "ms"]
    assert items
    drafts = [draft.about for seed in range(3) for draft in multi_session(history, Random(seed))]
    for facts in (*drafts, *(item.evidence.facts for item in items)):
        assert links.are_joined([history.facts[name] for name in facts]), facts


def test_prices_of_strangers_are_not_linked(history: History) -> None:
    """Facts of two subjects in two threads hang together by nothing; the user is no tie."""
    links = Links(history)
    numbers = [fact for fact in history.numbers() if fact.subject != "user"]
    pairs = [(a, b) for a, b in pairwise(numbers) if a.subject != b.subject]
    assert any(not links.are_joined(pair) for pair in pairs)
    own = [fact for _, _, fact in history.said_facts() if fact.subject == "user"]
    assert any(not links.are_tied(a, b) for a, b in pairwise(own))


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
        shape = re.sub(r"'(?!(?:op|where|number|dated|distinct|with)')[^']*'", "", str(item.query))
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
