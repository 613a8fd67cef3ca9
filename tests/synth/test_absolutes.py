"""What is denied without exception is held against all that a user tells."""

import pytest
from support.planted_lives import member

from memassay.synth.lives.unifying.absolutes.denied import BEGUN, UNKNOWN, absolutes_of
from memassay.synth.lives.unifying.denying.denials import EVER, NOW, UNABLE
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.stems import stem
from memassay.synth.lives.unifying.unify import unified


@pytest.mark.parametrize(
    ("text", "verb", "thing", "when"),
    [
        ("I haven't painted a single mural so far.", "paint", "mural", EVER),
        ("It will be the first opera I have ever attended.", "attend", "opera", EVER),
        ("I have yet to visit Norway.", "visit", "Norway", EVER),
        ("Our kitchen has never had a dishwasher.", "own", "dishwasher", NOW),
        ("I don't understand a word of Finnish.", "understand", "Finnish", UNABLE),
        ("I've only just started learning Polish.", "learn", "Polish", BEGUN),
        ("I couldn't even tell you what Stoicism is.", "know", "Stoicism", UNKNOWN),
    ],
)
def test_a_denial_says_what_of_and_for_when(text: str, verb: str, thing: str, when: str) -> None:
    """Never, not once, the first, no, unable, just begun and unheard of are told apart."""
    found = next(iter(absolutes_of(Told("user", "D1:1.1", text, None))))
    assert (found.verb, found.when) == (verb, when)
    assert stem(thing) in found.things[-1]


def test_it_is_what_was_named_before() -> None:
    """A denial of `one` is about the thing of the sentence before."""
    said = Told("user", "D1:2.1", "I have never owned one.", None)
    (found,) = absolutes_of(said, "They came in a car.")
    assert stem("car") in found.things[-1]


@pytest.mark.parametrize(
    "text",
    [
        "I never had a problem with it.",
        "I've never been able to decide.",
        "Those were the first tulips I saw there.",
        "I haven't slept so well in years.",
        "My neighbour has never been to Norway.",
    ],
)
def test_what_says_nothing_of_deeds_denies_nothing(text: str) -> None:
    """Troubles, comparisons and other people are no denials."""
    assert list(absolutes_of(Told("user", "D1:1.1", text, None))) == []


def _left_out(one: str, other: str) -> list[str]:
    members = [
        member("a", [one], date="2024-03-01"),
        member("b", ["It rains."], date="2024-04-01"),
        member("c", [other], date="2024-05-01"),
    ]
    return list(unified(members).left_out)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I photographed a kingfisher by the canal.", "I have never photographed a bird."),
        ("I put the tray into the oven at nine.", "There has never been an oven in our kitchen."),
        ("We compared Stoicism with Epicurus.", "I couldn't tell you what Stoicism is."),
        ("I don't understand a word of Dutch.", "We only spoke Dutch at home as I grew up."),
        ("I have never owned a pet.", "Rex was the terrier I had all through school."),
        ("I was behind the wheel all night.", "I have never driven a car in my life."),
        ("My first album came out in 2015.", "It will be the first album I have ever released."),
    ],
)
def test_what_shows_the_deed_contradicts_its_denial(one: str, other: str) -> None:
    """It counts under whatever name the thing goes."""
    assert len(_left_out(one, other)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have never ridden a horse.", "I rode a horse today, what a day!"),
        ("I will photograph a kingfisher one day.", "I have never photographed a bird."),
        ("My neighbour rode her horse past us.", "I have never ridden a horse."),
        ("Until last year I had never baked a cake.", "I baked a cake for Ida."),
        ("I'll never forget the sea there.", "I have never swum in a lake."),
    ],
)
def test_what_came_later_or_is_somebody_elses_does_not(one: str, other: str) -> None:
    """First times, plans and others' deeds leave a denial true."""
    assert _left_out(one, other) == []
