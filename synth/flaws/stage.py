"""A stage that plants flaws into what another stage made."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import RepairingStage, SourceStage, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import FlawKind
from memassay.synth.flaws.planting import FLAW_SHORTFALL, Flaws, Planted, flaw_records
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import PersonaFile


class Planter(Protocol):
    """Plants flaws into one history; `records` are what its clean records become."""

    records: list[Record]

    def plant(self, wanted: Mapping[FlawKind, int]) -> list[Planted]:
        """Plant flaws, fewer than wanted where nothing is left to plant them into."""
        ...


MakePlanter = Callable[
    [PersonaFile, Sequence[PersonaFile], Sequence[Record], Sequence[Record], Randoms], Planter
]
"""Makes a planter of a persona, whose lives it borrows from, what was given and what was made."""


class PlantingStage:
    """Another stage, and flaws in what it makes; to the engine it is that stage."""

    def __init__(self, stage: RepairingStage, flaws: Flaws, planter: MakePlanter) -> None:
        """Take the clean stage, the flaws of the recipe, and who plants them."""
        self.stage = stage
        self.flaws = flaws
        self.planter = planter
        self.name, self.version = stage.name, stage.version
        self.scope, self.reads = stage.scope, stage.reads
        self.config: dict[str, Any] = {**stage.config, **flaws.config}

    def shards(self) -> dict[str, list[str]]:
        """Those of the clean stage."""
        return cast(SourceStage, self.stage).shards()

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """What the clean stage makes, with its share of flaws and their records."""
        clean = list(self.stage.run(records, context))
        persona = self.flaws.personas[context.shard]
        wanted = self.flaws.share(persona.id, self.name)
        donors = self.flaws.donors(persona.id)
        planter = self.planter(persona, donors, records, clean, context.random)
        planted = planter.plant(wanted)
        before, after = self.parts(clean), self.parts(planter.records)
        yield from planter.records
        yield from flaw_records(persona.id, self.name, planted, before, after)
        for kind, number in wanted.items():
            got = sum(one.kind is kind for one in planted)
            if got < number:
                message = (
                    f"{persona.id}.flaws.{kind}: expected {number} in its {self.name}, got {got}"
                )
                fix = "Ask for fewer, or make the history longer (sizes)."
                context.emit(FLAW_SHORTFALL.finding(persona.id, "", message, fix))

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Those of the clean stage."""
        return self.stage.parts(made)

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The part that the clean stage names."""
        return self.stage.part_of(finding, made)

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """What the clean stage mends."""
        return self.stage.repair(given, made, flagged, attempt, context)
