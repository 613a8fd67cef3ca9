"""Two statements that cannot both be true of one person, and what most profiles say."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind

IN_PROFILE: Final = -1
"""The profile of the user, where a member is expected."""
_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(frozen=True)
class Statement:
    """One thing that a dialogue, or the profile, says of its user's life.

    Attributes:
        member: Position of the dialogue, or `IN_PROFILE`.
        says: A sentence that can be understood alone.
        quote: The words that it rests on, as they were written.
        turn: Id of the turn that has these words; empty for the profile.
    """

    member: int
    says: str
    quote: str
    turn: str = ""

    def place(self, members: Sequence[Bundle]) -> str:
        """Where its words were written: `alex/D3:2.1`, or `the profile`."""
        if self.member == IN_PROFILE:
            return "the profile"
        return f"{members[self.member].id}/{self.turn}"


@dataclass(frozen=True)
class Contradiction:
    """Two statements that cannot both be true, of two dialogues or a dialogue and the profile.

    Attributes:
        one: The statement of a member.
        other: The statement of another member, or of the profile.
        reason: Why they cannot both be true.
    """

    one: Statement
    other: Statement
    reason: str

    @property
    def members(self) -> tuple[int, int]:
        """Positions of the two; the second may be `IN_PROFILE`."""
        return self.one.member, self.other.member

    def seen_from(self, member: int) -> tuple[Statement, Statement]:
        """The statement of a member, and the one that it contradicts."""
        return (self.one, self.other) if member == self.one.member else (self.other, self.one)


def profile_statements(members: Sequence[Bundle]) -> list[Statement]:
    """The sentences of the profile that most members bring of their user."""
    summaries = Counter(found for one in members if (found := _summary(one)))
    shared = summaries.most_common(1)[0][0] if summaries else ""
    lines = (" ".join(part.split()) for part in _SENTENCE_END.split(shared))
    return [Statement(IN_PROFILE, line, line) for line in lines if line]


def _summary(member: Bundle) -> str:
    """The profile of a dialogue's only person; empty where several speak, or none has one."""
    people = [one for one in member.conversation.speakers if one.kind is SpeakerKind.HUMAN]
    if len(people) != 1 or people[0].profile is None:
        return ""
    return people[0].profile.summary or ""
