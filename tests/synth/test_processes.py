"""Processes are laid over sessions within their limits, and later editions move nothing."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.world.casting import cast, session_dates
from memassay.synth.world.persona_checks import problems
from memassay.synth.world.persona_file import PERSONAS, CardSpec, known_personas, load_persona
from memassay.synth.world.processes.limits import breaches
from memassay.synth.world.processes.phrases import TimeSlot, is_evidence, phrase_of
from memassay.synth.world.processes.planning import plan
from memassay.synth.world.processes.process import Awaited, Plan, Process, Stage
from memassay.synth.world.sizes import Sizes

SESSIONS = 16
GROWN = tuple(
    Process(
        f"p{n}",
        (Stage("sown", 2, told=2), Stage("cut", 2, after=(5 + n, 30 + n), told=3)),
        after=(Awaited(f"p{n - 1}"),) if n % 3 else (),
        rank=n / 20,
    )
    for n in range(6)
)
SHORT = tuple(Process(f"s{n}", (Stage("told", 5),), rank=n / 20) for n in range(20))


def _plan(seed: int, *processes: Process) -> Plan:
    dates = session_dates(SESSIONS, keyed_random(str(seed), "dates"))
    return plan(processes, dates, [10] * SESSIONS, lambda *key: keyed_random(str(seed), *key))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_gaps_and_waits_are_kept(seed: int) -> None:
    """Between stages lies the time asked for, and nothing begins before what it waits for."""
    made = _plan(seed, *GROWN, *SHORT)
    for one in GROWN:
        spots = made.spots.get(one.id)
        if spots is None:
            assert one.id in {lost.process for lost in made.unplaced}
            continue
        sown, cut = spots
        least, most = one.stages[1].after or (0, 0)
        assert least <= (cut.day - sown.day).days <= most
        assert sown.session < cut.session
        assert sown.told < cut.day <= cut.told
        for each in one.after:
            assert made.spots[each.process][0].session <= sown.session


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_a_later_edition_moves_nothing(seed: int) -> None:
    """What was there before has the same spots with one more process in an edition of its own."""
    before = _plan(seed, *GROWN, *SHORT)
    more = Process("new", (Stage("sown", 2, told=2), Stage("cut", 2, after=(4, 40))), edition=2)
    after = _plan(seed, *GROWN, *SHORT, more)
    assert {name: after.spots[name] for name in before.spots} == before.spots


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_what_is_counted_from_leaves_the_time_it_takes(seed: int) -> None:
    """A process from which another counts its weeks begins so early that these are left."""
    first = Process("first", (Stage("told", 2),), rank=0.9)
    since = Stage("told", 2, after=(40, 400), since=Awaited("first"))
    later = Process("later", (since,), after=(Awaited("first"),), rank=0.95)
    made = _plan(seed, *SHORT, first, later)
    gap = made.spots["later"][0].day - made.spots["first"][0].day
    assert gap >= timedelta(days=40)


def test_a_season_that_never_comes_is_a_reason() -> None:
    """Who finds no place is named, with the constraint that failed."""
    dates = [date(2024, 1, 1) + timedelta(days=n) for n in range(4)]
    sown = Process("sown", (Stage("told", 1),), months=frozenset({7}))
    (lost,) = plan([sown], dates, [9] * 4, lambda *key: keyed_random(*key)).unplaced
    assert lost.reason == "no session left lies in its months"


@given(days=st.integers(1, 400), ahead=st.booleans(), seed=st.integers(0, 99))
def test_a_phrase_is_evidence_for_its_day_alone(days: int, ahead: bool, seed: int) -> None:
    """It has one reading, and on another day it is none for the day that it means."""
    told = date(2025, 3, 1)
    day = told + timedelta(days=days if ahead else -days)
    slot = TimeSlot("cut.ago", "cut", "ahead" if ahead else "ago", None)
    said = phrase_of(slot, day, told, keyed_random(str(seed)))
    assert is_evidence(said, day, told)
    assert not is_evidence(said, day + timedelta(days=1), told)


@pytest.mark.parametrize("name", known_personas())
def test_shipped_histories_keep_the_limits_of_their_stages(name: str) -> None:
    """Gaps and calendars are kept; what may give way is how late a stage is told."""
    told = cast(
        load_persona(PERSONAS / f"{name}.yaml"),
        Sizes(16, 12.7, 7.0),
        lambda *key: keyed_random("31", name, *key),
    )
    assert {one.limit for one in breaches(told.cards)} <= {"told"}


def test_title_with_a_fact_is_refused() -> None:
    """What an event is called is worded before the facts of its card are drawn."""
    card = CardSpec.model_validate(
        {
            "id": "walk",
            **dict.fromkeys(("what", "query", "keyword"), "the night walk"),
            "stages": {"buy": {"what": "the lamp"}, "walk": {"after": "1-9 days", "what": "{way}"}},
            "facts": {"way": {"about": "user", "attribute": "way", "value": {"text": "by boat"}}},
            "rounds": [
                {"user": "{way}", "assistant": "Good."},
                {"stage": "walk", "user": "It was long.", "assistant": "Good."},
            ],
        }
    )
    assert "walk.stages.walk.what: expected names only in a title, got {way}" in list(
        problems([card], {})
    )
