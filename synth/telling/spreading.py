"""Cards whose rounds show no more images than asked: further ones get rounds of their own."""

from collections.abc import Iterator
from typing import Final

from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec

FURTHER: Final = "[And this one.|Here's the next one.|This one, too.|And here's another.]"
"""What the user says with further images of a round (our choice)."""
REPLY: Final = "[OK, go on.|All right.|Go on.|OK, and the rest?|Right, go on.]"
"""What the assistant says to images that others follow, before or after a reading (our choice)."""


def spread_images(persona: PersonaFile, most: int | None) -> PersonaFile:
    """The persona with so many images a round at most; None leaves its cards as they are.

    A round of more becomes several: the user's words are with its first images, the assistant's
    come after its last. Pages of a document stay together.
    """
    if most is None:
        return persona
    cards, side = ([_spread(one, most) for one in some] for some in (persona.cards, persona.side))
    return persona.model_copy(update={"cards": cards, "side": side})


def _spread(card: CardSpec, most: int) -> CardSpec:
    if all(len(one.shows) <= most for one in card.rounds):
        return card
    rounds = [part for one in card.rounds for part in _parts(one, most)]
    return card.model_copy(update={"rounds": rounds})


def _parts(whole: RoundSpec, most: int) -> Iterator[RoundSpec]:
    groups = [whole.shows[at : at + most] for at in range(0, len(whole.shows), most)]
    if len(groups) < 2:
        yield whole
        return
    yield whole.model_copy(update={"assistant": REPLY, "shows": groups[0]})
    further = RoundSpec(user=FURTHER, assistant=REPLY, when=whole.when)
    for shows in groups[1:-1]:
        yield further.model_copy(update={"shows": shows})
    yield further.model_copy(update={"assistant": whole.assistant, "shows": groups[-1]})
