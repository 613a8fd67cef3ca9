"""The independent reader finds pictures by what a question says of them."""

import pytest
from reader_core import core_of
from reader_pictures import candidates, one_picture, two_pictures
from reader_release import ReadRound, Shown
from reader_shown import mentioned

_PICTURES = tuple(
    Shown(f"D1:IMG_00{at}", caption, None, b"")
    for at, caption in enumerate(("Label: a", "Line chart: b", "Label: c", "Bar chart: d"), 1)
)
_ROUNDS = (ReadRound("D1:1", "2024-05-02", ("Look.",), _PICTURES),)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What does the last label sent before the fair give?", "D1:IMG_003"),
        ("Which point is highest in the first graph from May?", "D1:IMG_002"),
        ("What is printed on the second picture?", "D1:IMG_002"),
        ("Which image is the bar chart sent after the fair?", "D1:IMG_004"),
    ],
)
def test_a_picture_is_found_by_its_noun_and_place(question: str, wanted: str) -> None:
    """A noun says which captions fit, an ordinal which of them is meant."""
    found = one_picture(question, _ROUNDS, _ROUNDS, lambda _: True)
    assert found is not None
    assert found.id == wanted


def test_a_question_compares_two_pictures_of_a_kind() -> None:
    """`The two labels` are both labels, and a chart beside them is none."""
    pair = two_pictures("Which of the two labels has the higher salt content?", _ROUNDS)
    assert pair == (_PICTURES[0], _PICTURES[2])


@pytest.mark.parametrize(
    ("question", "core"),
    [
        ("What was the coma score around Dot's arrival?", "What was the coma score"),
        ("Thinking back to the fair, what did the tea cost?", "what did the tea cost"),
        (
            "Remind me: at which hour was it highest in the chart from May?",
            "at which hour was it highest",
        ),
        ("Around the fair, in week 2, what was the height?", "in week 2, what was the height"),
    ],
)
def test_what_is_asked_is_told_from_where(question: str, core: str) -> None:
    """The words that say of which event or picture are left out."""
    assert core_of(question) == core


def test_candidates_are_those_of_the_noun_and_place() -> None:
    """Without a noun all pictures of the cited rounds may be meant."""
    assert candidates("What is on the last label?", _ROUNDS) == [_PICTURES[2]]
    assert candidates("What was the score around the fair?", _ROUNDS) == list(_PICTURES)


def test_labels_that_look_alike_are_told_apart() -> None:
    """The label that a question names exactly comes before one that is nearly the same."""
    asked = "What is the value for Setting B in the chart?"
    assert mentioned(asked, ["Setting A", "Setting B"]) == ["Setting B"]
