"""Clusters: single dialogues that may become one long conversation (Mem-Gallery §3.1, A.2.3)."""

from typing import Annotated, ClassVar

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, Shape
from memassay.schemas.ids import ConversationId, RecordId

Score = Annotated[
    float,
    Field(
        description="In standard deviations of what two random dialogues of the same clustering "
        "share; 0: no more than they."
    ),
]


class ClusterKeyword(Shape):
    """A word that tells a cluster, or a dialogue, from others."""

    word: Annotated[str, Field(min_length=1, description="As people write it most often.")]
    weight: Annotated[float, Field(ge=0, le=1, description="Its share of the greatest one.")]


class ClusterMember(Shape):
    """A dialogue of a cluster, and why it is in it."""

    dialogue: Annotated[RecordId, Field(description="Conversation and session: `alex/D3`.")]
    relevance: Annotated[Score, Field(description="Mean score with the other members.")]
    fluency: Annotated[
        Score,
        Field(description="How well the member that fits best leads on to it, or it to that."),
    ]
    nearest: Annotated[
        RecordId | None, Field(description="The member that it scores most with; None: alone.")
    ] = None
    shared: Annotated[
        list[str], Field(description="Words that it shares with the other members, most first.")
    ] = []


class LeftOutDialogue(Shape):
    """A dialogue that is in no cluster, listed in the one that it is nearest to."""

    dialogue: RecordId
    relevance: Annotated[Score, Field(description="Mean score with the members.")]
    why: Annotated[str, Field(min_length=1, description="Why it is in no cluster.")]


class Cluster(Record):
    """Dialogues that read like the sessions of one life, before they are ordered and bridged.

    A dialogue is in one cluster at most. People split, merge, name and lock clusters; a locked one
    keeps its id and its members when dialogues are added.
    """

    READABLE_SINCE: ClassVar[int] = 3

    schema_version: SchemaVersion = 3
    id: ConversationId
    name: Annotated[str, Field(description="What people call it; empty: nothing yet.")] = ""
    locked: Annotated[bool, Field(description="Whether people fixed its members.")] = False
    members: Annotated[list[ClusterMember], Field(min_length=1, description="Ordered by id.")]
    rounds: Annotated[int, Field(ge=0, description="Rounds of all members together.")]
    keywords: Annotated[list[ClusterKeyword], Field(description="Heaviest first.")] = []
    relevance: Annotated[Score, Field(description="Mean score of two members.")]
    separation: Annotated[
        Score, Field(description="Mean score of a member with a dialogue that is no member.")
    ]
    fluency: Annotated[Score, Field(description="Mean fluency of its members.")]
    left_out: Annotated[
        list[LeftOutDialogue], Field(description="Dialogues in no cluster that are nearest to it.")
    ] = []
