"""What the user says between events, and in whose person."""

from random import Random

import pytest

from memassay.schemas.ids import record_id
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.values.text import in_person
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.telling.remarks import ASIDE, TURN, turn_from
from memassay.synth.world.maker import WHEN


def _event(title: str, **facts: str) -> TimelineEvent:
    return TimelineEvent(
        id=record_id("ana", "E001"),
        conversation="ana",
        position=1,
        session=1,
        date="2024-03-04T09:00",
        line=EventLine.CORE,
        title=title,
        query="Who came?",
        keyword="dog",
        card="visit",
        source_sha256="0" * 64,
        facts={slot.replace("_", ":"): fact for slot, fact in facts.items()},
    )


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("the choice of Ana's board", "the choice of my board"),
        ("Ana's first soup", "my first soup"),
        ("another soup of Ana's", "another soup of mine"),
        ("the bill of Anabel's shop", "the bill of Anabel's shop"),
        ("the race between Ana and Ruben", None),
        ("Ana's purchase of her knife", None),
    ],
)
def test_nobody_speaks_of_themselves_by_name(title: str, said: str | None) -> None:
    """A title is said in the first person, or not at all."""
    assert in_person(title, "Ana") == said


def test_an_event_is_left_by_its_name() -> None:
    """Each way to say so comes up before any comes again."""
    book, said = Phrasebook(Random(1)), set()
    for _ in TURN:
        text = turn_from(_event("the loud visit"), [], "", {"user": "Ana"}, book).text
        assert "the loud visit" in text.lower()
        said.add(text)
    assert len(said) == len(TURN)


def test_a_name_that_was_said_a_moment_ago_is_not_said_again() -> None:
    """An event that ended with its day has named itself."""
    before = _event("the loud visit", event_when="ana/F0001")
    assert WHEN in before.facts
    assert turn_from(before, [], "", {"user": "Ana"}, Phrasebook(Random(1))).text in ASIDE
