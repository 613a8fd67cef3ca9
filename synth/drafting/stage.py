"""The question stage of paper mode: a model drafts, rules check, people see what nothing proves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.synth.drafting.bank import DraftBank, Drafting
from memassay.synth.findings import SHORTFALL


class DraftedQuestionStage:
    """The question bank of a path's types, drafted by a model from windows of the history."""

    name = "questions"
    version = "2"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event", "fact", "mention", "asset"})

    def __init__(
        self, drafting: Drafting, wanted: Mapping[str, int], models: Mapping[str, Any]
    ) -> None:
        """Say how questions are drafted, how many of each type, and by which models."""
        self.drafting = drafting
        self.wanted = dict(wanted)
        self.config: dict[str, Any] = {"mode": "paper", "questions": self.wanted, "models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The questions of one history; what was dropped and what falls short are findings."""
        if any(isinstance(one, Conversation) for one in records):
            yield from self._write(Bundle.from_records(records), context)

    def _write(self, bundle: Bundle, context: StageContext) -> list[Record]:
        bank = DraftBank(self.drafting, bundle, context)
        tallies: list[BankTally] = []
        for code in self.drafting.kinds:
            wanted = self.wanted.get(code, 0)
            got = bank.fill(code, wanted)
            if wanted:
                tallies.append(bank.tally(code, wanted, got))
            if got < wanted:
                said = f"{bundle.id}.questions.{code}: expected {wanted}, got {got}"
                fix = "Ask for fewer, lengthen the history (sizes), or let people write them."
                context.emit(SHORTFALL.finding(bundle.id, "", said, fix))
        for item in bank.maker.items:
            if item.query is None:
                context.emit(self.drafting.note(item))
        return [*bank.maker.items, *tallies]
