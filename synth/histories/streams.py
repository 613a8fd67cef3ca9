"""A history that a model wrote as one stream of rounds: its timeline, and its sessions."""

from collections.abc import Sequence

from memassay.schemas.base import Record
from memassay.schemas.ids import session_id
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.persona import Persona
from memassay.synth.telling.storyteller import arc_of, speakers_of, title_of
from memassay.synth.world.persona_file import PersonaFile


def timeline_of(records: Sequence[Record]) -> list[TimelineEvent]:
    """The events among records, in time order."""
    events = [record for record in records if isinstance(record, TimelineEvent)]
    return sorted(events, key=lambda event: event.position)


def apportion(total: int, parts: int) -> list[int]:
    """Whole numbers that add up to a total as evenly as they can, each at least 1."""
    total = max(total, parts)
    return [total * (at + 1) // parts - total * at // parts for at in range(parts)]


def conversation_of(
    name: str,
    path: str,
    persona: Persona | PersonaFile,
    events: Sequence[TimelineEvent],
    rounds: Sequence[Round],
) -> Conversation:
    """The stream of rounds in the sessions of its timeline.

    Args:
        name: Id of the conversation.
        path: Name of the path.
        persona: Who talks with the assistant.
        events: The timeline.
        rounds: What they say, in time order.
    """
    return Conversation(
        id=name,
        collection=path,
        path=path,
        title=title_of(persona),
        speakers=speakers_of(persona),
        sessions=[
            _session(number, [one for one in events if one.session == number], rounds)
            for number in sorted({event.session for event in events})
        ],
    )


def _session(number: int, events: Sequence[TimelineEvent], rounds: Sequence[Round]) -> Session:
    session = session_id(number)
    return Session(
        id=session,
        index=number,
        date=events[0].day,
        arc=arc_of(events),
        rounds=[one for one in rounds if one.id.partition(":")[0] == session],
    )
