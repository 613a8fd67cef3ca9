"""Which dialogue is made of which pack and card: by its number alone."""

from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Final, NamedTuple

from memassay.schemas.errors import RecipeError
from memassay.schemas.hashing import content_hash
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.packs.files.pack_file import LIBRARY, Pack, load_pack
from memassay.synth.packs.plans.plan import Card
from memassay.synth.packs.topics import Topic
from memassay.synth.paths.mmrc.deck import DeckCard, card_of
from memassay.synth.paths.mmrc.recipe import NAME
from memassay.synth.world.grammar import Randoms

_DIGITS: Final = 5
_TWIN: Final = "-twin"


class Placed(NamedTuple):
    """Where a dialogue comes from: its topic, and its number among those of the topic."""

    topic: Topic
    ordinal: int


class Dialogues:
    """The dialogues of a recipe: any number of them, each the same however many there are."""

    def __init__(self, folder: Path | None, seed: int) -> None:
        """Take the folder of the packs, or None for ours, and the seed of the data set.

        Raises:
            RecipeError: The folder holds no packs.
        """
        self.seed = str(seed)
        where = folder or LIBRARY
        self.files = sorted(where.glob("*.yaml")) if where.is_dir() else []
        if not self.files:
            raise RecipeError(f"packs: expected a folder of topic packs, got {where}")

    @cached_property
    def packs(self) -> list[Pack]:
        """The packs, by name."""
        return [load_pack(file) for file in self.files]

    @cached_property
    def state(self) -> str:
        """Hash of all that packs say."""
        return content_hash([file.read_text(encoding="utf-8") for file in self.files])

    @cached_property
    def topics(self) -> list[Topic]:
        """A topic for each pack."""
        return [
            Topic(pack, self.seed, partial(self._plain_card, at))
            for at, pack in enumerate(self.packs)
        ]

    def place(self, dialogue: int) -> Placed:
        """The topic of a dialogue, by its number from 0: every pack once in so many dialogues."""
        ordinal, at = divmod(dialogue, len(self.files))
        return Placed(self.topics[self._order(ordinal)[at]], ordinal)

    def randoms(self, name: str) -> Randoms:
        """Generators of the questions of a dialogue, by purpose: its twin is asked the same."""
        return partial(keyed_random, self.seed, name)

    def card(self, dialogue: int) -> DeckCard:
        """What a dialogue is to be like."""
        return card_of(dialogue)

    def _order(self, block: int) -> Sequence[int]:
        many = len(self.files)
        return keyed_random(NAME, "topics", self.seed, str(block)).sample(range(many), many)

    def _plain_card(self, pack: int, ordinal: int) -> Card:
        """The card of a dialogue of a topic, as planners know it."""
        dialogue = ordinal * len(self.files) + self._order(ordinal).index(pack)
        card = card_of(dialogue)
        return Card(
            rounds=card.rounds,
            images=card.images,
            updates=card.updates,
            pieces=card.pieces,
            join=card.asks("CR") is not None,
        )


def name_of(dialogue: int) -> str:
    """Id of a dialogue, by its number from 0."""
    return f"{NAME}-{dialogue + 1:0{_DIGITS}d}"


def twin_name(dialogue: str) -> str:
    """Id of the modality twin of a dialogue."""
    return f"{dialogue}{_TWIN}"


def original_of(name: str) -> str | None:
    """Id of the dialogue that a twin is the twin of; None of any other dialogue."""
    return name.removesuffix(_TWIN) if name.endswith(_TWIN) else None


def number_of(name: str) -> int:
    """Number of a dialogue or of that of which it is the twin, from 0, by its id."""
    return int(name.removesuffix(_TWIN).rpartition("-")[2]) - 1
