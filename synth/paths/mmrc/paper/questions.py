"""The question stage of paper mode: each ability of a card is asked of a model, then checked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.benchmarks.mmrc import TYPES
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.bank import BankTally, Dropped, tally_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.synth.extraction.proposals import Problem, mend_once
from memassay.synth.extraction.question_tasks import ItemDraft, question_repair
from memassay.synth.extraction.quoting import blobs_of, quoted_round, shown_images
from memassay.synth.findings import SHORTFALL, unproven
from memassay.synth.packs.words.naming import USER
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.paths.mmrc.dialogues import Dialogues, number_of
from memassay.synth.paths.mmrc.paper.items import AbilityItems
from memassay.synth.paths.mmrc.paper.tasks import ability_questions

_A_CALL: Final = 2
"""Questions asked for of an ability, of which one is kept (our choice)."""
_LOOKING: Final = frozenset({"IE", "IM"})
"""Abilities whose questions are written over the pictures."""


class PaperQuestionStage:
    """One question of each ability that a card asks, proposed by a model."""

    name = "questions"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "fact", "mention", "asset"})

    def __init__(self, dialogues: Dialogues, models: Mapping[str, Any]) -> None:
        """Take the dialogues of the recipe, and which models ask."""
        self.dialogues = dialogues
        self.config: dict[str, Any] = {"mode": "paper", "models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> list[Record]:
        """The questions of one dialogue; what no query proves and what is missing are findings."""
        if not any(isinstance(one, Conversation) for one in records):
            return []
        desk = AbilityDesk(Bundle.from_records(records), context)
        asked = self.dialogues.card(number_of(context.shard)).asked
        tallies = desk.ask(asked)
        for one in tallies:
            if one.kept < one.wanted:
                said = f"{context.shard}.{one.code}: expected {one.wanted} question, got {one.kept}"
                fix = "Run with another model for the role questioner, or let people write it."
                context.emit(SHORTFALL.finding(context.shard, "", said, fix))
        for item in desk.maker.items:
            if item.query is None:
                context.emit(unproven(item.id))
        return [*desk.maker.items, *tallies]


class AbilityDesk:
    """Asks a model about one dialogue."""

    def __init__(
        self,
        bundle: Bundle,
        context: StageContext,
        maker: Callable[[Bundle], AbilityItems] = AbilityItems,
    ) -> None:
        """Take the dialogue, who writes, and who makes items of drafts."""
        self.bundle, self.context = bundle, context
        self.maker = maker(bundle)
        self._rounds = [quoted_round(one) for one in bundle.conversation.rounds()]
        self._dropped: dict[str, list[str]] = {}
        shown = [one for _, one in bundle.conversation.attachments()]
        assets = [one for one in bundle.assets if isinstance(one, Asset)]
        self._images = shown_images(shown, blobs_of(assets))

    def ask(self, asked: Sequence[Asked]) -> list[BankTally]:
        """Ask for each ability, and say what came of it (M3Exam A.4)."""
        facts = self._facts()
        tasks = [
            ability_questions(
                (one.code, TYPES[one.code].name, one.form),
                self._rounds,
                facts,
                _A_CALL,
                self._looked_at(one.code),
                self.bundle.id,
            )
            for one in asked
        ]
        tallies = []
        for one, reply in zip(asked, self.context.write_all(tasks), strict=True):
            self._dropped = {}
            kept = any(self._take(one, draft) for draft in reply.items)
            tallies.append(self._tally(one.code, int(kept)))
        return tallies

    def _looked_at(self, code: str) -> list[ShownImage]:
        return self._images if code in _LOOKING else []

    def _facts(self) -> list[dict[str, str]]:
        """What is in the ledger, as prompts quote it."""
        return [
            {
                "fact": fact.id.partition("/")[2],
                "property": f"{fact.attribute} of {fact.subject}",
                "statement": fact.statement or fact.value.text,
            }
            for fact in self.bundle.facts
        ]

    def _take(self, asked: Asked, draft: ItemDraft) -> bool:
        """Keep a draft that fits its ability, mended once if need be; else note why not."""
        draft, item, problems = mend_once(
            draft,
            lambda each: self.maker.candidate(asked, each),
            lambda each, wrong: self._mend(asked, each, wrong),
        )
        if item is None or problems:
            self._drop(draft, problems)
            return False
        self.maker.items.append(item)
        return True

    def _mend(self, asked: Asked, draft: ItemDraft, problems: Sequence[str]) -> ItemDraft:
        images = self._looked_at(asked.code)
        return self.context.write(
            question_repair(USER, draft, problems, self._rounds, images, self.bundle.id)
        )

    def _drop(self, draft: ItemDraft, problems: Sequence[Problem]) -> None:
        for problem in problems:
            said = f"{draft.question} ({problem.said})"
            self._dropped.setdefault(str(problem.reason), []).append(said)

    def _tally(self, code: str, kept: int) -> BankTally:
        return BankTally(
            id=tally_id(self.bundle.id, code),
            conversation=self.bundle.id,
            code=code,
            wanted=1,
            kept=kept,
            dropped=[
                Dropped(reason=reason, drafts=len(drafts), examples=drafts)
                for reason, drafts in sorted(self._dropped.items())
            ],
        )
