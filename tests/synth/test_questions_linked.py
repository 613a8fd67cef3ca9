"""Questions that join sessions: what links them, and what their choices offer."""

import re
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from support.told import told

from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.questions.across.causes import siblings
from memassay.synth.questions.across.linked import (
    changes,
    hops,
    shifts,
    standings,
    threads,
)
from memassay.synth.questions.choice import judgement, rivals
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.world.persona_file import PERSONAS, load_persona

pytestmark = pytest.mark.slow(seconds=0.5)

NAME = "claire-cat-cafe"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history with many people and animals."""
    folder: Path = tmp_path_factory.mktemp("linked")
    return told(NAME, 7, folder)


@pytest.fixture(scope="module")
def history(bundle: Bundle) -> History:
    """The history as makers see it."""
    return History(bundle, load_persona(PERSONAS / f"{NAME}.yaml"))


def _facts(history: History, draft: Draft) -> list[Fact]:
    return [history.facts[name] for name in draft.about]


def test_a_name_links_two_sessions_and_stays_unsaid(history: History) -> None:
    """Both rounds say who it is; the question does not."""
    drafts = list(hops(history, Random(1)))
    assert drafts
    for draft in drafts:
        known, asked = _facts(history, draft)
        assert known.subject == asked.subject != "user"
        assert history.session_of(known) != history.session_of(asked)
        assert history.names_subject(known)
        assert history.names_subject(asked)
        assert history.names[known.subject] not in draft.text


def test_two_details_have_a_ground_in_common(history: History) -> None:
    """Details asked for together are of one subject, which the question names."""
    drafts = list(threads(history, Random(1)))
    assert drafts
    for draft in drafts:
        first, second = _facts(history, draft)
        assert first.subject == second.subject
        user = first.subject == "user"
        assert user or history.names[first.subject] in draft.text


def test_the_size_of_a_change_says_which_way_it_went(history: History) -> None:
    """`up` asks for the new number less the old one, `down` for the old less the new."""
    asked = [draft for seed in range(6) for draft in changes(history, Random(seed))]
    sizes = [draft for draft in asked if re.search(r" (?:up|down)\b", draft.text)]
    assert sizes
    for draft in sizes:
        old, new = _facts(history, draft)
        rose = Decimal(new.value.text) > Decimal(old.value.text)
        assert bool(re.search(r" up\b", draft.text)) is rose


def test_the_last_word_is_the_one_before_the_event(history: History) -> None:
    """What is asked was said in a session before the event, its successor in a session after."""
    drafts = list(standings(history, Random(1)))
    assert drafts
    later = {old: new for new in history.facts.values() for old in new.supersedes}
    for draft in drafts:
        held, day = _facts(history, draft)
        assert history.rank_of(held) < history.rank_of(day)
        assert held.id not in later or history.rank_of(later[held.id]) > history.rank_of(day)


def test_a_shift_lies_between_its_two_events(history: History) -> None:
    """Old value, first event, new value and last event are of four sessions, in this order."""
    drafts = list(shifts(history, Random(1)))
    assert drafts
    for draft in drafts:
        ranks = [history.rank_of(fact) for fact in _facts(history, draft)]
        assert ranks == sorted(set(ranks))


def _number(name: str, text: str) -> Fact:
    value = FactValue(type=ValueType.NUMBER, text=text, unit="EUR")
    return Fact(id=f"x/{name}", subject=name, attribute="price", value=value)


def test_wrong_numbers_are_of_the_right_size() -> None:
    """No option betrays itself by its order of magnitude."""
    right, *others = (_number(*one) for one in [("a", "20"), ("b", "5"), ("c", "79"), ("d", "90")])
    assert [one.value.text for one in rivals(right, others)] == ["5", "79"]


def _choices(history: History, begins: str) -> list[Draft]:
    drafts = [one for one in judgement(history, Random(1)) if one.text.startswith(begins)]
    assert drafts
    return drafts


def test_wrong_numbers_lie_on_both_sides(history: History) -> None:
    """The bank can make a gold the smallest or the greatest: rivals stand on the side they say."""
    ladders = [(one.options[0], one.ladder) for one in judgement(history, Random(1)) if one.ladder]
    numbers = [(right, ladder) for (_, right), ladder in ladders if "-" not in right]
    assert numbers
    for right, ladder in numbers:
        assert all(Decimal(value) < Decimal(right) for _, value in ladder.below)
        assert all(Decimal(value) > Decimal(right) for _, value in ladder.above)


def test_wrong_values_are_said_like_right_ones(history: History) -> None:
    """In the text, and with as many decimals: neither tells the gold from the others."""
    said = {fact.value.text for fact in history.facts.values() if history.in_text(fact)}
    for draft in judgement(history, Random(1)):
        if draft.ladder is None or any(draft.ladder.least):
            continue
        wrong = [value for _, value in (*draft.ladder.below, *draft.ladder.above)]
        assert said.issuperset(wrong)
        decimals = {len(value.partition(".")[2]) for value in (draft.options[0][1], *wrong)}
        assert len(decimals) == 1


def test_what_was_replaced_is_always_offered(history: History) -> None:
    """A recommendation of any rank has the old value among its wrong options."""
    drafts = [one for one in judgement(history, Random(1)) if one.ladder and any(one.ladder.least)]
    assert drafts
    for draft in drafts:
        (new,) = _facts(history, draft)
        old = {history.facts[name].value.text for name in new.supersedes}
        assert draft.ladder is not None
        for rank in range(4):
            taken = draft.ladder.around(rank, 3)
            assert taken is None or old & {value for _, value in taken}


def test_what_came_first_is_not_told_by_titles(history: History) -> None:
    """Four events of different days that no thread joins; the right one stands first."""
    drafts = [one for one in judgement(history, Random(1)) if "pick" in str(one.query)]
    assert drafts
    for draft in drafts:
        facts = _facts(history, draft)
        days = {fact.subject: fact.value.text for fact in facts}
        best = min if "first" in draft.text else max
        assert draft.options[0][1] == best(days, key=lambda title: days[title])
        assert len(set(days.values())) == 4
        assert history.events[0].title not in days


def test_no_choice_is_among_the_steps_of_a_procedure(history: History) -> None:
    """Common sense knows what is done first: 36 of 39 such items were answered unseen."""
    steps = {
        fact for event in history.events for slot, fact in event.facts.items() if "step:" in slot
    }
    assert steps
    assert not any(steps & {*draft.about} for draft in judgement(history, Random(1)))


def test_a_sibling_has_the_same_cause(history: History, bundle: Bundle) -> None:
    """The other event that the same one led to, and it alone."""
    cause = {fact.subject: fact.value.text for _, fact in history.causes()}
    drafts = list(siblings(history, Random(1)))
    assert drafts
    for draft in drafts:
        known = _facts(history, draft)[0].subject
        others = [one for one in cause if cause[one] == cause[known] and one != known]
        assert execute(parse_query(draft.query), Ledger(bundle)).values == others


def test_no_two_items_join_the_same_facts(bundle: Bundle, history: History) -> None:
    """What one question joins no other of its type joins again; a series is read by several."""
    series = {log.attribute for log in history.persona.logs.values()}
    joined = [
        frozenset(item.evidence.facts)
        for item in bundle.questions
        if item.benchmark_type == "ms"
        and not any(history.facts[name].attribute in series for name in item.evidence.facts)
    ]
    assert len(joined) == len(set(joined))
