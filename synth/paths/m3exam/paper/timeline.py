"""The timeline stage of paper mode: a model plans events, checks and mends them (M3Exam §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from math import ceil
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import FlawKind, Repair
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.extraction.repairs import ATTEMPTS, model_repair
from memassay.synth.histories.findings import SHORT_TIMELINE
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.m3exam.findings import TIMELINE_FLAGGED
from memassay.synth.paths.m3exam.paper.line import event_counts, mended_event, merge_lines
from memassay.synth.paths.m3exam.tasks.timeline import (
    PlannedEvent,
    distractor_line,
    event_line,
    event_repair,
    timeline_check,
)
from memassay.synth.telling.mending import TimelineParts
from memassay.synth.world.maker import persona_of
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

_CHUNK = 10
"""Events planned in one call, and days between two sessions on average (our choice)."""
_DAYS_A_SESSION = 9

_Flags = dict[str, list[tuple[FlawKind, str]]]


class PaperTimelineStage(TimelineParts):
    """Persona and events; facts come from what is said."""

    name = "timeline"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, personas: Personas, sizes: Sizes, models: Mapping[str, Any]) -> None:
        """Say whose timelines to plan, how long they are, and which models plan them."""
        self.personas = personas
        self.sizes = sizes
        self.config: dict[str, Any] = {"mode": "paper", "sizes": sizes.config, "models": models}

    def shards(self) -> dict[str, list[str]]:
        """By persona, the hashes of its files."""
        return self.personas.hashes()

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """One persona with its events, and what was mended in them."""
        persona = self.personas.by_id[context.shard]
        yield persona_of(persona)
        yield from self._write(persona, context)

    def _write(self, persona: PersonaFile, context: StageContext) -> list[Record]:
        wanted = event_counts(self.sizes)
        planner = _Planner(persona, self.sizes, context)
        core = planner.core(wanted[0])
        side = planner.side(wanted[1], core)
        for what, got, count in (("core", core, wanted[0]), ("side", side, wanted[1])):
            if len(got) < count:
                said = f"{persona.id}.events: expected {count} of the {what} line, got {len(got)}"
                fix = "Choose another model for the role timeline, or ask for fewer (sizes)."
                context.emit(SHORT_TIMELINE.finding(persona.id, "", said, fix))
        events = merge_lines(persona, core, side, self.sizes.sessions, context.random)
        return self._check(persona, events, context)

    def _check(
        self, persona: PersonaFile, events: list[TimelineEvent], context: StageContext
    ) -> list[Record]:
        """The timeline after its self-check; only flagged events are repaired."""
        repairs: list[Repair] = []
        flags = _flags(persona, events, context, 0)
        for attempt in range(1, ATTEMPTS + 1):
            if not flags:
                break
            anew = _mend(persona, events, flags, attempt, context)
            still = _flags(persona, anew, context, attempt)
            pairs = [pair for pair in zip(events, anew, strict=True) if pair[0] != pair[1]]
            repairs += [
                model_repair(
                    TIMELINE_FLAGGED,
                    self.name,
                    old.id,
                    attempt,
                    flags[old.id],
                    (content_hash(old), content_hash(new)),
                    settled=old.id not in still,
                )
                for old, new in pairs
            ]
            events, flags = anew, still
        for event, said in flags.items():
            for kind, reason in said:
                fix = "Let a person decide, or change the persona or the model."
                message = f"{event}: expected no {kind}, got {reason!r}"
                context.emit(TIMELINE_FLAGGED.finding(event, "", message, fix))
        return [*events, *repairs]

    def repair(
        self,
        _given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The timeline with its flagged events mended by the model."""
        persona = self.personas.by_id[context.shard]
        events = [record for record in made if isinstance(record, TimelineEvent)]
        said = {
            part: [(FlawKind.CONTRADICTION, f"{one.message} {one.fix}".strip()) for one in found]
            for part, found in flagged.items()
        }
        # Draws of the audit by rules follow those of the model's own.
        anew = _mend(persona, events, said, ATTEMPTS + attempt, context)
        by_id = {event.id: event for event in anew}
        return [by_id.get(record.id, record) for record in made]


class _Planner:
    """Plans both lines of one history."""

    def __init__(self, persona: PersonaFile, sizes: Sizes, context: StageContext) -> None:
        self.persona = persona
        self.context = context
        self.days = sizes.sessions * _DAYS_A_SESSION
        self.start = date(2024, 1, 8) + timedelta(days=context.random("start").randint(0, 500))

    def core(self, wanted: int) -> list[PlannedEvent]:
        """The core line, in chunks that each see what came before."""
        parts = ceil(wanted / _CHUNK)
        line: list[PlannedEvent] = []
        for part in range(1, parts + 1):
            count = min(_CHUNK, wanted - len(line))
            after = max((one.date for one in line), default=self.start.isoformat())
            apart = max(1, self.days // wanted)
            task = event_line(self.persona, line, count, (part, parts), after, apart)
            line += self.context.write(task).events[:count]
        return line

    def side(self, wanted: int, core: Sequence[PlannedEvent]) -> list[PlannedEvent]:
        """The distractors, in chunks that do not depend on each other."""
        counts = [min(_CHUNK, wanted - at) for at in range(0, wanted, _CHUNK)]
        tasks = [
            distractor_line(self.persona, core, count, draw) for draw, count in enumerate(counts)
        ]
        replies = self.context.write_all(tasks)
        some = [reply.events[:count] for reply, count in zip(replies, counts, strict=True)]
        return [event for events in some for event in events]


def _flags(
    persona: PersonaFile, events: Sequence[TimelineEvent], context: StageContext, draw: int
) -> _Flags:
    known = {event.id.partition("/")[2]: event.id for event in events}
    flags: _Flags = {}
    for flag in context.write(timeline_check(persona, events, draw)).flags:
        if flag.event in known:
            flags.setdefault(known[flag.event], []).append((flag.kind, flag.reason))
    return flags


def _mend(
    persona: PersonaFile,
    events: Sequence[TimelineEvent],
    flags: Mapping[str, Sequence[tuple[FlawKind, str]]],
    attempt: int,
    context: StageContext,
) -> list[TimelineEvent]:
    at = [place for place, event in enumerate(events) if event.id in flags]
    tasks = [
        event_repair(
            persona,
            events,
            place,
            [reason for _, reason in flags[events[place].id]],
            attempt,
        )
        for place in at
    ]
    anew = list(events)
    for place, planned in zip(at, context.write_all(tasks), strict=True):
        # Neighbours mended before count: the line stays strictly increasing.
        anew[place] = mended_event(anew, place, planned)
    return anew
