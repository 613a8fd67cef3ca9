"""The independent reader finds pictures by what a question says of them."""

import pytest
from reader_pictures import one_picture, two_pictures
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
    pair = two_pictures('How far apart are the two labels for "Salt"?', _ROUNDS)
    assert pair == (_PICTURES[0], _PICTURES[2])


def test_labels_that_look_alike_are_told_apart() -> None:
    """The label that a question names exactly comes before one that is nearly the same."""
    asked = "What is the value for Setting B in the chart?"
    assert mentioned(asked, ["Setting A", "Setting B"]) == ["Setting B"]
