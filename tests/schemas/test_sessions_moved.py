"""A session that moves takes the times of its turns along."""

import pytest

from memassay.schemas.changes.history_lists import move_session
from memassay.schemas.records.conversation import Round, RoundKind, Session, Turn


@pytest.mark.parametrize(
    ("before", "after", "time", "moved"),
    [
        ("2023-05-08T13:56:00", "2023-06-06T14:51", "2023-05-08T13:57:30", "2023-06-06T14:52:30"),
        ("2023-05-08T13:56", "2023-06-06T01:00", "2023-05-08T14:00", "2023-06-06T01:04"),
        ("2023-05-08T13:56", "2023-06-06", "2023-05-08T14:00", "2023-06-06T14:00"),
        ("2023-05-08", "2023-06-06T10:00", "2023-05-09", "2023-06-07"),
        (None, "2023-06-06", "2023-05-08T14:00", "2023-05-08T14:00"),
    ],
)
def test_times_keep_their_distance(before: str | None, after: str, time: str, moved: str) -> None:
    """To the minute where session and turn have times, by whole days where one has none."""
    turn = Turn(id="D1:1.1", speaker="user", text="Hi.", time=time)
    told = Round(id="D1:1", kind=RoundKind.UTTERANCE, turns=[turn])
    session = move_session(Session(id="D1", index=1, date=before, rounds=[told]), after)
    assert (session.date, session.rounds[0].turns[0].time) == (after, moved)
