"""What sessions share, as `benchmarks/sessions.py` counts it."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from sessions import measure, missed_bars, shared_sentences

SAID = "We walked along the river to the old mill."
SOUP = "The soup needs salt and another hour on the stove."


def test_a_sentence_counts_where_two_sessions_say_it() -> None:
    """Said twice in one session it is no more than said once; short ones never count."""
    assert shared_sentences([[SAID, f"{SAID} Yes."], [SOUP, "Yes."]])[0] == 0.0
    share, often = shared_sentences([[SAID, SOUP], [f"Oh. {SAID}"]])
    assert share == pytest.approx(2 / 3, abs=1e-4)
    assert [times for _, times in often] == [2]


def test_a_next_round_is_found_by_its_matter() -> None:
    """Sessions that keep to one thing are told from each other."""
    matters = ("soup", "mill", "kite", "lamp")
    talk = {
        one: [f"About the {one} {at} we have something to say." for at in range(6)]
        for one in matters
    }
    found = measure({"ana": talk})
    assert found["next_of_others"] == 1.0
    assert missed_bars({**found, "shared": 0.0}) == []
    assert missed_bars({**found, "shared": 0.5, "next_of_others": 0.5}) == [
        "shared",
        "next_of_others",
    ]
