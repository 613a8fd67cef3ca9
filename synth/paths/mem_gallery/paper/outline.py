"""The timeline of a story: a protagonist, and the outline of each session (A.2.3, Figure 6)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.persona import Persona
from memassay.synth.extraction.quoting import seeds
from memassay.synth.histories.findings import SHORT_TIMELINE
from memassay.synth.paths.mem_gallery.paper.protagonists import Protagonists
from memassay.synth.paths.mem_gallery.tasks import OutlinedSession, story_outline
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.sizes import Sizes

_START: Final = date(2024, 1, 8)
_LATER: Final = 500
_APART: Final = (3, 15)
"""First day at the earliest, days by which it may be later, and days from one session to the next
(our choice)."""
_HOURS: Final = (7 * 60, 20 * 60)
"""Minutes of the day between which a session begins (our choice)."""


class OutlineStage:
    """Protagonist and events: one for each image that a session needs, at least one a session.

    The first event of a session has its topic and content; the keywords of all are what images
    are looked for by.
    """

    name = "timeline"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, protagonists: Protagonists, sizes: Sizes, models: Mapping[str, Any]) -> None:
        """Say whose stories to outline, how long they are, and which models do it."""
        self.protagonists = protagonists
        self.sizes = sizes
        asked = [sizes.sessions, sizes.images]
        self.config: dict[str, Any] = {"mode": "paper", "sizes": asked, "models": models}

    def shards(self) -> dict[str, list[str]]:
        """By conversation, the hashes of what its protagonist is made of."""
        return self.protagonists.hashes()

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One protagonist with the events of the story; sessions that are missing are a finding."""
        persona = self.protagonists.persona(context.shard, context)
        yield persona
        days = _days(self.sizes.sessions, context.random)
        outline = context.write(story_outline(persona, days, round(self.sizes.images)))
        sessions = outline.sessions[: len(days)]
        if len(sessions) < len(days):
            name = context.shard
            said = f"{name}.sessions: expected {len(days)}, got {len(sessions)}"
            fix = "Choose another model for the role timeline, or ask for fewer (sizes)."
            context.emit(SHORT_TIMELINE.finding(name, "", said, fix))
        yield from _events(persona, sessions, days, context.random)


def _days(count: int, randoms: Randoms) -> list[str]:
    random = randoms("days")
    day = _START + timedelta(days=random.randint(0, _LATER))
    days = []
    for _ in range(count):
        days.append(day.isoformat())
        day += timedelta(days=random.randint(*_APART))
    return days


def _events(
    persona: Persona, sessions: Sequence[OutlinedSession], days: Sequence[str], randoms: Randoms
) -> Iterator[TimelineEvent]:
    position = 0
    for number, (session, day) in enumerate(zip(sessions, days, strict=False), start=1):
        minute = randoms("times", day).randint(*_HOURS)
        for at, image in enumerate(session.images or [session.topic]):
            position += 1
            yield TimelineEvent(
                id=record_id(persona.conversation, f"E{position:03d}"),
                conversation=persona.conversation,
                position=position,
                session=number,
                date=f"{day}T{(minute + at) // 60:02d}:{(minute + at) % 60:02d}",
                line=EventLine.CORE,
                title=f"{session.topic}: {image}" if at else session.topic,
                query="" if at else f"{session.transition} {session.content}".strip(),
                keyword=image,
                card="",
                source_sha256=content_hash(seeds(persona)),
            )


def outlines(events: Sequence[TimelineEvent]) -> dict[int, dict[str, str]]:
    """The outline of each session as prompts quote it, by its position."""
    first = {event.session: event for event in reversed(events)}
    return {
        number: {
            "session": f"D{number}",
            "date": event.day,
            "topic": event.title,
            "content": event.query,
        }
        for number, event in sorted(first.items())
    }
