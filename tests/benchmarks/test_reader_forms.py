"""The independent reader on series, orders, lengths of time, and what led to what."""

import pytest
from reader_courses import in_order, outcomes, runs_out, said_to_lead
from reader_forms import by_form, form_of, new_share
from reader_release import ReadRound
from reader_series import course, every_kind, how_often, in_series, usual
from reader_text import Weights


def _round(place: str, day: str, *turns: str) -> ReadRound:
    return ReadRound(place, day, turns, ())


HIVE = [
    _round("D1:4", "2024-05-02", "The walk was on 2 May 2024. Rowan weighs 11.5 kg.", "Noted."),
    _round("D3:4", "2024-05-20", "The feast was on 20 May 2024. Rowan weighs 12.4 kg.", "Good."),
    _round("D4:4", "2024-06-01", "The swarm was on 1 June 2024. Rowan weighs 14 kg.", "Well."),
]
WEIGHTS = Weights(HIVE)
EVENTS = "the walk, the swarm and the feast"
LINE = [
    _round("D2:1", "2024-05-06", "The long walk led to the feast at home. More later.", "Yes?"),
    _round("D3:1", "2024-05-20", "The late swarm goes back to the feast at home.", "So?"),
    _round("D4:1", "2024-06-01", "It was the long walk that led to the new hat.", "Nice."),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was Rowan's weight at its highest?", "14 kg"),
        ("What was the lowest figure for Rowan's weight?", "11.5 kg"),
        ("On what date was Rowan's weight highest?", "2024-06-01"),
        ("On what date did Rowan limp for the last time?", "2024-06-01"),
        ("Where does Rowan stand?", None),
    ],
)
def test_a_series_has_its_ends(question: str, answer: str | None) -> None:
    """Figures beside the words of the label, in the order of their sessions."""
    assert in_series(question, HIVE, WEIGHTS) == answer


def test_a_course_runs_from_the_first_to_the_last_figure() -> None:
    """In the order of the sessions; other questions have none."""
    assert course("How did Rowan's weight develop? Give both.", HIVE, WEIGHTS) == (
        "11.5 kg",
        "14 kg",
    )
    assert course("Where does Rowan stand?", HIVE, WEIGHTS) == ()


def test_kinds_are_counted_by_what_is_said() -> None:
    """Rounds that say a kind are counted; the kind that most say is the usual one."""
    said = [
        _round("D1:1", "2024-05-01", "The saw failed today.", ""),
        _round("D2:1", "2024-05-02", "What failed was the plane.", ""),
        _round("D3:1", "2024-05-03", "Of course the saw failed.", ""),
    ]
    assert how_often("How many times did the saw fail?", said) == "2"
    assert every_kind("Which tools have failed so far?", said, Weights(said)) == (
        "the plane",
        "the saw",
    )
    assert usual("Which tool failed most often?", said, Weights(said)) == "the saw"


def test_events_are_ordered() -> None:
    """By the days that the rounds give for the events that they tell."""
    order = in_order(f"In what order did these come: {EVENTS}?", HIVE, WEIGHTS)
    assert order == ("the walk", "the feast", "the swarm")


def test_a_list_is_parted_where_it_fits_the_rounds() -> None:
    """An `and` inside a title is none of the list, and no title is a single word."""
    rounds = [
        _round("D1:1", "2024-05-02", "The race of Ann and Bo was on 2 May 2024.", ""),
        _round("D2:1", "2024-05-09", "The long feast was on 9 May 2024.", ""),
    ]
    question = "In what order did these come: the long feast and the race of Ann and Bo?"
    assert in_order(question, rounds, Weights(rounds)) == (
        "the race of Ann and Bo",
        "the long feast",
    )


def test_a_length_of_time_runs_from_the_day_of_its_round() -> None:
    """Months are counted by the calendar; a day that a month lacks is its last."""
    rounds = [
        _round("D1:1", "2024-01-31", "Bought on 31 January 2024. The guarantee is 13 months.", "")
    ]
    question = "When does the guarantee run out?"
    assert runs_out(question, rounds, Weights(rounds)) == "2025-02-28"
    assert runs_out("On what date was the feast?", rounds, Weights(rounds)) is None


def test_all_that_an_event_led_to_is_gathered() -> None:
    """From what users say, whichever way round they say it."""
    question = "What did the long walk lead to? Name all of it."
    assert outcomes(question, LINE) == ("the feast at home", "the new hat")
    assert len(said_to_lead(LINE)) == 3


@pytest.mark.parametrize(
    "said",
    [
        "My hat wouldn't have happened without my long walk, which led to it.",
        "I blame my long walk for my hat, it led there.",
        "What my long walk led to is my hat.",
        "And my long walk has now led to my hat.",
        "One thing leads to another, and my long walk led to my hat.",
        "You remember my long walk, it led to my hat.",
    ],
)
def test_people_say_of_themselves_what_others_ask_by_name(said: str) -> None:
    """`My long walk` is Ana's."""
    rounds = [_round("D1:1", "2024-05-01", said, "")]
    found = outcomes("Which events did Ana's long walk lead to?", rounds)
    assert [one.lower() for one in found] == ["my hat"]


def test_forms_are_told_by_the_words_of_the_question() -> None:
    """New forms have a share; types without forms have none."""
    assert form_of("ms", "How many times did the saw fail?") == "series, kind counted"
    assert form_of("tr", "On what date was the feast?") == "date"
    assert form_of("ss", "On what date was the feast?") == ""
    rows = [("tr", "date", True), ("tr", "order", False)]
    assert by_form(rows) == [("tr", "date", 1, 1), ("tr", "order", 1, 0)]
    assert new_share(rows, "tr") == 0.5
