"""The stage that reads a ledger out of a dialogue which a model wrote."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.extraction.extraction_tasks import memory_points, update_marking
from memassay.synth.extraction.facts import FactCollector, contested_properties, mark_updates

_CHUNK = 6
"""Rounds read in one call (our choice)."""


class ExtractionStage:
    """Facts and mentions, each located in the round that says it."""

    name = "extraction"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event"})

    def __init__(self, models: Mapping[str, Any]) -> None:
        """Say which models read."""
        self.config: dict[str, Any] = {"models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The ledger of one conversation; what is claimed and not there is a finding."""
        talk = next((one for one in records if isinstance(one, Conversation)), None)
        if talk is None:
            return
        events = {one.id: one for one in records if isinstance(one, TimelineEvent)}
        yield from self._ledger(talk, _days(talk, events), context)

    def _ledger(
        self, talk: Conversation, days: Mapping[str, str], context: StageContext
    ) -> list[Record]:
        collector = FactCollector(talk, days, context.write)
        rounds = talk.rounds()
        for at in range(0, len(rounds), _CHUNK):
            some = rounds[at : at + _CHUNK]
            # One slice after the other: the same property gets the same name throughout.
            task = memory_points(talk, some, days, collector.known_properties())
            for point in context.write(task).points:
                collector.add(point)
        facts = collector.facts()
        disputed = contested_properties(facts)
        if disputed:
            facts = mark_updates(facts, context.write(update_marking(talk, disputed)).marks)
        for finding in collector.findings:
            context.emit(finding)
        return [*facts, *collector.mentions()]


def _days(talk: Conversation, events: Mapping[str, TimelineEvent]) -> dict[str, str]:
    """By round, the day of its event, or else that of its session."""
    days: dict[str, str] = {}
    for session in talk.sessions:
        for round_ in session.rounds:
            event = events.get(round_.event or "")
            if day := event.day if event is not None else session.date:
                days[round_.id] = day
    return days
