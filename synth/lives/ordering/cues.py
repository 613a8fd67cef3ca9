"""What speaks for one dialogue before another, and the dialogues as ordering reads them."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.synth.clusters.dialogue import Dialogue, dialogues_of


@dataclass(frozen=True)
class Cue:
    """A reason for one member to come before another.

    Attributes:
        before: Place of the member that comes first.
        after: Place of the other.
        weight: How much it says; among those of a kind only.
        why: In words.
        must: Whether it has to hold, as a date does; else it is weighed against others.
    """

    before: int
    after: int
    weight: float
    why: str
    must: bool = False


@dataclass(frozen=True)
class Member:
    """One dialogue of a life.

    Attributes:
        bundle: With one session.
        dialogue: The same as clustering reads it: who asks, who answers, what is shown.
    """

    bundle: Bundle
    dialogue: Dialogue

    @property
    def id(self) -> str:
        """Unique among the members: `alex/D3`."""
        return self.dialogue.id

    @property
    def session(self) -> Session:
        """Its session."""
        return self.bundle.conversation.sessions[0]


def members_of(bundles: Sequence[Bundle]) -> list[Member]:
    """Members in the order of their ids, whatever order they came in.

    Raises:
        ValueError: A bundle does not hold one session, or two members have the same id.
    """
    members = []
    for bundle in bundles:
        found = list(dialogues_of(bundle.conversation))
        if len(found) != 1:
            raise ValueError(f"{bundle.id}: expected 1 session, got {len(found)}")
        members.append(Member(bundle, found[0]))
    members.sort(key=lambda one: natural_key(one.id))
    for one, other in itertools.pairwise(members):
        if one.id == other.id:
            raise ValueError(f"dialogue {one.id}: expected a unique id, got it twice")
    return members
