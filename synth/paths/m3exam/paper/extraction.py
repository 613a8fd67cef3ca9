"""The extraction stage of paper mode: a ledger is read out of what was said."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.paths.m3exam.paper.facts import FactCollector, contested, marked
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.paths.m3exam.tasks.extraction import memory_points, update_marking

_CHUNK = 6
"""Rounds read in one call (our choice)."""


class ExtractionStage:
    """Facts and mentions, each located in the round that says it."""

    name = "extraction"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event"})

    def __init__(self, personas: Personas, models: Mapping[str, Any]) -> None:
        """Say whose histories to read, and which models read them."""
        self.personas = personas
        self.config: dict[str, Any] = {"models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The ledger of one conversation; what is claimed and not there is a finding."""
        talk = next((one for one in records if isinstance(one, Conversation)), None)
        if talk is None:
            return
        events = {one.id: one for one in records if isinstance(one, TimelineEvent)}
        days = {
            round_.id: events[round_.event].day
            for round_ in talk.rounds()
            if round_.event in events
        }
        yield from self._read(talk, days, context)

    def _read(
        self, talk: Conversation, days: Mapping[str, str], context: StageContext
    ) -> list[Record]:
        persona = self.personas.by_id[context.shard]
        collector = FactCollector(talk, days, context.write)
        rounds = talk.rounds()
        for at in range(0, len(rounds), _CHUNK):
            some = rounds[at : at + _CHUNK]
            # One slice after the other: the same property gets the same name throughout.
            task = memory_points(persona, some, days, collector.known())
            for point in context.write(task).points:
                collector.add(point)
        facts = collector.facts()
        disputed = contested(facts)
        if disputed:
            facts = marked(facts, context.write(update_marking(persona, disputed)).marks)
        for finding in collector.findings:
            context.emit(finding)
        return [*facts, *collector.mentions()]
