"""Other people's lives, from which planted flaws borrow: their jobs, names, events and words."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial
from random import Random

from memassay.synth.flaws.forms import STRANGERS, TRADES
from memassay.synth.world.cells.claims import states_pictures
from memassay.synth.world.grammar import expand, slots_of
from memassay.synth.world.persona_file import CardSpec, ImageSpec, PersonaFile
from memassay.synth.world.values import draw_value, spoken_date, spoken_value

_OWN = 2
"""Names and values that make an exchange part of one life (our choice)."""


class OtherLives:
    """What does not belong into one persona's history.

    In a recipe of one persona, the side events that this history does not use are taken.
    """

    def __init__(self, persona: PersonaFile, donors: Sequence[PersonaFile], told: set[str]) -> None:
        """Take whose history it is, whose lives are borrowed, and the cards that it uses."""
        self.persona = persona
        self.donors = list(donors)
        own = [card for card in persona.side if card.id not in told]
        self._cards = [(donor, card) for donor in donors for card in donor.cards]
        self._cards += [] if self._cards else [(persona, card) for card in own]

        # An exchange without names and values could be anybody's, in this life as in any other;
        # what is said of pictures nobody could follow without them.
        self._rounds = [
            (donor, card, spec)
            for donor, card in self._cards
            for spec in card.rounds
            if len({*slots_of(spec.user), *slots_of(spec.assistant)} - {"user", "date", "when"})
            >= _OWN
            and not states_pictures(f"{spec.user} {spec.assistant}", card.images)
        ]

    def trade(self, random: Random) -> str:
        """A profession that is not the persona's."""
        others = [donor.profession for donor in self.donors]
        return random.choice([*TRADES, *others])

    def name(self, random: Random) -> str:
        """A name that is not the persona's, nor anybody's they know."""
        known = {name for one in self.persona.entities.values() for name in one.names}
        names = [*STRANGERS, *(donor.name for donor in self.donors)]
        return random.choice([one for one in names if one not in known | {self.persona.name}])

    def event(self, random: Random, day: date) -> tuple[str, str, str]:
        """Title, query and keyword of somebody else's event."""
        donor, card = random.choice(self._cards)
        said = [self._say(donor, card, text, random, day) for text in (card.what, card.query)]
        return said[0], said[1], card.keyword

    def exchange(self, random: Random, day: date) -> tuple[str, str]:
        """What somebody else asked, and the answer they got."""
        donor, card, spec = random.choice(self._rounds)
        user, assistant = (
            self._say(donor, card, text, random, day) for text in (spec.user, spec.assistant)
        )
        return user, assistant

    def row(self, random: Random) -> str:
        """A label from somebody else's pictures."""
        images = [
            (donor, card, image) for donor, card in self._cards for image in card.images.values()
        ]
        donor, card, image = random.choice(images)
        label = random.choice(_labels(image))
        return self._say(donor, card, label, random, date(2024, 6, 3))

    def _say(self, donor: PersonaFile, card: CardSpec, text: str, random: Random, day: date) -> str:
        """A text with its slots filled as they could be in that other life."""
        values = {slot: self._value(donor, card, slot, random, day) for slot in slots_of(text)}
        return expand(text, random, values).text

    def _value(
        self, donor: PersonaFile, card: CardSpec, slot: str, random: Random, day: date
    ) -> str:
        if slot == "user":
            return self.persona.name
        if slot == "date":
            return spoken_date(day.isoformat())
        if slot in donor.entities:
            return random.choice(donor.entities[slot].names)
        cards: Mapping[str, CardSpec] = {one.id: one for one in (*donor.side, *donor.cards)}
        earlier, _, name = slot.rpartition(".")
        owner = cards.get(earlier or card.id)
        spec = owner.facts.get(name) if owner is not None else None
        if spec is None:
            # A day of the card, or what is computed of its stages.
            return spoken_date(day.isoformat())
        say = partial(self._say, donor, card, random=random, day=day)
        return spoken_value(draw_value(spec.value, random, day, say))


def _labels(image: ImageSpec) -> list[str]:
    return [*image.rows, *image.columns, *image.lines] or [image.title]
