"""The deck of MMRC: sums as printed, first parts in proportion, room for what is asked."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.synth.paths.mmrc.deck import (
    CHOICES,
    CLOSED,
    DIALOGUES,
    IMAGES,
    LONGEST,
    QUESTIONS,
    ROUNDS,
    SHORTEST,
    TRUE_FALSE,
    Asked,
    card_of,
    deck,
)
from memassay.synth.paths.mmrc.quotas import bit_reversed, interleave, is_due, largest_shares

PUBLIC = 457
DEMO = 60


def asked_in(dialogues: int) -> list[Asked]:
    """What is asked of the first so many dialogues."""
    return [one for card in deck()[:dialogues] for one in card.asked]


def test_rounds_and_images_add_up() -> None:
    """All dialogues together have the rounds and images of Table 2."""
    cards = deck()
    assert len(cards) == DIALOGUES
    assert sum(card.rounds for card in cards) == ROUNDS
    assert sum(card.images for card in cards) == IMAGES


def test_abilities_and_forms_are_those_of_table_2() -> None:
    """Each ability and each form is asked exactly as often as the paper prints."""
    asked = asked_in(DIALOGUES)
    assert Counter(one.code for one in asked) == QUESTIONS
    forms = Counter(one.form for one in asked)
    assert forms == {"open": 24_716, "choice": CHOICES, "true_false": TRUE_FALSE}


def test_closed_forms_only_where_they_fit() -> None:
    """Lists, pictures and refusals are asked openly."""
    assert {one.code for one in asked_in(DIALOGUES) if one.form != "open"} == set(CLOSED)


def test_public_part_has_every_length() -> None:
    """Among the first 457 dialogues is every length from 4 to 22 rounds."""
    lengths = {card.rounds for card in deck()[:PUBLIC]}
    assert lengths == set(range(SHORTEST, LONGEST + 1))


@pytest.mark.parametrize("dialogues", [DEMO, PUBLIC, 1000])
def test_first_dialogues_are_in_proportion(dialogues: int) -> None:
    """Means of the first dialogues lie near those of all."""
    cards = deck()[:dialogues]
    assert sum(card.rounds for card in cards) / dialogues == pytest.approx(15.2, rel=0.03)
    assert sum(card.images for card in cards) / dialogues == pytest.approx(4.65, rel=0.06)
    assert len(asked_in(dialogues)) / dialogues == pytest.approx(28_720 / DIALOGUES, rel=0.03)


@pytest.mark.parametrize("code", CLOSED)
def test_letters_and_truth_are_balanced(code: str) -> None:
    """Of an ability no letter is right more often than another by more than one in each run."""
    for form, many in (("choice", 4), ("true_false", 2)):
        places = Counter(
            one.place for one in asked_in(DEMO * 8) if (one.code, one.form) == (code, form)
        )
        assert max(places.values()) - min(places.values()) <= 1
        assert set(places) == set(range(many))


def test_cards_have_room_for_what_they_ask() -> None:
    """Updates and pieces fill at most every second round; who is asked for them has them."""
    for card in deck():
        assert card.updates + card.pieces <= card.rounds // 2
        assert (card.updates > 0) is (card.asks("IU") is not None)
        assert (card.pieces > 1) is (card.asks("IE") is not None)
        assert card.updates <= 4
        assert card.pieces <= 5


def test_images_keep_to_their_bounds() -> None:
    """From five rounds on there are two images or more, at most eight, and fewer than rounds."""
    for card in deck():
        assert 1 <= card.images <= min(8, card.rounds - 1)
        assert card.images >= 2 or card.rounds == SHORTEST


def test_shortest_dialogues_are_asked_least() -> None:
    """The abilities that are missing go to the shortest dialogues."""
    means = {}
    for length in range(SHORTEST, LONGEST + 1):
        asked = [len(card.asked) for card in deck() if card.rounds == length]
        means[length] = sum(asked) / len(asked)
    assert list(means.values()) == sorted(means.values())


def test_deck_begins_again() -> None:
    """One dialogue more than the deck has gets the first card."""
    assert card_of(DIALOGUES) == card_of(0)


@given(st.integers(1, 400))
def test_bit_reversed_is_a_permutation(size: int) -> None:
    """Every number comes once."""
    assert sorted(bit_reversed(size)) == list(range(size))


@given(st.integers(1, 200), st.data())
def test_due_units_are_as_many_as_the_quota(of: int, data: st.DataObject) -> None:
    """Over a whole row exactly the quota is due, wherever it is shifted to."""
    quota = data.draw(st.integers(0, of))
    shift = data.draw(st.integers(0, of))
    assert sum(is_due(number, quota, of, shift) for number in range(of)) == quota


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 50), min_size=1), st.integers(0, 500))
def test_largest_shares_add_up(weights: dict[str, int], total: int) -> None:
    """Shares are whole, add up, and are off by less than one."""
    shares = largest_shares(weights, total)
    assert sum(shares.values()) == total
    whole = sum(weights.values())
    assert all(abs(shares[name] - total * weights[name] / whole) < 1 for name in weights)


@given(st.dictionaries(st.text(max_size=3), st.integers(1, 30), max_size=5))
def test_interleave_keeps_counts(counts: dict[str, int]) -> None:
    """Each name comes as often as it is counted."""
    assert Counter(interleave(counts)) == counts
