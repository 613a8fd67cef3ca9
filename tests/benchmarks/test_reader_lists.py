"""The independent reader on lists that a dialogue names piece by piece."""

import io

import pytest
from PIL import Image
from reader_layout import Phrase
from reader_lists import pieces
from reader_pixels import Box
from reader_release import ReadRound, Shown
from reader_shown import Gallery
from reader_usage import Usage

QUESTION = "What are all the things bought for the boat?"


def _round(number: int, said: str, reply: str = "Good.", *captions: str) -> ReadRound:
    encoded = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(encoded, "PNG")
    shown = tuple(Shown(f"D1:IMG_{number:03}", one, None, encoded.getvalue()) for one in captions)
    return ReadRound(f"D1:{number}", None, (said, reply), shown)


OPENING = _round(1, "I've bought a dinghy, an old boat.", "Tell me more.")


def test_sentences_of_a_list_share_words_with_the_question() -> None:
    """In whatever form of the verb; what has a figure, and what shares no word, is left out."""
    rounds = [
        OPENING,
        _round(2, "I bought a brass bell for the boat. A neighbour waved from a ladder."),
        _round(3, "At the harbour I could buy an oar. The boat is 4 m long with a keel."),
    ]
    assert pieces(QUESTION, rounds, Gallery()) == ("a brass bell", "an oar")


def test_a_thing_that_the_reply_takes_up_is_of_the_list() -> None:
    """However the user words it; a thing that no reply takes up is not."""
    rounds = [
        OPENING,
        _round(2, "I bought a brass bell for the boat.", "Polish the brass bell."),
        _round(3, "My basket has a tin of varnish in it.", "Keep the tin of varnish closed."),
        _round(4, "A gull has watched me all morning.", "They like company."),
    ]
    assert pieces(QUESTION, rounds, Gallery()) == ("a brass bell", "a tin of varnish")


def test_a_thing_is_of_the_list_where_the_release_words_another_alike() -> None:
    """A sentence without a word of the question, if a reply takes up a thing between its words."""
    rounds = [
        OPENING,
        _round(2, "I bought a brass bell for the boat."),
        _round(3, "My basket has a tin of varnish in it."),
        _round(4, "A gull has watched me all morning."),
    ]
    other = _round(9, "My basket has a mop in it.", "Wring the mop well.")
    usage = Usage([*rounds, other])
    assert pieces(QUESTION, rounds, Gallery(), usage) == ("a brass bell", "a tin of varnish")


def test_a_picture_is_no_thing_of_its_list() -> None:
    """A sentence that shows a note about the list brings nothing in."""
    rounds = [
        OPENING,
        _round(2, "I bought a brass bell for the boat."),
        _round(3, "There's a note of what I bought.", "Good.", "the note about the boat"),
    ]
    assert pieces(QUESTION, rounds, Gallery()) == ("a brass bell",)


def test_what_a_word_of_the_list_governs_is_its_thing() -> None:
    """Of two noun phrases in a sentence, not the paper but what is wished for on it."""
    question = "Which wishes are there for the garden?"
    rounds = [
        OPENING,
        _round(2, "My aunt has a wish, she wants a pond."),
        _round(3, "There's a slip on the door with a wish for a swing."),
    ]
    assert pieces(question, rounds, Gallery()) == ("a pond", "a swing")


@pytest.mark.parametrize(
    ("elsewhere", "thing"),
    [("It fell on my foot.", "a brass bell"), ("The fell is steep.", "a brass bell fell")],
)
def test_a_noun_phrase_ends_where_words_follow_pronouns(elsewhere: str, thing: str) -> None:
    """A word that stands after pronouns, not after articles, anywhere in the release ends it."""
    rounds = [
        OPENING,
        _round(2, "I bought for the boat what I could, a brass bell fell from a shelf."),
    ]
    usage = Usage([*rounds, _round(9, elsewhere)])
    assert pieces(QUESTION, rounds, Gallery(), usage) == (thing,)


def test_things_of_a_list_may_be_known_ones() -> None:
    """Where its sentences have things with `the` that replies take up, they are what is listed."""
    question = "Which places does the user want to paint?"
    rounds = [
        OPENING,
        _round(2, "I want to paint the harbour gate.", "Bring blue for the harbour gate."),
        _round(3, "For a change I'll paint the fish hall.", "In the fish hall it's dry."),
    ]
    assert pieces(question, rounds, Gallery()) == ("the fish hall", "the harbour gate")


class _Printed(Gallery):
    """Reads the same lines in every picture."""

    def __init__(self, *lines: str) -> None:
        super().__init__()
        self._lines = lines

    def phrases(self, shown: Shown) -> list[Phrase]:
        """The lines, one below the other."""
        assert shown.data
        return [Phrase(one, Box(0, 9 * at, 9, 9 * at + 8)) for at, one in enumerate(self._lines)]


@pytest.mark.parametrize(
    ("lines", "things"),
    [
        (("Bought", "1:", "a mop", "2:", "an anchor"), ("a mop", "an anchor")),
        (("Money", "20 EUR", "Kept in:", "a drawer"), ()),
    ],
)
def test_a_noted_list_has_numbered_entries(lines: tuple[str, ...], things: tuple[str, ...]) -> None:
    """Lines of other papers are none, whatever articles they have."""
    rounds = [OPENING, _round(2, "Here it is.", "Good.", "the note about the boat")]
    assert pieces(QUESTION, rounds, _Printed(*lines)) == things
