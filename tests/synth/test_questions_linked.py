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
from memassay.schemas.records.question import AnswerRelation
from memassay.synth.questions.across.causes import outcomes
from memassay.synth.questions.across.linked import aspects, changes, hops
from memassay.synth.questions.across.lists import lists
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


def test_two_occasions_are_of_one_quantity(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two facts of one subject, type and unit, whose properties begin alike and then differ."""
    event, spec, said = next(one for one in history.said_facts() if one[1].ask)
    kilos = FactValue(type=ValueType.NUMBER, text="4", unit="kg")
    grams = FactValue(type=ValueType.NUMBER, text="9", unit="g")
    values = {"weight in May": kilos, "weight on arrival": kilos, "weight at birth": grams}
    facts = [
        said.model_copy(update={"id": f"x/{name}", "attribute": name, "value": value})
        for name, value in {**values, "length in May": kilos}.items()
    ]
    monkeypatch.setattr(history, "said_facts", lambda: iter((event, spec, one) for one in facts))
    (draft,) = aspects(history, Random(1))
    assert draft.about == ("x/weight in May", "x/weight on arrival")
    assert "in May" in draft.text
    assert "on arrival" in draft.text


def test_a_list_names_its_members_in_the_order_of_telling(history: History, bundle: Bundle) -> None:
    """Each member has a value of its own, said for good; the question names it."""
    drafts = list(lists(history, Random(1)))
    assert drafts
    for draft in drafts:
        facts = _facts(history, draft)
        query = parse_query(draft.query)
        given = execute(query, Ledger(bundle), relation=AnswerRelation.ORDERED).values
        assert given == [fact.value.text for fact in facts]
        assert len(facts) > 1
        named = [history.names[fact.subject] for fact in facts if fact.subject in history.names]
        assert all(name in draft.text for name in named)


def test_the_size_of_a_change_says_which_way_it_went(history: History) -> None:
    """`up` asks for the new number less the old one, `down` for the old less the new."""
    asked = [draft for seed in range(6) for draft in changes(history, Random(seed))]
    sizes = [draft for draft in asked if re.search(r" (?:up|down)\b", draft.text)]
    assert sizes
    for draft in sizes:
        old, new = _facts(history, draft)
        rose = Decimal(new.value.text) > Decimal(old.value.text)
        assert bool(re.search(r" up\b", draft.text)) is rose


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


def test_outcomes_are_all_that_an_event_led_to(history: History, bundle: Bundle) -> None:
    """Every event of which the history says that this one led to it, two of them at least."""
    cause = {fact.subject: fact.value.text for _, fact in history.causes()}
    drafts = list(outcomes(history, Random(1)))
    assert drafts
    for draft in drafts:
        query = parse_query(draft.query)
        given = execute(query, Ledger(bundle), relation=AnswerRelation.ALL).values
        (title,) = {cause[one] for one in given}
        assert sorted(given) == sorted(one for one in cause if cause[one] == title)
        assert len(given) > 1
        assert title in draft.text or title[0].upper() + title[1:] in draft.text


def test_only_what_was_replaced_no_longer_holds(history: History, bundle: Bundle) -> None:
    """The right option has a replaced value; the others hold and are of its type."""
    drafts = [one for one in judgement(history, Random(1)) if "minus" in str(one.query)]
    assert drafts
    for draft in drafts:
        old, new, *others = _facts(history, draft)
        assert old.id in new.supersedes
        assert draft.options[0][1] == old.value.text
        assert execute(parse_query(draft.query), Ledger(bundle)).values == [old.value.text]
        assert all(history.is_settled(one) for one in others)
        assert {one.value.type for one in others} == {old.value.type}


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
