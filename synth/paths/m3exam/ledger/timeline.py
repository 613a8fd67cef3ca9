"""The timeline of a history: persona, events and facts, before a word is written (M3Exam §2.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.paths.m3exam.findings import SIZE_MISSED
from memassay.synth.paths.m3exam.personas import Personas
from memassay.synth.telling.mending import TimelineParts, mended_timeline
from memassay.synth.world.casting import cast
from memassay.synth.world.dials import UNTURNED, Dials
from memassay.synth.world.maker import WorldMaker, persona_of
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes, missed_sizes


class TimelineStage(TimelineParts):
    """Persona, events and facts; the world is fixed before a word is written."""

    name = "timeline"
    version = "6"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(
        self,
        personas: Personas,
        sizes: Sizes,
        dials: Dials = UNTURNED,
    ) -> None:
        """Say whose timelines to make, how long, and of which cards."""
        self.personas = personas
        self.sizes = sizes
        self.dials = dials
        self.config: dict[str, Any] = {"sizes": sizes.config, "dials": vars(dials)}

    def shards(self) -> dict[str, list[str]]:
        """By persona, the hashes of its files."""
        return self.personas.hashes()

    def run(self, _records: Sequence[Record], context: StageContext) -> list[Record]:
        """One persona with its events and facts."""
        made = self._world(context)
        self._report_missed(self.personas.by_id[context.shard], made, context)
        return made

    def _world(self, context: StageContext) -> list[Record]:
        persona = self.personas.by_id[context.shard]
        cards = cast(persona, self.sizes, context.random, self.dials)
        world = WorldMaker(persona, context.random).make(cards)
        return [persona_of(persona), *world.events, *world.facts]

    def _report_missed(
        self, persona: PersonaFile, world: Sequence[Record], context: StageContext
    ) -> None:
        events = [one for one in world if isinstance(one, TimelineEvent)]
        told = {event.card for event in events}
        cards = [card for card in (*persona.cards, *persona.side) if card.id in told]
        sessions = len({event.session for event in events})
        for one in missed_sizes(persona, self.sizes, cards, sessions):
            message = f"{persona.id}.sizes.{one.field}: expected {one.asked:g}, got {one.got:g}"
            fix = "Change this size, another that leaves it no room, or the persona."
            context.emit(SIZE_MISSED.finding(persona.id, "", message, fix))

    def repair(
        self,
        _given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        _attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The timeline with its flagged events as the world has them."""
        return mended_timeline(made, self._world(context), flagged)
