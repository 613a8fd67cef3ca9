"""What is exchanged with other annotation tools: items as texts, votes as names and texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import JudgedField, ReasonCode, Ruling
from memassay.schemas.values.text import is_blank

RULINGS: Final = tuple(str(ruling) for ruling in Ruling)
FIELDS: Final = tuple(str(field) for field in JudgedField)
"""Parts of a question that can be called wrong, several at once."""
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
_TOKEN: Final = re.compile("import (?:([0-9a-f]{16}) ([0-9]+) )?[0-9a-f]{24,32}")
"""Token of a vote that another tool exported; those of older versions have neither key nor time."""
_MICROSECONDS: Final = 1_000_000


@dataclass(frozen=True)
class ExchangeVote:
    """A vote as another tool exports it.

    Attributes:
        item: Id of the item.
        reviewer: Who voted.
        ruling: `accept` or `reject`; empty if they skipped the task.
        reason: A reason code; empty if none was chosen.
        wrong_fields: Parts of the question that they call wrong, in the order of `FIELDS`.
        comment: In their words.
        question: What they made of the question; None if it was left as it is.
        gold: What they made of the gold answer, one value a line; None if it was left as it is.
        seconds: How long it took; 0 if the tool does not say.
        place: The task, as people find it in the tool.
        source: Id of the answer in its tool; empty if it has none.
        changed: When it was changed last, in seconds since 1970; 0 if the tool does not say.
    """

    item: str
    reviewer: str
    ruling: str
    reason: str = ""
    wrong_fields: tuple[str, ...] = ()
    comment: str = ""
    question: str | None = None
    gold: str | None = None
    seconds: float = 0.0
    place: str = ""
    source: str = ""
    changed: float = 0.0

    @property
    def token(self) -> str:
        """The same for the same vote, imported twice; it holds whose it is and its last change."""
        texts = (self.ruling, self.reason, self.comment, self.question, self.gold)
        given = [self.item, self.reviewer, *texts, *self.wrong_fields]
        digest = content_hash(given)[:24]
        return f"import {self.key} {round(self.changed * _MICROSECONDS)} {digest}"

    @property
    def key(self) -> str:
        """The same for all states of one answer in its tool."""
        return content_hash([self.item, self.source or self.reviewer])[:16]

    @property
    def head(self) -> str:
        """The task and the person, as a line about the vote begins."""
        return f"{self.place}, {self.reviewer}" if self.place else self.reviewer


def imported_as(token: str) -> tuple[str, float] | None:
    """Key and last change of the answer that a vote came from; None for a vote cast here."""
    found = _TOKEN.fullmatch(token)
    return found and (found.group(1) or "", int(found.group(2) or 0) / _MICROSECONDS)


@dataclass
class ReadVotes:
    """The votes in a file of another tool.

    Attributes:
        votes: One of each person on each item.
        refused: A line for each answer that is no vote, with its task, its person and the reason.
        notes: A line for each choice between several answers.
    """

    votes: list[ExchangeVote] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


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
