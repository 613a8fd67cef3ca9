"""Questions about what takes its time: from stage to stage, from plan to day, when it began."""

from datetime import date
from random import Random

import pytest
from support.places import REPOSITORY
from support.told import told

from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.synth.questions.history import History
from memassay.synth.questions.times.moments import be, lasts, moments
from memassay.synth.questions.times.processes import beginnings, lengths, slips
from memassay.synth.questions.times.temporal import temporal
from memassay.synth.world.maker import PLANNED
from memassay.synth.world.persona_checks import find_undeclared
from memassay.synth.world.persona_file import PERSONAS, CardSpec, load_persona
from memassay.synth.world.processes.lasting import elapsed_time
from memassay.synth.world.sizes import Sizes

NAME = "lin-bike-repair"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history at the paper's size of a persona with stages and plans."""
    return told(NAME, 15, tmp_path_factory.mktemp("times"), Sizes())


@pytest.fixture(scope="module")
def history(bundle: Bundle) -> History:
    """The history as makers see it."""
    return History(bundle, load_persona(PERSONAS / f"{NAME}.yaml"))


def _happened(history: History) -> dict[str, date]:
    return {one.title: date.fromisoformat(one.happened_on) for one in history.events}


def test_a_length_runs_from_stage_to_stage_of_one_card(history: History, bundle: Bundle) -> None:
    """The gold is the number of days or weeks between the two days on which the stages were."""
    drafts, days = list(lengths(history, Random(1))), _happened(history)
    assert drafts
    for draft in drafts:
        first, last = (history.facts[name] for name in draft.about)
        cards = {one.card for one in history.events if one.title in (first.subject, last.subject)}
        assert len(cards) == 1
        apart = (days[last.subject] - days[first.subject]).days
        size = 7 if draft.query["unit"] == "week" else 1
        (gold,) = execute(parse_query(draft.query), Ledger(bundle)).values
        assert int(gold) * size == apart


def test_a_plan_slips_by_the_days_from_the_day_planned(history: History, bundle: Bundle) -> None:
    """The gold is the distance of the day that came from the day that was planned, never none."""
    drafts, days = list(slips(history, Random(1))), _happened(history)
    assert drafts
    for draft in drafts:
        plan = history.facts[draft.about[0]]
        assert plan.attribute == PLANNED
        late = (days[plan.subject] - date.fromisoformat(plan.value.text)).days
        (gold,) = execute(parse_query(draft.query), Ledger(bundle)).values
        assert int(gold) == abs(late) > 0
        ahead = "earlier" in draft.text or "ahead" in draft.text
        assert ahead is (late < 0)


def test_what_lasted_is_asked_for_when_it_began_alone(history: History) -> None:
    """A draft about one date of what lasts longer than a day asks when it began."""
    lasting = {event.title for event in history.events if lasts(history, event)}
    assert lasting
    single = [one for one in temporal(history, Random(1)) if len(one.about) == 1]
    asked = [one for one in single if history.facts[one.about[0]].subject in lasting]
    assert all(
        "begin" in one.text for one in asked if history.facts[one.about[0]].attribute == "date"
    )


def test_what_began_was_told_in_stages(history: History) -> None:
    """When something began is asked only of the first of several stages."""
    for draft in beginnings(history, Random(1)):
        title = history.facts[draft.about[0]].subject
        card = next(one.card for one in history.events if one.title == title)
        stages = [one.title for one in history.events if one.card == card]
        assert len(stages) > 1
        assert stages[0] == title


def test_moments_are_dated_and_short(history: History) -> None:
    """Every moment has its date fact, and lasts no longer than its day."""
    assert all(day.attribute == "date" and not lasts(history, one) for one, day in moments(history))


CARD = {
    "id": "oak",
    "what": "the oak table",
    "query": "Look at it?",
    "keyword": "oak",
    "rounds": [{"user": "It begins.", "assistant": "Good."}],
}


def _card(later: str, **more: object) -> CardSpec:
    rounds = [*CARD["rounds"], {"user": later, "assistant": "Good."}]  # type: ignore[misc]
    return CardSpec.model_validate({**CARD, **more, "rounds": rounds})


@pytest.mark.parametrize(
    ("later", "passed"),
    [
        ("It dried. Three weeks later it shone.", "Three weeks later"),
        ("I oiled it the next day.", "the next day"),
        ("I oiled it three times.", None),
        ("It will dry for two weeks.", None),
    ],
)
def test_time_that_passes_is_found_in_later_rounds(later: str, passed: str | None) -> None:
    """A phrase of time gone by is one that no single day has."""
    assert elapsed_time(_card(later)) == passed


def test_an_author_says_that_a_card_fits_its_day() -> None:
    """`time: one day` says that the card was read."""
    assert elapsed_time(_card("I oiled it the next day.", time="one day")) is None


@pytest.mark.parametrize(
    ("title", "verb"),
    [
        ("the new rules after the report", "were"),
        ("Alex's first days with the new glasses", "were"),
        ("the test of the wind gauge", "was"),
        ("Alex's evening class", "was"),
        ("the wait for the bus", "was"),
        ("the news about the crates", "was"),
        ("the evening Oliver finished his notes", "was"),
        ("the shelf plants' return to the sill", "was"),
    ],
)
def test_a_plural_title_has_its_verb(title: str, verb: str) -> None:
    """The head of a title decides, not what comes after it."""
    assert be(title) == verb


def test_the_checker_hints_at_cards_that_take_longer() -> None:
    """A hint names the card, the phrase and both ways out; a waived card gives none."""
    (hint,) = find_undeclared([_card("I oiled it the next day.")])
    assert hint.startswith("oak.stages: expected a stage for what comes later, got 'the next day'")
    assert not [*find_undeclared([_card("I oiled it the next day.", time="one day")])]


def test_the_measurement_is_in_the_list_of_benchmarks() -> None:
    """The page of benchmarks names the measurement of these questions."""
    assert "`time_questions.py`" in (REPOSITORY / "benchmarks" / "README.md").read_text()
