"""Lessons that fill what is left of a conversation."""

from hypothesis import assume, given
from hypothesis import strategies as st

from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.synth.lessons.fitting import Room, Shape, lessons_need, shapes_for

SPEAKERS = [Speaker(id="user", name="Ada", kind=SpeakerKind.HUMAN)]


def _talk(sessions: int, rounds: int, images: int) -> Conversation:
    """A conversation of given size, all rounds but one each in its first session."""
    made = []
    for at in range(1, sessions + 1):
        number = rounds - sessions + 1 if at == 1 else 1
        own = [
            Round(
                id=f"D{at}:{nth}",
                kind=RoundKind.EXCHANGE,
                turns=[
                    Turn(
                        id=f"D{at}:{nth}.1",
                        speaker="user",
                        text="Hello.",
                        attachments=[Attachment(id=f"D1:IMG_{nth:03d}", asset=f"talk/A{nth}")]
                        if at == 1 and nth <= images
                        else [],
                    )
                ],
            )
            for nth in range(1, number + 1)
        ]
        made.append(Session(id=f"D{at}", index=at, rounds=own))
    return Conversation(
        id="talk", collection="mem-gallery", path="mem-gallery", speakers=SPEAKERS, sessions=made
    )


def _taken(shapes: list[Shape]) -> tuple[int, int, int]:
    sessions = sum(len(one.talks) for one in shapes)
    shown = sum(sum(one.exemplars) for one in shapes)
    return sessions, shown + 2 * sessions + sum(sum(one.talks) for one in shapes), shown


@given(st.integers(2, 12), st.integers(40, 220), st.integers(8, 90), st.integers(2, 76), st.data())
def test_what_is_planned_for_lessons_is_what_they_take(
    sessions: int, rounds: int, images: int, names: int, data: st.DataObject
) -> None:
    """The rest and its lessons have the size asked for, also where the rest is a little off."""
    assume(images <= rounds - sessions)
    room = Room(0, 0, images * 2, {"TTL": names})
    need = lessons_need(room)
    off = data.draw(st.integers(-1, 3))
    talk = _talk(sessions, rounds - off, images)
    whole = (sessions + need[0], rounds + need[1], images + need[2])
    shapes = shapes_for(Room(*whole, {"TTL": names}), talk)
    taken = _taken(shapes)
    assert taken == (need[0], need[1] + off, need[2])
    assert all(2 <= number <= 6 for one in shapes for number in one.exemplars)
    assert all(len(one.exemplars) >= 2 for one in shapes)
    assert sum(one.asked * len(one.exemplars) for one in shapes) >= names


def test_nothing_is_taught_where_nothing_is_asked() -> None:
    """Then what is left stays empty."""
    assert lessons_need(Room(9, 90, 30, {})) == (0, 0, 0)
    assert shapes_for(Room(9, 90, 30, {}), _talk(8, 80, 20)) == []
