"""What is exchanged with other annotation tools: items as texts, votes as names and texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.values.text import is_blank

RULINGS: Final = tuple(str(ruling) for ruling in Ruling)
REASONS: Final = tuple(str(code) for code in ReasonCode)
SHOWN: Final = ("findings", "question", "gold", "evidence")
"""Texts that are shown, in order."""
KNOWN: Final = ("item", "gate", "record", "type", "reason", "severity")
"""What an item carries beside its texts."""
GUIDELINES: Final = (
    "Decide whether the question, its gold answer and its evidence are right. Accept what is "
    "right; mend the question or the gold answer (one value a line) where that makes it right; "
    "else reject and say why."
)


@dataclass(frozen=True)
class ExchangeVote:
    """A vote as another tool exports it.

    Attributes:
        item: Id of the item.
        reviewer: Who voted.
        ruling: `accept` or `reject`.
        reason: A reason code; empty if none was chosen.
        comment: In their words.
        question: What they made of the question; None if it was left as it is.
        gold: What they made of the gold answer, one value a line; None if it was left as it is.
        seconds: How long it took; 0 if the tool does not say.
    """

    item: str
    reviewer: str
    ruling: str
    reason: str = ""
    comment: str = ""
    question: str | None = None
    gold: str | None = None
    seconds: float = 0.0

    @property
    def token(self) -> str:
        """The same for the same vote: imported twice, it counts once."""
        given = (self.ruling, self.reason, self.comment, self.question, self.gold)
        return f"import {content_hash([self.item, self.reviewer, *given])[:32]}"


@dataclass(frozen=True)
class ExchangeItem:
    """An item as other tools show it.

    Attributes:
        known: Values of `KNOWN`.
        shown: Texts of `SHOWN`.
        votes: Votes on it that stand, in the order they were cast.
        votes_needed: How many are wanted.
    """

    known: dict[str, str]
    shown: dict[str, str]
    votes: Sequence[ExchangeVote] = field(default=())
    votes_needed: int = 1

    @property
    def item(self) -> str:
        """Id of the item."""
        return self.known["item"]


def new_text(given: str | None, shown: str) -> str | None:
    """What was made of a text; None where it says the same."""
    if given is None or is_blank(given) or given.strip() == shown.strip():
        return None
    return given.strip()
