"""Sessions are cut apart so that nothing but their content tells where they stood."""

from pathlib import Path

import pytest
from ordering import bundles_of, cut_apart, kendall, masked, measured, tau_of

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


def _bundle(*told: str) -> Bundle:
    sessions = [
        Session(
            id=f"D{at}",
            index=at,
            date=f"2024-05-{at:02d}",
            rounds=[
                Round(
                    id=f"D{at}:1",
                    kind=RoundKind.UTTERANCE,
                    date=f"2024-05-{at:02d}",
                    turns=[Turn(id=f"D{at}:1.1", speaker="u", text=text, time="2024-05-01T10:00")],
                )
            ],
        )
        for at, text in enumerate(told, start=1)
    ]
    people = [Speaker(id="u", name="Ana", kind=SpeakerKind.HUMAN)]
    conversation = Conversation(
        id="c", collection="test", path="curate", speakers=people, sessions=sessions
    )
    return Bundle(conversation=conversation)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("On Friday, May 8th, 2024.", "On _, _ _, _."),
        ("Happy New Year’s eve in winter!", "Happy _ eve in _!"),
        ("It marches on; I may come at 5.", "It marches on; I may come at 5."),
        ("Since 3/5 or Sept. 2", "Since _ or _ 2"),
    ],
)
def test_dates_are_taken_out_of_texts(text: str, bare: str) -> None:
    """Months, weekdays, seasons, feasts, years and days; other words stay."""
    assert masked(text) == bare


def test_sessions_that_are_cut_apart_have_no_dates() -> None:
    """Neither of their own, nor in their rounds and turns, nor in an id."""
    members = cut_apart(_bundle("Hello.", "It is May."), mask=True)
    text = "".join(one.model_dump_json() for one in members.values())
    assert "2024" not in text
    assert "May" not in text
    ids = [one.id for one in members.values()]
    assert len(set(ids)) == 2
    assert not any("D1" in one or one.startswith("c") for one in ids)


def test_an_order_is_measured_against_random_ones() -> None:
    """Names that are introduced bring two sessions back; random orders are right half the time."""
    row = measured(_bundle("We named our puppy Pip.", "Pip is asleep.", "Pip ate my shoe."))
    assert row.taus["masked"] >= 1 / 3 - 1e-9
    assert abs(row.mean) < 0.1
    assert (row.low, row.high) == (-1, 1)
    assert (kendall([0, 1, 2]), kendall([2, 1, 0])) == (1, -1)


@pytest.mark.slow
def test_published_scenarios_come_back_better_than_by_chance(real_data: Path) -> None:
    """The mean of all twelve, dates masked, lies beyond that of random orders (0.13 at 97.5 %)."""
    bundles = bundles_of("mem-gallery", real_data / "mem-gallery" / "dialog")
    taus = [tau_of(cut_apart(one, mask=True))[0] for one in bundles]
    assert len(taus) == 12
    assert sum(taus) / len(taus) > 0.2
