"""How large a history is asked to be, and which sizes its cards miss."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from memassay.synth.world.persona_file import CardSpec, PersonaFile

_ROUNDS: Final = (0.05, 2)
_IMAGES: Final = (0.1, 0)
"""How far the rounds and images of a history may lie from what is asked: a share of that, or a
number of a whole history (our choice: cards come whole, with four to nine rounds)."""
_MOST: Final = 0.1
"""Share of what is asked by which nothing may miss it without a finding (our choice)."""


@dataclass(frozen=True)
class Sizes:
    """How large a persona's history is.

    Attributes:
        sessions: Number of sessions.
        rounds: Mean rounds a session.
        images: Mean images a session, pages of documents not counted.
        documents: Documents; None: two, of personas that have any.
        procedures: Least procedures told step by step, which `th` questions need; None: half the
            sessions, as far as they fit.
        inferences: Least unstated facts whose clues are all told, which `ii` questions need;
            None: half the sessions, as far as they fit.
        images_a_round: Most images a round shows; None: as the cards have them.
        exact: Whether rounds and images are to be met to the number.
    """

    sessions: int = 16
    rounds: float = 12.7
    images: float = 6.5
    documents: int | None = None
    procedures: int | None = None
    inferences: int | None = None
    images_a_round: int | None = None
    exact: bool = False

    @property
    def config(self) -> dict[str, float]:
        """What a stage's units depend on: every size, in full, and what is asked of rounds."""
        looked_for = {"procedures": self.told, "inferences": self.unstated, "documents": self.paged}
        # Left out while nothing is asked: keys of work that was done before stay.
        asked = {name: getattr(self, name) for name in ("images_a_round", "exact")}
        own = {name: size for name, size in vars(self).items() if name not in asked}
        return {**own, **looked_for, **{name: size for name, size in asked.items() if size}}

    @property
    def paged(self) -> int:
        """Documents looked for."""
        return 2 if self.documents is None else self.documents

    @property
    def told(self) -> int:
        """Procedures looked for."""
        return self.sessions // 2 if self.procedures is None else self.procedures

    @property
    def unstated(self) -> int:
        """Unstated facts looked for."""
        return self.sessions // 2 if self.inferences is None else self.inferences

    @property
    def all_rounds(self) -> int:
        """Rounds of the whole history."""
        return round(self.sessions * self.rounds)

    @property
    def most_rounds(self) -> float:
        """Rounds up to which a history is no longer than asked for."""
        return self.all_rounds + _slack(self.all_rounds, *_ROUNDS)

    def excess_rounds(self, rounds: int) -> float:
        """How many rounds too many or too few a history has, beyond what is allowed."""
        slack = 0 if self.exact else _slack(self.all_rounds, *_ROUNDS)
        return max(abs(rounds - self.all_rounds) - slack, 0)

    def excess_images(self, images: int) -> float:
        """How many images too many or too few a history has, beyond what is allowed."""
        wanted = self.sessions * self.images
        if self.exact:
            return abs(images - round(wanted))
        return max(abs(images - wanted) - _slack(wanted, *_IMAGES), 0)


def _slack(wanted: float, share: float, least: float) -> float:
    return max(share * wanted, min(least, _MOST * wanted))


def rounds_of(cards: Iterable[CardSpec]) -> int:
    """Rounds of some cards."""
    return sum(len(card.rounds) for card in cards)


def images_of(cards: Iterable[CardSpec]) -> int:
    """Images that some cards show, pages not counted."""
    return sum(len(one.shows) for card in cards for one in card.rounds)


def documents_of(cards: Iterable[CardSpec]) -> int:
    """Documents that some cards show."""
    return sum(card.document is not None for card in cards)


class Missed(NamedTuple):
    """A size that a history does not have.

    Attributes:
        field: Key of the recipe's section.
        asked: What it says.
        got: What the history has.
    """

    field: str
    asked: float
    got: float


def missed_sizes(
    persona: PersonaFile, sizes: Sizes, cards: Sequence[CardSpec], sessions: int
) -> Iterator[Missed]:
    """Sizes that the cards of a history miss; one that follows from others is not missed.

    Args:
        persona: Whose history it is.
        sizes: What is asked for.
        cards: Its cards.
        sessions: Its sessions.
    """
    rounds, images, documents = rounds_of(cards), images_of(cards), documents_of(cards)
    chosen = {card.id for card in cards}
    procedures = sum(card.steps is not None for card in cards)
    inferences = sum(
        chosen.issuperset(clue.partition(".")[0] for clue in implied.entailed_by)
        for implied in persona.implied.values()
    )
    if sessions != sizes.sessions:
        yield Missed("sessions", sizes.sessions, sessions)
    if sizes.excess_rounds(rounds):
        yield Missed("rounds", sizes.rounds, round(rounds / sessions, 1))
    if sizes.excess_images(images):
        yield Missed("images", sizes.images, round(images / sessions, 1))
    for field, asked, got in (
        ("documents", sizes.documents, documents),
        ("procedures", sizes.procedures, procedures),
        ("inferences", sizes.inferences, inferences),
    ):
        if asked is not None and got < asked:
            yield Missed(field, asked, got)
