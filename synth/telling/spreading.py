"""Cards whose rounds show no more images than asked: further ones get rounds of their own."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from memassay.schemas.values.text import in_person
from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec

FIRST: Final = (
    "[Look at {about} first.|First, {about}.|I have {about} here.|Here you see {about}.|"
    "I took a picture of {about}.|Let me show you {about} first.|I've got {about} for you.|"
    "You need {about} for this.|Before I ask, here's {about}.]"
)
"""What the user says with the first images of a round that shows more (our choice)."""
THEN: Final = (
    "[Then there's {about}.|And I have {about}.|Next, {about}.|And look at {about}.|"
    "To that belongs {about}.|And you need {about}.]"
)
"""What the user says with those between the first and the last (our choice)."""
REPLY: Final = (
    "[I see {about}.|All right, {about}.|I have {about} before me.|I'm looking at {about}.|"
    "Okay, {about}.|Thanks for {about}.|Good, I can read {about}.]"
)
"""What the assistant says to images that others follow, before a reading (our choice)."""


def spread_images(persona: PersonaFile, most: int | None) -> PersonaFile:
    """The persona with so many images a round at most; None leaves its cards as they are.

    A round of more becomes several: what the user asks comes with its last images, and so does
    the answer; those before are only shown. Pages of a document stay together.
    """
    if most is None:
        return persona
    spread = partial(_spread, persona.name, most)
    cards, side = ([spread(one) for one in some] for some in (persona.cards, persona.side))
    return persona.model_copy(update={"cards": cards, "side": side})


def _spread(name: str, most: int, card: CardSpec) -> CardSpec:
    if all(len(one.shows) <= most for one in card.rounds):
        return card
    rounds = [part for one in card.rounds for part in _parts(name, most, card, one)]
    return card.model_copy(update={"rounds": rounds})


def _parts(name: str, most: int, card: CardSpec, whole: RoundSpec) -> Iterator[RoundSpec]:
    *groups, last = [whole.shows[at : at + most] for at in range(0, len(whole.shows) or 1, most)]
    stage = whole.stage
    for at, shows in enumerate(groups):
        about = [card.images[one].about for one in shows]
        user, reply = (
            " and ".join(in_person(one, name, *person) or one for one in about)
            for person in (("my", "mine"), ("your", "yours"))
        )
        yield RoundSpec(
            user=(THEN if at else FIRST).replace("{about}", user),
            assistant=REPLY.replace("{about}", reply),
            shows=shows,
            stage=stage,
            when=whole.when,
        )
        stage = None
    yield whole.model_copy(update={"shows": last, "stage": stage})
