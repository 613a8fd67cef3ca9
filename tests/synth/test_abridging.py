"""A life of given size: as many rounds and images as a history shall have, and no text lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.schemas.errors import UsageError
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.telling.abridging import abridge
from memassay.synth.telling.pacing import GO_ON, HEARD, part_turns, sentences
from memassay.synth.world.grammar import slots_of
from memassay.synth.world.persona_checks import problems
from memassay.synth.world.persona_file import PERSONAS, CardSpec, PersonaFile, load_persona
from memassay.synth.world.sizes import Sizes, images_of, rounds_of

NAME = "alex-veterinarian"


def _cards(persona: PersonaFile) -> list[CardSpec]:
    return [*persona.cards, *persona.side]


def _abridged(sessions: int, rounds: int, images: int, seed: int = 1) -> PersonaFile:
    persona = load_persona(PERSONAS / f"{NAME}.yaml")
    sizes = Sizes(
        sessions, rounds / sessions, images / sessions, documents=0, images_a_round=1, exact=True
    )
    return abridge(persona, sizes, keyed_random("abridging", str(seed)))


@settings(max_examples=8, deadline=None)
@given(st.integers(110, 260), st.floats(0.14, 0.42))
def test_a_life_has_the_rounds_and_images_asked_for(rounds: int, share: float) -> None:
    """To the number, from a picture in every seventh round on, one image a round."""
    images = round(rounds * share)
    cards = _cards(_abridged(10, rounds, images))
    assert (rounds_of(cards), images_of(cards)) == (rounds, images)
    assert all(len(one.shows) <= 1 for card in cards for one in card.rounds)


def test_a_life_without_room_for_a_card_is_refused() -> None:
    """Every card has rounds without an image."""
    with pytest.raises(UsageError, match=f"{NAME}: expected room for a card, .*; tell more rounds"):
        _abridged(10, 30, 30)


@pytest.mark.parametrize(("rounds", "images"), [(175, 23), (160, 60)])
def test_what_is_left_is_a_persona_without_problems(rounds: int, images: int) -> None:
    """No slot, law or replaced fact names what was left out."""
    persona = _abridged(9, rounds, images)
    assert list(problems(_cards(persona), persona.entities)) == []


def test_another_seed_tells_other_cards() -> None:
    """A persona may have two lives in one release."""
    one, other = ({card.id for card in _cards(_abridged(9, 160, 33, seed))} for seed in (1, 2))
    assert one != other


def test_turns_are_parted_between_sentences_and_say_the_same() -> None:
    """All words are there in their order; what is added tells nothing."""
    card = load_persona(PERSONAS / f"{NAME}.yaml").cards[1]
    (parted,) = part_turns([card], 9)
    assert len(parted.rounds) == len(card.rounds) + 9
    for side, added in (("user", GO_ON), ("assistant", HEARD)):
        told = [
            " ".join(text for one in each.rounds if (text := getattr(one, side)) != added)
            for each in (card, parted)
        ]
        assert told[0].split() == told[1].split()
    assert slots_of(GO_ON) == slots_of(HEARD) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("One. Two? Three!", 3),
        ("It cost 3.50 EUR. Fine.", 2),
        ("[Well. |]I went to {place.name}. [Once|Twice. Or so].", 2),
        ("no end", 1),
    ],
)
def test_sentences_keep_choices_and_slots_together(text: str, number: int) -> None:
    """A part of a choice is no sentence by itself."""
    found = sentences(text)
    assert len(found) == number
    assert " ".join(found).split() == text.split()
