"""The text grammar makes choices and keeps where each value stands."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.errors import UsageError
from memassay.synth.world.grammar import choose, expand, join, slots_of

PLAIN = st.text(alphabet="abc xyz.,", min_size=1, max_size=12)
SLOTS = st.sampled_from(["{dose}", "{pup}", "{card.fact}"])
VALUES = {"dose": "75 mg", "pup": "Biscuit", "card.fact": "4 March 2025"}
PATTERNS = st.recursive(
    PLAIN | SLOTS,
    lambda inner: st.lists(st.lists(inner, min_size=1, max_size=3).map("".join), min_size=2).map(
        lambda options: f"[{'|'.join(options)}]"
    ),
    max_leaves=8,
)


@given(PATTERNS, st.integers(0, 99))
def test_every_span_holds_the_value_of_its_slot(pattern: str, seed: int) -> None:
    """Whatever was chosen, the text at a span is what its slot says, up to a first capital."""
    made = expand(pattern, Random(seed), VALUES)
    for span in made.spans:
        assert made.text[span.start : span.end].lower() == VALUES[span.slot].lower()


@given(PATTERNS, st.integers(0, 99))
def test_equal_generators_choose_alike(pattern: str, seed: int) -> None:
    """The same pattern and generator give the same text."""
    assert choose(pattern, Random(seed)) == choose(pattern, Random(seed))


@given(st.lists(PATTERNS, min_size=1, max_size=4), st.integers(0, 9))
def test_joining_moves_spans_along(patterns: list[str], seed: int) -> None:
    """In a joined text every span still holds its value."""
    made = join([expand(pattern, Random(seed), VALUES) for pattern in patterns])
    for span in made.spans:
        assert made.text[span.start : span.end].lower() == VALUES[span.slot].lower()


def test_each_alternative_can_be_chosen() -> None:
    """Over many draws every alternative comes up, the empty one too."""
    drawn = {choose("[one|two|]", Random(seed)) for seed in range(60)}
    assert drawn == {"one", "two", ""}


def test_slots_of_a_pattern_include_those_of_all_choices() -> None:
    """Slots are named whichever choice is made."""
    assert slots_of("{a} [x {b}|y {c.d}]") == ["a", "b", "c.d"]


@pytest.mark.parametrize("pattern", ["[one", "one]", "one|two", "[[a|b]"])
def test_brackets_that_do_not_match_are_refused(pattern: str) -> None:
    """A pattern with a stray bracket or bar is an error that quotes it."""
    with pytest.raises(UsageError, match="bracket"):
        choose(pattern, Random(0))


def test_a_slot_without_a_value_is_refused() -> None:
    """The error names the slot."""
    with pytest.raises(UsageError, match="weight"):
        expand("{weight}", Random(0), VALUES)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("{spot} it is.", "The sill it is."),
        ("Well. {spot} it is.", "Well. The sill it is."),
        ('"Well?" {spot}!', '"Well?" The sill!'),
        ("So: {spot}, e.g. the sill.", "So: the sill, e.g. the sill."),
    ],
)
def test_a_value_that_opens_a_sentence_has_a_capital(pattern: str, text: str) -> None:
    """Wherever a sentence begins, its first letter is a capital, whatever the value's."""
    assert expand(pattern, Random(0), {"spot": "the sill"}).text == text
