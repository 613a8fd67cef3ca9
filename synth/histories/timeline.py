"""The timeline of a history: persona, events and facts, before a word is written (M3Exam §2.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.synth.histories.findings import SIZE_MISSED, TIME_LIMITS, UNPLACED
from memassay.synth.histories.personas import Personas
from memassay.synth.telling.mending import TimelineParts, mended_timeline
from memassay.synth.world.casting import Cast, cast
from memassay.synth.world.dials import UNTURNED, Dials
from memassay.synth.world.maker import WorldMaker, persona_of
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.processes.limits import breaches
from memassay.synth.world.sizes import Sizes, missed_sizes


class TimelineStage(TimelineParts):
    """Persona, events and facts; the world is fixed before a word is written."""

    name = "timeline"
    version = "7"
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

    def sizes_of(self, _conversation: str) -> Sizes:
        """How large a history is."""
        return self.sizes

    def run(self, _records: Sequence[Record], context: StageContext) -> list[Record]:
        """One persona with its events and facts."""
        persona = self.personas.by_id[context.shard]
        told = self._cast(context)
        self._report_missed(persona, told, context)
        for one in told.unplaced:
            message = f"{persona.id}.cards.{one.process}: expected a place in time, got none"
            fix = f"{one.reason[0].upper()}{one.reason[1:]}; give it more time, or more sessions."
            context.emit(UNPLACED.finding(persona.id, "", message, fix))
        for limit, place, expected, got in breaches(told.cards):
            message = f"{persona.id}.cards.{place}: expected {expected}, got {got}"
            fix = "Give the stage more time, or the history more sessions."
            context.emit(TIME_LIMITS[limit].finding(persona.id, "", message, fix))
        return self._world(told, context)

    def _cast(self, context: StageContext) -> Cast:
        persona = self.personas.by_id[context.shard]
        return cast(persona, self.sizes_of(context.shard), context.random, self.dials)

    def _world(self, told: Cast, context: StageContext) -> list[Record]:
        persona = self.personas.by_id[context.shard]
        world = WorldMaker(persona, context.random, self.dials.assistant_reads).make(told.cards)
        return [persona_of(persona), *world.events, *world.facts]

    def _report_missed(self, persona: PersonaFile, told: Cast, context: StageContext) -> None:
        cards = [one.card for one in told.cards]
        sessions = len({one.session for one in told.cards})
        for one in missed_sizes(persona, self.sizes_of(persona.id), cards, sessions):
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
        return mended_timeline(made, self._world(self._cast(context), context), flagged)
