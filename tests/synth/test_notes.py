"""What the user notes beside what is told, and when it is told."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from memassay.schemas.ids import record_id
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.telling.remarks import noted_slots
from memassay.synth.world.casting import cast
from memassay.synth.world.maker import WHEN
from memassay.synth.world.persona_file import PERSONAS, RoundSpec, load_persona
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.event_times import event_times, turns_of
from memassay.synth.world.processes.phrases import asks_last, names_time
from memassay.synth.world.sizes import Sizes

RANDOMS = partial(keyed_random, "7")
TOLD = RoundSpec(user="It is done.", assistant="Good.")
ASKED = RoundSpec(user="Is it done?", assistant="Yes.")
BEGGED = RoundSpec(user="It is done. Teach me the next.", assistant="Yes.")


@pytest.fixture(scope="module")
def cards() -> list[CastCard]:
    """The cards of a history of twelve sessions."""
    persona = load_persona(PERSONAS / "wei-courier.yaml")
    return list(cast(persona, Sizes(sessions=12, rounds=12, images=6), RANDOMS).cards)


def test_a_day_is_said_where_nothing_else_names_a_time(cards: list[CastCard]) -> None:
    """Neither after a question, nor beside other words of time, and once in a session."""
    dated = [turn.cast for turn in turns_of(cards) if turn.notes_day]
    assert dated
    assert not any(names_time(one.card) or asks_last(one.card.rounds) for one in dated)
    assert len({one.session for one in dated}) == len(dated)


def test_entries_and_a_day_never_share_an_event(cards: list[CastCard]) -> None:
    """Entries say `today` themselves; every session has one event with entries."""
    turns = list(turns_of(cards))
    logs = [turn.cast.session for turn in turns if turn.logs]
    assert logs == sorted({one.session for one in cards})
    assert not any(turn.logs and turn.notes_day for turn in turns)


def _noted(*rounds: RoundSpec) -> list[list[str]]:
    event = TimelineEvent(
        id=record_id("ana", "E001"),
        conversation="ana",
        position=1,
        session=1,
        date="2024-03-04T09:00",
        line=EventLine.CORE,
        title="a visit",
        query="Who came?",
        keyword="dog",
        card="visit",
        source_sha256="0" * 64,
        names={},
        facts={WHEN: "ana/F0001", "log:jobs": "ana/F0002"},
    )
    return [noted_slots(event, at, rounds) for at in range(len(rounds))]


def test_entries_come_after_what_is_told() -> None:
    """In the last round, where that asks nothing."""
    assert _noted(ASKED, TOLD) == [[], ["log:jobs", WHEN]]


@pytest.mark.parametrize("last", [ASKED, BEGGED])
def test_entries_come_first_where_the_end_asks(last: RoundSpec) -> None:
    """Never within what is told, never after an open question."""
    assert _noted(TOLD, last)[0] == ["log:jobs"]


@pytest.mark.parametrize("clock", [5 * 60, 12 * 60 + 30, 21 * 60 + 50, 23 * 60])
def test_a_talk_begins_after_the_times_it_names(cards: list[CastCard], clock: int) -> None:
    """Events of its own day; the talk ends before midnight."""
    today = [replace(one, happened=one.told) for one in cards]
    for one, when in zip(today, event_times(today, [clock] * len(cards), RANDOMS), strict=True):
        assert when.date() == one.told
        assert when.hour * 60 + when.minute >= clock


def test_times_of_an_earlier_day_move_nothing(cards: list[CastCard]) -> None:
    """What happened the day before may have been later in its day."""
    before = [replace(one, happened=one.told - timedelta(days=1)) for one in cards]
    free, late = [0] * len(cards), [23 * 60] * len(cards)
    assert event_times(before, free, RANDOMS) == event_times(before, late, RANDOMS)
