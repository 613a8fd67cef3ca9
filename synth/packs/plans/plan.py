"""The plan of a dialogue: which scenes in which order, what is true when, what is shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memassay.schemas.records.ledger import FactValue
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import JoinSpec, PackRound, Referent


@dataclass(frozen=True)
class Card:
    """What a dialogue is to be like.

    Attributes:
        rounds: Its rounds, 4 to 22.
        images: Its images.
        updates: How often one fact changes.
        pieces: How many pieces of one list are named.
        join: Whether two facts of different rounds must be there to be joined.
    """

    rounds: int
    images: int
    updates: int = 0
    pieces: int = 0
    join: bool = False


class EntryKind(StrEnum):
    """How something gets known."""

    TELL = "tell"
    UPDATE = "update"
    PIECE = "piece"


@dataclass(frozen=True)
class Entry:
    """Something that becomes known in a round: a fact of the ledger.

    Attributes:
        kind: How.
        name: Name of the fact or the list in the pack.
        subject: Name of the thing of a role that it is a property of; empty for the user's.
        value: Its value.
        round: Number of the round, from 1.
        order: Of a piece: its position in the list, from 1.
        replaces: Of an update: position of the entry that it replaces.
        image: Name of the image that alone tells it; empty where the text does.
    """

    kind: EntryKind
    name: str
    subject: str
    value: FactValue
    round: int
    order: int | None = None
    replaces: int | None = None
    image: str = ""


@dataclass(frozen=True)
class Step:
    """One round of a plan.

    Attributes:
        number: Its number, from 1.
        scene: Name of its scene; empty for an aside that is a round of its own.
        part: Which round of the scene it is, from 0; some rounds of a scene may be left out.
        begins: Whether the scene begins with it.
        bound: The thing that the scene is about, where it is about one of several.
        nth: How often the scene came before.
        aside: Position of the entry (update or piece) with which the round begins.
        image: Name of the image that it shows; empty for none.
    """

    number: int
    scene: str
    part: int
    begins: bool = True
    bound: Referent | None = None
    nth: int = 0
    aside: int | None = None
    image: str = ""


@dataclass(frozen=True)
class Plan:
    """A dialogue before it is worded.

    Attributes:
        pack: What it is made of.
        seed: Seed of the data set.
        ordinal: Its number among the dialogues of the pack, from 0.
        card: What was asked for.
        cast: By role, who or what it is; several for a role with `many`, in the order bound.
        steps: Its rounds.
        entries: What becomes known, in order.
        changed: Fact that changes; empty for none.
        listed: List whose pieces are named; empty for none.
        join: Facts to be joined.
    """

    pack: Pack
    seed: str
    ordinal: int
    card: Card
    cast: Mapping[str, tuple[Referent, ...]]
    steps: tuple[Step, ...]
    entries: tuple[Entry, ...]
    changed: str = ""
    listed: str = ""
    join: JoinSpec | None = None

    def round_of(self, step: Step) -> PackRound:
        """What the pack says of a round."""
        return self.pack.scene(step.scene).rounds[step.part]

    def with_values(self, values: Sequence[FactValue]) -> "Plan":
        """The plan with other values of its entries, in their order."""
        pairs = zip(self.entries, values, strict=True)
        return replace(self, entries=tuple(replace(one, value=value) for one, value in pairs))
