"""Text search: whole tokens, whatever the case, quotes, digits or number words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.values import text

words = st.lists(st.sampled_from(["red", "kiln", "12", "the", "Porto", "4.5"]), max_size=6)


@pytest.mark.parametrize(
    ("hay", "needle"),
    [
        ("I gave him 12 pills.", "12"),
        ("It weighs 12kg now", "12 kg"),
        ("That cost 1,850 euros", "1850"),
        ("That cost 1850 euros", "1,850"),
        ("１２ 個", "12"),
        ("Twenty-one boats", "21"),
        ("twenty one boats", "twenty-one"),
        ("twenty‑one boats", "21"),
        ("the year of ninety-nine plans", "99"),
        ("She said “hello there”", '"hello there"'),
        ("It’s Rex’s ball", "Rex"),
        ("It's Rexʼs ball", "Rex's"),
        ("He lives in İSTANBUL", "istanbul"),
        ("STRASSE 7", "Straße 7"),
        ("a cat, the dog", "cat dog"),
        ("at 3:30 sharp", "3:30"),
        ("D1–D2", "d1-d2"),
        ("ﬁne print", "fine print"),
        ("cafe\u0301 au lait", "Café"),
    ],
)
def test_a_text_holds(hay: str, needle: str) -> None:
    """The value stands in the text, however it is written."""
    assert text.holds(hay, needle)


@pytest.mark.parametrize(
    ("hay", "needle"),
    [
        ("I gave him 120 pills.", "12"),
        ("I gave him 12.5 pills.", "12"),
        ("at 12:30", "12"),
        ("room 112", "12"),
        ("1,850", "850"),
        ("Twenty-one boats", "20"),
        ("twenty-one boats", "1"),
        ("twenty, one by one", "21"),
        ("ISPARTA", "ısparta"),
        ("category", "cat"),
        ("dog cat", "cat dog"),
        ("anything", ""),
        ("anything", "the"),
        ("", "x"),
    ],
)
def test_a_text_does_not_hold(hay: str, needle: str) -> None:
    """Parts of tokens, other letters and empty values are not held."""
    assert not text.holds(hay, needle)


def test_dotless_i_is_a_letter_of_its_own() -> None:
    """The Turkish ı is no i in any locale, and İ is one."""
    assert text.normalise("İI ıi") == "ii ıi"
    assert text.tokens("İzmir'de") == ["izmir'de"]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The red kiln.", "red kiln"),
        ("Seven", "7"),
        ("sixty-three", "63"),
        ("1,000,000", "1000000"),
        ("‘Puffin’", "puffin"),
    ],
)
def test_two_texts_are_the_same(left: str, right: str) -> None:
    """Case, articles, punctuation and number words do not count."""
    assert text.same(left, right)


def test_number_words_reach_ninety_nine() -> None:
    """Every number from 0 to 99 has one word, and every word its digits."""
    assert sorted(map(int, text.NUMBER_WORDS.values())) == list(range(100))
    assert text.NUMBER_WORDS["twenty-one"] == "21"


@given(words, words, words)
def test_a_text_holds_its_own_runs(before: list[str], value: list[str], after: list[str]) -> None:
    """Whatever stands between other words is held, unless nothing of it counts."""
    hay, needle = " ".join([*before, *value, *after]), " ".join(value)
    assert text.holds(hay, needle) == bool(text.content_tokens(needle))


@given(st.text(max_size=40))
def test_normalising_twice_changes_nothing_in_the_tokens(any_text: str) -> None:
    """A normalised text has the tokens of its original."""
    assert text.tokens(text.normalise(any_text)) == text.tokens(any_text)


@given(st.text(max_size=40), st.text(max_size=40))
def test_measures_lie_between_none_and_all(left: str, right: str) -> None:
    """Coverage and Jaccard stay in 0..1 and are 1 for a text with itself."""
    assert 0 <= text.coverage(left, right) <= 1
    assert 0 <= text.jaccard(text.shingles(left), text.shingles(right)) <= 1
    if text.content_tokens(left):
        assert text.coverage(left, left) == 1
        assert text.jaccard(text.shingles(left), text.shingles(left)) == 1


def test_shingles_of_a_short_text() -> None:
    """A text shorter than a shingle is one shingle; an empty one has none."""
    assert text.shingles("one boat") == {("one", "boat")}
    assert text.shingles("a b c d") == {("a", "b", "c"), ("b", "c", "d")}
    assert text.shingles("") == set()
    assert text.jaccard(set(), set()) == 0


@pytest.mark.parametrize(
    ("seen", "blank"),
    [
        *((one, True) for one in ("", " \n\t", "\u200b", "\u00ad\ufeff", "\ufe0f", "\u2800")),
        *((one, False) for one in ("a", "\u200ba", "?", "5", "\U0001f600", "\u0646", "e\u0301")),
    ],
)
def test_what_nobody_can_see_is_blank(seen: str, blank: bool) -> None:
    """Spaces, zero-width characters, marks and fillers without a letter, number or sign."""
    assert text.is_blank(seen) is blank
