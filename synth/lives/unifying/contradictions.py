"""Two claims that are not true of one person, and what most profiles say."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.unifying.reading.claims import Claim, Told, profiled

IN_PROFILE: Final = -1
"""In the place of a member: what the profile of the user says."""


@dataclass(frozen=True)
class Contradiction:
    """Two claims that are not true of one person.

    Attributes:
        one: Position of a member.
        other: Position of another, later one, or `IN_PROFILE`.
        said: What the first says.
        against: What the second says.
    """

    one: int
    other: int
    said: Claim
    against: Claim

    def between(self, member: int) -> tuple[int, Claim, Claim]:
        """The member it contradicts, its own claim and the other's."""
        if member == self.one:
            return self.other, self.said, self.against
        return self.one, self.against, self.said


def shared_profile(members: Sequence[Bundle]) -> list[Told]:
    """The sentences of the profile that most members bring of their user."""
    shared = Counter(found for one in members if (found := tuple(profiled(one)))).most_common(1)
    return [one for told, _ in shared for one in told]
