"""What the pages of clusters need to know; a workspace gives it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memassay.annotation.clusters.log import KeptDecision
from memassay.annotation.clusters.operations import ClusterRequest
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.conversation import Conversation, Session


@dataclass(frozen=True)
class ShownDialogue:
    """A dialogue of a cluster, or one that is nearest to it.

    Attributes:
        id: Conversation and session: `alex/D3`.
        topic: What its conversation is about, where it says so.
        words: What is said first.
        rounds: How many it has.
        relevance: Mean score with the members; None until the next run.
        fluency: How well it leads on; None until the next run.
        why: What speaks for its being here, or not.
    """

    id: str
    topic: str
    words: str
    rounds: int
    relevance: float | None
    fluency: float | None
    why: str


@dataclass(frozen=True)
class ReadDialogue:
    """A dialogue to read.

    Attributes:
        conversation: The one that it is a session of.
        session: The session.
        present: Attachments whose images can be shown.
    """

    conversation: Conversation
    session: Session
    present: frozenset[str]


@dataclass(frozen=True)
class ClusterCard:
    """A cluster as it will be at the next run.

    Attributes:
        id: Its id.
        name: What people call it; empty: nothing yet.
        keywords: Words that tell it from others, heaviest first.
        members: Its dialogues.
        near: Dialogues in no cluster that are nearest to it.
        made: As the last run made it; None where people made it since.
        locked: Whether people fixed its members.
        closed: Whether, locked, no other dialogue may join.
        changed: Whether the next run makes its life again.
    """

    id: str
    name: str
    keywords: tuple[str, ...]
    members: tuple[ShownDialogue, ...]
    near: tuple[ShownDialogue, ...]
    made: Cluster | None
    locked: bool
    closed: bool
    changed: bool

    @property
    def label(self) -> str:
        """What it is called where there is little room."""
        return self.name or ", ".join(self.keywords[:4]) or self.id

    @property
    def rounds(self) -> int:
        """Rounds of all members together."""
        return sum(one.rounds for one in self.members)


@dataclass(frozen=True)
class ClusterOverview:
    """All clusters of a run.

    Attributes:
        run: Name of the run.
        state: Token of what is shown; a decision is made of one state and of no other.
        cards: In the order of their first dialogues.
        left_over: Dialogues in no cluster, those that people left out among them.
        decisions: What was decided, oldest first.
        waiting: How many decisions the last run did not know.
        read_by: Name of the model that looked for contradictions; empty if none did.
    """

    run: str
    state: str
    cards: Sequence[ClusterCard]
    left_over: Sequence[ShownDialogue]
    decisions: Sequence[KeptDecision]
    waiting: int
    read_by: str


class ClusterContent(Protocol):
    """The clusters behind the review pages, for people who correct them."""

    def runs(self) -> Sequence[str]:
        """Names of the runs that have clusters."""
        ...

    def overview(self, run: str) -> ClusterOverview:
        """The clusters of a run as they will be at the next one.

        Raises:
            UsageError: It has none.
        """
        ...

    def may(self, run: str, role: str) -> bool:
        """Whether somebody with a role may decide about the clusters of a run."""
        ...

    def find(self, run: str, words: str) -> frozenset[str]:
        """Dialogues that hold all words of a search."""
        ...

    def decide(
        self, run: str, wanted: ClusterRequest, state: str, reviewer: str, role: str, comment: str
    ) -> str:
        """Keep what somebody decided; gives the cluster that it is about.

        Raises:
            ClustersChanged: It was made of another state.
            UsageError: It cannot be done, or not by them.
        """
        ...

    def undo(self, run: str, number: int | None, reviewer: str, role: str) -> str:
        """Take a decision back, the latest of the reviewer if no number is given.

        Raises:
            UsageError: There is none, it is not theirs, or a later one goes on from it.
        """
        ...

    def dialogue(self, run: str, dialogue: str) -> ReadDialogue:
        """A dialogue to read.

        Raises:
            UsageError: The run groups no such dialogue.
        """
        ...

    def image(self, run: str, dialogue: str, attachment: str) -> tuple[bytes, str]:
        """Bytes and media type of an image of a dialogue.

        Raises:
            UsageError: There is none, or there are no bytes.
        """
        ...

    def alterations(self, item: str) -> Sequence[Alteration]:
        """What joining changed in the conversation of an item, in its order."""
        ...
