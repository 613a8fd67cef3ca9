"""Measures of text: distinct n-grams, near-duplicates, masks, frames, two samples told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_measures import (
    WINDOW,
    distinct,
    mask_spans,
    near_duplicates,
    separation,
    shared_share,
    skeletons,
    tokens,
)


def test_distinct_counts_pairs_that_differ() -> None:
    """Of three pairs two are equal, so two thirds are distinct."""
    assert distinct(["a", "b", "a", "b"], 2) == pytest.approx(2 / 3)


def test_distinct_looks_at_the_first_words_only() -> None:
    """What follows the window has no influence."""
    words = [str(at) for at in range(WINDOW)]
    assert distinct([*words, *words], 2) == 1.0


@pytest.mark.slow
@given(st.text())
def test_distinct_of_any_text_is_a_share(text: str) -> None:
    """The measure stays within [0, 1]."""
    assert 0.0 <= distinct(tokens(text), 2) <= 1.0


def test_near_duplicates_are_found_with_their_likeness() -> None:
    """Texts that differ in the last of many words are nearly the same, others are not."""
    same = " ".join(f"w{at}" for at in range(30))
    found = near_duplicates({"one": same, "two": f"{same} end", "three": "something else entirely"})
    assert [(pair.one, pair.other) for pair in found] == [("one", "two")]
    assert found[0].jaccard == pytest.approx(28 / 29)


def test_masked_spans_become_one_word_each() -> None:
    """Overlapping spans are masked together, the rest of the text stays."""
    assert mask_spans("It cost 74 EUR then.", [(8, 10), (8, 14)]) == "It cost value then."


def test_a_skeleton_keeps_function_words() -> None:
    """Sentences that differ in content words only have one skeleton; short ones have none."""
    one, other = "The cat is on the warm roof.", "The dog is on the cold step. Sit!"
    assert skeletons(one) == skeletons(other) == ["the _ is on the _ _"]


def test_a_share_of_nothing_is_zero() -> None:
    """No sentence shares no frame."""
    assert shared_share([], ["a"]) == 0.0
    assert shared_share(["a", "b"], ["b"]) == 0.5


def test_samples_with_words_of_their_own_are_told_apart() -> None:
    """The classifier is sure of samples that share no telling word."""
    ours = {f"o{at}": [f"tin lamp {n}" for n in range(8)] for at in range(3)}
    real = {f"r{at}": [f"oak boat {n}" for n in range(8)] for at in range(3)}
    result = separation(ours, real)
    assert result.accuracy == 1.0
    assert {"lamp", "tin"} <= set(result.telling[0])
