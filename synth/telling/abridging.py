"""A life of given size out of a persona's cards: which are told, with which of their pictures."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.values.keyed_random import keyed_random
from memassay.schemas.values.text import content_tokens
from memassay.synth.telling.pacing import part_turns
from memassay.synth.telling.spreading import spread_images
from memassay.synth.world.grammar import SLOT, slots_of
from memassay.synth.world.persona_checks import texts_of
from memassay.synth.world.persona_file import CardSpec, PersonaFile, RoundSpec
from memassay.synth.world.persona_stages import days_of
from memassay.synth.world.sizes import Sizes, rounds_of

_DOTTED: Final = re.compile(r"[a-z0-9_-]+\.[a-z0-9_-]+")
"""How one card names a fact of another."""
_SEEN: Final = 5
"""Rounds of a persona in which a word comes up at most, if it is to tell what is spoken of."""
_SHORT: Final = 4
"""Letters of a word that tells nothing by itself, at most."""
_STAGES: Final = 0.8
"""Stages that may come one after the other, for each session (our choice)."""
_DAYS: Final = 3
"""Days that they may take, for each gap between sessions of eight days on average (our choice)."""
_ELSEWHERE: Final = 0.2
"""What a card is worth that others tell too, as a share (our choice)."""
_LUCK: Final = (0.8, 1.2)
"""By how much chance makes a card worth less or more (our choice)."""
_TAKEN_UP: Final = frozenset(
    {"it", "its", "they", "them", "that", "this", "those", "these"}
    | {"both", "one", "ones", "either", "neither", "there", "which"}
)
"""Words by which a sentence goes on about what came before."""


@dataclass(frozen=True)
class _Offer:
    """A card, and what of it need not be told.

    Attributes:
        card: The card.
        spare: Positions of rounds with pictures that nothing else needs.
    """

    card: CardSpec
    spare: tuple[int, ...]

    @property
    def pictures(self) -> int:
        """Images that it shows in any case."""
        rounds = self.card.rounds
        return sum(len(one.shows) for at, one in enumerate(rounds) if at not in self.spare)

    @property
    def texts(self) -> int:
        """Its rounds without a picture."""
        return sum(not one.shows for one in self.card.rounds)


def abridge(
    persona: PersonaFile, sizes: Sizes, random: Random, deck: tuple[int, int] = (0, 1)
) -> PersonaFile:
    """The persona with cards that together have the rounds and images of a history.

    As many cards are told as there is room for, first those whose facts replace those of others.
    Pictures of which no other round speaks are left out with their rounds, and turns are divided,
    as far as that is needed. It comes as near as the cards let it.

    Args:
        persona: Whose life it is.
        sizes: How large the history is.
        random: Draws among cards and pictures.
        deck: Which of how many lives of the persona it is: each has a part of the cards that it
            tells before those of the others.

    Raises:
        UsageError: No card has room.
    """
    images = round(sizes.sessions * sizes.images)
    offers = _offers(persona)
    room = _Room(sizes.sessions, sizes.all_rounds - images, images)
    chosen = _choose(persona, offers, room, deck, random)
    if not chosen:
        raise UsageError(
            f"persona {persona.id}: expected room for a card, got {sizes.sessions} sessions with "
            f"{room.texts} rounds without an image and {images} with one; tell more rounds"
        )
    told = dict(_with_pictures([offers[name] for name in chosen], images, random))
    left = persona.model_copy(
        update={
            "cards": [told[card.id] for card in persona.cards if card.id in told],
            "side": [told[card.id] for card in persona.side if card.id in told],
            "implied": {
                name: one
                for name, one in persona.implied.items()
                if told.keys() >= {place.partition(".")[0] for place in one.entailed_by}
            },
        }
    )
    spread = spread_images(left, sizes.images_a_round)
    cards = [*spread.cards, *spread.side]
    parted = {one.id: one for one in part_turns(cards, sizes.all_rounds - rounds_of(cards))}
    return spread.model_copy(
        update={
            "cards": [parted[card.id] for card in spread.cards],
            "side": [parted[card.id] for card in spread.side],
        }
    )


def _offers(persona: PersonaFile) -> dict[str, _Offer]:
    """By id, the cards whose rounds do not depend on how things turn out."""
    cards = [*persona.cards, *persona.side]
    named = set(_DOTTED.findall(persona.model_dump_json()))
    seen = Counter(word for card in cards for one in card.rounds for word in _words([one]))
    rare = {word for word, rounds in seen.items() if rounds <= _SEEN}
    return {
        card.id: _Offer(card, tuple(_spare_rounds(card, named, rare)))
        for card in cards
        if not any(one.when for one in card.rounds) and card.document is None
    }


def _words(rounds: Iterable[RoundSpec], *more: str) -> set[str]:
    texts = [text for one in rounds for text in (one.user, one.assistant)]
    said = re.sub(r"[\[\]|]", " ", SLOT.sub(" ", " ".join([*texts, *more])))
    return {word for word in content_tokens(said) if len(word) > _SHORT}


def _spare_rounds(card: CardSpec, named: set[str], rare: set[str]) -> Iterator[int]:
    begins = 0
    for at, one in enumerate(card.rounds):
        begins = at if one.stage is not None else begins
        if one.shows and at > begins and _is_spare(card, at, named, rare):
            yield at


def _is_spare(card: CardSpec, at: int, named: set[str], rare: set[str]) -> bool:
    """Whether nothing needs a round: no later one speaks of it, no fact is known by it alone."""
    one, before, later = card.rounds[at], card.rounds[:at], card.rounds[at + 1 :]
    pictures = [card.images[name] for name in one.shows]
    told = {slot for slot in slots_of(one.user + one.assistant) if slot in card.facts}
    told -= {slot for each in before for slot in slots_of(each.user + each.assistant)}
    kept = [image for name, image in card.images.items() if name not in one.shows]
    rest = " ".join([card.query, *(each.user + each.assistant for each in later)])
    drawn = " ".join(image.model_dump_json() for image in kept)
    for slot in told:
        if slot in card.revises or f"{card.id}.{slot}" in named or f"{{{slot}}}" in rest:
            return False
        if re.search(rf"\b{re.escape(slot)}\b", drawn):
            return False
    if card.steps is not None and card.steps.list[0].full.lower() in one.assistant.lower():
        return False
    if any(slot.partition(".")[0].rpartition("-")[2] in one.shows for slot in slots_of(rest)):
        return False
    looks = [text for image in pictures for text in (image.title, image.about)]
    new = _words([one], *looks) - _words(before)
    if new & _words(later) & rare:
        return False
    follows = later[0] if later and later[0].stage is None else None
    return follows is None or not _takes_up(follows.user)


def _takes_up(text: str) -> bool:
    """Whether a turn begins with a sentence that goes on about what came before."""
    first = re.split(r"[.!?] ", SLOT.sub("x", text), maxsplit=1)[0]
    return not _TAKEN_UP.isdisjoint(re.findall(r"[a-z]+", first.lower()))


@dataclass(frozen=True)
class _Room:
    """What the cards of a history have to fit into.

    Attributes:
        sessions: Its sessions.
        texts: Its rounds without a picture.
        images: Its images.
    """

    sessions: int
    texts: int
    images: int

    def holds(self, offers: Collection[_Offer]) -> bool:
        """Whether cards fit together; turns can be divided, so there may be fewer texts."""
        shown = sum(one.pictures for one in offers)
        return shown <= self.images and sum(one.texts for one in offers) <= self.texts

    def has_time(self, stages: int, days: int) -> bool:
        """Whether so many stages fit one after the other, with so many days between them."""
        return stages <= _STAGES * self.sessions and days <= _DAYS * (self.sessions - 1)


def _time_of(name: str, offers: Mapping[str, _Offer]) -> tuple[int, int]:
    """Stages up to the end of a card, and least days from the first to the last of them."""
    card = offers[name].card
    before = [_time_of(one, offers) for one in card.after if one in offers]
    stages, days = (max((one[at] for one in before), default=0) for at in (0, 1))
    waits = [days_of(one.after)[0] for one in card.stages.values() if one.after]
    return stages + max(len(card.stages), 1), days + sum(waits)


def _choose(
    persona: PersonaFile,
    offers: Mapping[str, _Offer],
    room: _Room,
    deck: tuple[int, int],
    random: Random,
) -> list[str]:
    """Ids of cards, each with those that it comes after, that fit together."""
    first = persona.cards[0].id
    core = {card.id for card in persona.cards}
    worth = {
        name: _worth(one, name in core) * random.uniform(*_LUCK) for name, one in offers.items()
    }
    for name in worth:
        told_elsewhere = name in persona.spare or _deck_of(persona, name, deck[1]) != deck[0]
        worth[name] *= _ELSEWHERE if told_elsewhere else 1
    chosen: dict[str, None] = {}
    for name in [first, *sorted(worth, key=lambda one: -worth[one])]:
        together = _with_earlier(name, chosen, offers)
        if together is None or not room.has_time(*_time_of(name, offers)):
            continue
        if room.holds([offers[one] for one in together]):
            chosen = together
    return list(chosen)


def _deck_of(persona: PersonaFile, card: str, decks: int) -> int:
    return keyed_random("decks", persona.id, card).randrange(decks)


def _worth(offer: _Offer, is_core: bool) -> float:
    """How much there is to ask of a card, for each picture that comes with it."""
    asked = sum(bool(fact.ask) for fact in offer.card.facts.values())
    more = 9 * len(offer.card.revises) + (2 if is_core else 0)
    return (asked + more) / (1 + offer.pictures)


def _with_earlier(
    name: str, chosen: Mapping[str, None], offers: Mapping[str, _Offer]
) -> dict[str, None] | None:
    """The chosen cards with one more and all that it comes after; None if one is not offered."""
    together = dict(chosen)
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in offers:
            return None
        if one not in together:
            together[one] = None
            waiting += offers[one].card.after
    return together


def _with_pictures(
    offers: Sequence[_Offer], images: int, random: Random
) -> Iterator[tuple[str, CardSpec]]:
    """Cards with so many images together, as near as it goes."""
    spare = [(offer.card.id, at) for offer in offers for at in offer.spare]
    sizes = {
        (offer.card.id, at): len(offer.card.rounds[at].shows)
        for offer in offers
        for at in offer.spare
    }
    room = images - sum(offer.pictures for offer in offers)
    kept: set[tuple[str, int]] = set()
    # Those of several first, so that single ones fill what is left to the number.
    for place in sorted(random.sample(spare, len(spare)), key=lambda one: -sizes[one]):
        if sizes[place] <= room:
            kept.add(place)
            room -= sizes[place]
    for offer in offers:
        gone = {at for at in offer.spare if (offer.card.id, at) not in kept}
        yield offer.card.id, _without_rounds(offer.card, gone)


def _without_rounds(card: CardSpec, gone: set[int]) -> CardSpec:
    """A card without some rounds, the images that they show and what is said in them alone."""
    if not gone:
        return card
    rounds = [one for at, one in enumerate(card.rounds) if at not in gone]
    shown = {name for one in rounds for name in one.shows}
    images = {name: image for name, image in card.images.items() if name in shown}
    left = card.model_copy(update={"rounds": rounds, "images": images})
    seen = {slot for _, text in texts_of(left, shown_only=True) for slot in slots_of(text)}
    facts = {slot: fact for slot, fact in card.facts.items() if slot in seen}
    return left.model_copy(update={"facts": facts})
