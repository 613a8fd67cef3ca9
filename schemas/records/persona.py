"""Who a history is about and what it is to be about: the source inputs of M3Exam."""

from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record
from memassay.schemas.ids import ConversationId, RecordId, record_id


class Persona(Record):
    """The seeds of a history: a persona and the core event it pursues.

    M3Exam §2.2, Source Inputs: a short biography (name, profession, interests) that anchors and
    steers generation, and a one-paragraph narrative arc. Audits compare a history with it.
    """

    id: RecordId
    conversation: ConversationId
    name: Annotated[str, Field(min_length=1, description="What everybody calls them.")]
    profession: Annotated[str, Field(min_length=1, description="In a few words.")]
    summary: Annotated[str, Field(min_length=1, description="A short biography.")]
    traits: Annotated[list[str], Field(description="Character, one word or phrase each.")] = []
    style: Annotated[str, Field(description="How they write.")] = ""
    core_event: Annotated[
        str, Field(min_length=1, description="The arc they pursue over time, one paragraph.")
    ]
    domains: Annotated[
        list[str], Field(description="Their own fields; off-topic events are of none of these.")
    ] = []


def persona_id(conversation: str) -> str:
    """Id of the persona of a conversation."""
    return record_id(conversation, "persona")
