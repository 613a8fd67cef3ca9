"""The dialogue of a history, written from its timeline (M3Exam §2.2)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.ledger import Fact
from memassay.synth.histories.model_mending import ModelMender
from memassay.synth.histories.model_wording import ModelWording
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.streams import timeline_of
from memassay.synth.material.rounds import show_material
from memassay.synth.sourcing.rounds import SourcedImages
from memassay.synth.telling.mending import DialogueMender, DialogueParts
from memassay.synth.telling.storyteller import Storyteller


class DialogueStage(DialogueParts):
    """The conversation, its pictures and the mentions of its facts."""

    name = "dialogue"
    version = "5"
    scope = Scope.CONVERSATION
    reads = frozenset({"asset", "event", "fact", "persona"})

    def __init__(
        self,
        path: str,
        personas: Personas,
        models: Mapping[str, Any] | None = None,
        titles: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Take the path's name, the personas, and which models word it if the grammar does not.

        A conversation without one of the `titles` is called after who speaks.

        Events carry the hash of the words that the grammar tells them in.
        """
        self.path = path
        self.personas = personas
        self.models, self.titles = models, titles
        # The name is in the records: another path must not take them from a shared workspace.
        self.config: dict[str, Any] = {"path": path} | ({"models": models} if models else {})
        if titles:
            self.config["titles"] = dict(titles)

    def run(self, records: Sequence[Record], context: StageContext) -> list[Record]:
        """The dialogue of one persona, the user's own files included."""
        told = self._teller(records, context).tell(timeline_of(records))
        assets = [record for record in records if isinstance(record, Asset)]
        facts = [record for record in records if isinstance(record, Fact)]
        shown = show_material(told.conversation, assets, facts, context.random)
        made = [shown.conversation, *told.assets, *told.mentions, *shown.mentions]
        return SourcedImages(assets, facts, context.random).tell(made)

    def _teller(self, records: Sequence[Record], context: StageContext) -> Storyteller:
        facts = [record for record in records if isinstance(record, Fact)]
        persona = self.personas.by_id[context.shard]
        teller = Storyteller(persona, facts, context.blobs, context.random, self.path)
        teller.title = self.titles.get(context.shard, teller.title)
        if self.models:
            teller.wording = ModelWording(persona, context.write, teller.scenery.pixels)
        return teller

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The dialogue with its flagged rounds written again in new words."""
        teller, events = self._teller(given, context), timeline_of(given)

        def mend(made: Sequence[Record]) -> Sequence[Record]:
            if self.models:
                mender = ModelMender(teller, events, made, context.random, context.write)
                return mender.mend(flagged, attempt)
            return DialogueMender(teller, events, made, context.random).mend(flagged, attempt)

        assets = [record for record in given if isinstance(record, Asset)]
        facts = [record for record in given if isinstance(record, Fact)]
        return SourcedImages(assets, facts, context.random).around(made, flagged, mend)
