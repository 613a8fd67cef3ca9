"""The question bank of a history, proven from its ledger (M3Exam §2.2)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import JsonValue

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import MORE_QUESTIONS
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.synth.findings import SHORTFALL
from memassay.synth.histories.personas import Personas
from memassay.synth.questions.bank import QuestionBank
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.questions.leanings import CHANCE, Leanings
from memassay.synth.world.persona_file import PersonaFile


class QuestionStage:
    """The question bank of a path's types, each gold the result of its query."""

    name = "questions"
    version = "7"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event", "fact", "mention", "asset"})

    def __init__(
        self,
        kinds: Mapping[str, QuestionKind],
        personas: Personas,
        wanted: Mapping[str, int],
        with_documents: Mapping[str, int] | None = None,
        leanings: Leanings = CHANCE,
    ) -> None:
        """Say what is asked, how many of each type every persona gets, and which are preferred.

        A history that shows documents gets the numbers of `with_documents` where they are given.
        """
        self.kinds = kinds
        self.personas = personas
        self.wanted = dict(wanted)
        self.with_documents = dict(with_documents or {})
        self.leanings = leanings
        self.config: dict[str, Any] = {
            "questions": self.wanted,
            "document_questions": self.with_documents,
            **leanings.config,
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """Items and tallies of one persona, type by type; what falls short is a finding."""
        for record in self.bank(records, context):
            yield record
            if isinstance(record, BankTally) and record.kept < record.wanted:
                context.emit(_shortfall(record))

    def bank(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The proven items and tallies of one persona, remembered type by type."""
        return self.bank_of(self.kinds, records, context)

    def bank_of(
        self,
        kinds: Mapping[str, QuestionKind],
        records: Sequence[Record],
        context: StageContext,
        asked: Sequence[str] = (),
    ) -> Iterator[Record]:
        """The same of some types; `asked` is what else their makers go by."""
        bundle = Bundle.from_records(records)
        persona = self.persona_of(bundle)

        @cache
        def bank() -> QuestionBank:
            history = History(bundle, persona, self.leanings.reach)
            return QuestionBank(history, context.random, kinds, self.leanings)

        read = combined_hash(content_hash(record) for record in records)
        told = content_hash(persona.model_dump(mode="json"))
        inputs: list[JsonValue] = [read, told, self.leanings.config, *asked]
        for code in kinds:
            target = self.targets(bundle).get(code, 0)

            def make(code: str = code, target: int = target) -> list[Record]:
                items, tally = bank().of_type(code, target)
                return [*items, tally]

            if target:
                yield from context.unit(f"bank/{code}", [*inputs, target], make)

    def persona_of(self, bundle: Bundle) -> PersonaFile:
        """Whose history it is."""
        return self.personas.by_id[bundle.id]

    def targets(self, bundle: Bundle) -> dict[str, int]:
        """How many questions of each type it gets."""
        shown = {image.asset for _, image in bundle.conversation.attachments()}
        pages = any(asset.parent for asset in bundle.assets if asset.id in shown)
        return {**self.wanted, **(self.with_documents if pages else {})}


class MoreQuestionsStage(QuestionStage):
    """Questions of new types about histories of a release; those that are new have theirs."""

    name = MORE_QUESTIONS
    version = "1"

    def __init__(
        self,
        kinds: Mapping[str, QuestionKind],
        personas: Personas,
        wanted: Mapping[str, int],
        with_documents: Mapping[str, int],
        leanings: Leanings,
        conversations: frozenset[str],
    ) -> None:
        """Say how many questions of each new type these conversations get."""
        super().__init__(kinds, personas, wanted, with_documents, leanings)
        self.conversations = conversations
        self.config |= {"conversations": sorted(conversations)}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """Items and tallies of one conversation of the release; nothing for others."""
        if context.shard in self.conversations:
            yield from super().run(records, context)


def _shortfall(tally: BankTally) -> Finding:
    return SHORTFALL.finding(
        tally.conversation,
        "",
        f"{tally.conversation}.questions.{tally.code}: expected {tally.wanted}, got {tally.kept}",
        "Ask for fewer, or make the history longer (sizes).",
    )
