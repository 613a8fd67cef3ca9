"""By how many days sessions of a lender move, and which of them may not move."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.flows.stages.lent_days import SEASON, days_to_move, names_day, place_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)


def _talk(days: list[date | None], text: str = "Well.") -> Bundle:
    speaker = Speaker(id="speaker_a", name="Ann", kind=SpeakerKind.HUMAN)
    sessions = [
        Session(
            id=f"D{at}",
            index=at,
            date=day.isoformat() if day else None,
            rounds=[
                Round(
                    id=f"D{at}:1",
                    kind=RoundKind.UTTERANCE,
                    turns=[Turn(id=f"D{at}:1.1", speaker=speaker.id, text=text)],
                )
            ],
        )
        for at, day in enumerate(days, start=1)
    ]
    talk = Conversation(
        id="talk", collection="c", path="curate", speakers=[speaker], sessions=sessions
    )
    return Bundle(conversation=talk)


HOST = _talk([date(2025, 2, 15), date(2025, 3, 22), date(2025, 4, 26), date(2025, 6, 14)])


@given(
    first=st.dates(date(2015, 1, 1), date(2035, 1, 1)),
    steps=st.lists(st.integers(2, 60), min_size=1, max_size=6),
)
def test_a_lender_moves_by_whole_weeks_within_its_season(first: date, steps: list[int]) -> None:
    """And each session that finds room keeps its weekday."""
    days = [first + timedelta(days=sum(steps[:at])) for at in range(len(steps) + 1)]
    by = days_to_move(_talk([*days]), HOST, 2, 3)
    if by is None:
        return
    assert by % 7 == 0
    assert min(abs(by) % 365, -abs(by) % 365) <= SEASON
    for day in days:
        found = place_of(day.isoformat(), by, HOST, 2)
        if found is not None:
            assert date.fromisoformat(found[1]).weekday() == day.weekday()


def test_what_fits_where_it_is_does_not_move() -> None:
    """Room for as many as are wanted is enough."""
    lender = _talk([date(2025, 1, 18), date(2025, 3, 1), date(2025, 3, 29)])
    assert days_to_move(lender, HOST, 2, 2) == 0


def test_sessions_without_days_do_not_move() -> None:
    """Nothing says how long after the others they are."""
    assert days_to_move(_talk([None, None]), HOST, 2, 2) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [("We met on 1 March.", True), ("It was on March 1st.", True), ("In March 2024, then.", False)],
)
def test_a_day_that_is_named_is_found(text: str, named: bool) -> None:
    """Days of the calendar, not months and years."""
    assert names_day(_talk([date(2025, 3, 1)], text).conversation.sessions[0]) is named
