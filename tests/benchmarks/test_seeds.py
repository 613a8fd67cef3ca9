"""How much another seed tells again: masking, likeness of rounds, golds."""

import pytest
from seeds import is_alike, masked, repeated, runs_of

TOLD = "The cloves went in nine days ago and they are up, one half in the sun"


def test_values_numbers_and_names_are_masked() -> None:
    """What another seed draws again does not make two rounds differ."""
    red, blue = (
        "I weigh Biscuit: 4.2 kg on the red scale.",
        "I weigh Mo Lee: 5 kg on the sky scale.",
    )
    one = masked(red, [(red.index("red"), red.index(" scale"))])
    assert one == masked(blue, [(blue.index("sky"), blue.index(" scale"))])
    assert one == ["i", "weigh", "#", "kg", "on", "the", "#", "scale"]


@pytest.mark.parametrize(
    ("other", "alike"),
    [(TOLD, True), (f"{TOLD} today", True), ("A quite different thing was told today here", False)],
)
def test_rounds_are_alike_by_their_runs(other: str, alike: bool) -> None:
    """Seven in ten runs of three words in common make two rounds one."""
    assert is_alike(runs_of(masked(TOLD)), runs_of(masked(other))) is alike


def test_short_rounds_repeat_nothing() -> None:
    """A round of fewer than three words has no runs, and is like no other."""
    assert not is_alike(runs_of(["yes"]), runs_of(["yes"]))


def test_each_round_of_the_second_counts_once() -> None:
    """A round that two of the first are like is one repetition."""
    runs = runs_of(masked(TOLD))
    assert repeated([runs, runs], [runs]) == 1
    assert repeated([], [runs]) == 0
