"""The independent reader on series, orders, gaps, lengths of time, and what led to what."""

import pytest
from reader_courses import in_order, led, led_when, of_several, runs_out, said_to_lead
from reader_forms import by_form, form_of, new_share
from reader_release import ReadRound
from reader_series import how_often, in_series, usual
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
        ("How many times was Rowan's weight above 12 kg?", "2"),
        ("How often did Al note Rowan's weight at most 12.4 kg?", "2"),
        ("What was Rowan's weight the first time it was above 12 kg?", "12.4 kg"),
        ("When was Rowan's weight last below 13 kg?", "2024-05-20"),
        ("How far apart are the highest and the lowest figure for Rowan's weight?", "2.5 kg"),
        (
            "How many days was the longest pause from one note of Rowan's weight to the next?",
            "18 days",
        ),
        ("Where does Rowan stand?", None),
    ],
)
def test_a_series_is_counted_and_filtered(question: str, answer: str | None) -> None:
    """Figures beside the words of the label, in the order of their sessions."""
    assert in_series(question, HIVE, WEIGHTS) == answer


def test_a_figure_before_an_event_is_the_last_of_those() -> None:
    """The day of the event is that of the round which tells it."""
    question = "What was the last figure noted for Rowan's weight before the swarm?"
    assert in_series(question, HIVE, WEIGHTS) == "12.4 kg"


def test_kinds_are_counted_by_what_is_said() -> None:
    """Rounds that say a kind are counted; the kind that most say is the usual one."""
    said = [
        _round("D1:1", "2024-05-01", "The saw failed today.", ""),
        _round("D2:1", "2024-05-02", "What failed was the plane.", ""),
        _round("D3:1", "2024-05-03", "Of course the saw failed.", ""),
    ]
    assert how_often("How often was the saw Ann's tool?", said) == "2"
    assert usual("Which tool failed most often?", said, Weights(said)) == "the saw"


def test_events_are_ordered_and_their_gaps_measured() -> None:
    """By the days that the rounds give for the events that they tell."""
    order = in_order(f"In what order did these come: {EVENTS}?", HIVE, WEIGHTS)
    assert order == ("the walk", "the feast", "the swarm")
    gap = (
        f"Take {EVENTS} in order of time. How many days is the shortest wait from one to the next?"
    )
    assert of_several(gap, HIVE, WEIGHTS) == "12 days"
    last = "On what date was the last of these before the swarm: the walk and the feast?"
    assert of_several(last, HIVE, WEIGHTS) == "2024-05-20"


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


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What led to the event that led to the late swarm?", "The long walk"),
        ("What else came of the event that led to the new hat?", "the feast at home"),
    ],
)
def test_what_led_to_what_is_followed(question: str, answer: str) -> None:
    """Along what users say, back, forth and sideways."""
    assert led(question, LINE) == answer


def test_the_day_of_a_cause_is_read_where_it_is_told() -> None:
    """Not in the round that only names it."""
    told = [_round("D1:3", "2024-05-02", "The long walk was on 2 May 2024.", ""), LINE[0]]
    question = "On what date was the event that led to the feast at home?"
    assert led_when(question, told, Weights(told)) == "2024-05-02"
    assert len(said_to_lead(LINE)) == 3


def test_forms_are_told_by_the_words_of_the_question() -> None:
    """New forms have a share; types without forms have none."""
    assert form_of("ms", "How many times was Rowan's weight above 12 kg?") == "series, counted"
    assert form_of("tr", "On what date was the feast?") == "date"
    assert form_of("ss", "On what date was the feast?") == ""
    rows = [("tr", "date", True), ("tr", "order", False)]
    assert by_form(rows) == [("tr", "date", 1, 1), ("tr", "order", 1, 0)]
    assert new_share(rows, "tr") == 0.5
