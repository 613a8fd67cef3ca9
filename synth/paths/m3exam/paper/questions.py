"""The question stage of paper mode: windows in, checked items out, drops with their reasons."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.bank import BankTally, Dropped, tally_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.synth.extraction.proposals import mend_once
from memassay.synth.extraction.question_tasks import ItemDraft, question_repair
from memassay.synth.extraction.quoting import blobs_of, quoted_round, shown_images
from memassay.synth.findings import SHORTFALL, unproven
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker
from memassay.synth.paths.m3exam.paper.windows import Window, window_of
from memassay.synth.paths.m3exam.tasks.question import questions

_A_CALL = 3
_WAVES = 3
_EXAMPLES = 3
"""Questions of one call, calls for a type that is short, and drops that are reported in full."""


class PaperQuestionStage:
    """The question bank, eight types, proposed by a model from windows of the history."""

    name = "questions"
    version = "2"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "event", "fact", "mention", "asset"})

    def __init__(
        self, personas: Personas, wanted: Mapping[str, int], models: Mapping[str, Any]
    ) -> None:
        """Say how many questions of each type every persona gets, and which models ask."""
        self.personas = personas
        self.wanted = dict(wanted)
        self.config: dict[str, Any] = {"mode": "paper", "questions": self.wanted, "models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The questions of one persona; what was dropped and what falls short are findings."""
        if any(isinstance(one, Conversation) for one in records):
            yield from self._write(Bundle.from_records(records), context)

    def _write(self, bundle: Bundle, context: StageContext) -> list[Record]:
        persona = self.personas.by_id[context.shard]
        bank = Bank(bundle, persona.name, context)
        tallies: list[BankTally] = []
        for code in KINDS:
            wanted = self.wanted.get(code, 0)
            got = bank.fill(code, wanted)
            if wanted:
                tallies.append(bank.tally(code, wanted, got))
            if got < wanted:
                said = f"{persona.id}.questions.{code}: expected {wanted}, got {got}"
                fix = "Ask for fewer, make the history longer (sizes), or show it pictures."
                context.emit(SHORTFALL.finding(persona.id, "", said, fix))
        for item in bank.maker.items:
            if item.query is None:
                context.emit(unproven(item.id))
        return [*bank.maker.items, *tallies]


class Bank:
    """Fills the bank of one conversation, type by type."""

    def __init__(
        self,
        bundle: Bundle,
        user_name: str,
        context: StageContext,
        maker: Callable[[Bundle], ItemMaker] = ItemMaker,
    ) -> None:
        """Take the conversation, who it is of, who writes, and who makes items of drafts."""
        self.bundle = bundle
        self.user_name = user_name
        self.context = context
        self.maker = maker(bundle)
        self.dropped: dict[str, dict[str, list[str]]] = {}
        self.days = {
            round_.id: session.date or ""
            for session in bundle.conversation.sessions
            for round_ in session.rounds
        }
        self.blobs = blobs_of([one for one in bundle.assets if isinstance(one, Asset)])

    def tally(self, code: str, wanted: int, kept: int) -> BankTally:
        """What was made of a type and what was dropped on the way (M3Exam A.4)."""
        return BankTally(
            id=tally_id(self.bundle.id, code),
            conversation=self.bundle.id,
            code=code,
            wanted=wanted,
            kept=kept,
            dropped=[
                Dropped(reason=reason, drafts=len(drafts), examples=drafts[:_EXAMPLES])
                for reason, drafts in sorted(self.dropped.get(code, {}).items())
            ],
        )

    def fill(self, code: str, wanted: int) -> int:
        """Make so many items of a type as far as the windows give them; says how many."""
        made = draw = 0
        for _ in range(_WAVES):
            if made >= wanted:
                break
            calls = ceil((wanted - made) / _A_CALL)
            windows = [self._window(code, draw + at) for at in range(calls)]
            found = [(draw + at, one) for at, one in enumerate(windows) if one is not None]
            draw += calls
            tasks = [self._task(code, window, at) for at, window in found]
            # Calls of a wave do not depend on each other; what they repeat is dropped after.
            for (_, window), reply in zip(found, self.context.write_all(tasks), strict=True):
                for draft in reply.items:
                    if made < wanted:
                        made += self._take(code, draft, window)
        return made

    def _window(self, code: str, draw: int) -> Window | None:
        random = self.context.random("window", code, str(draw))
        return window_of(KINDS[code], self.bundle.conversation, random)

    def _task(self, code: str, window: Window, draw: int) -> Any:
        where = f"{self.bundle.id}, {window.rounds[0].id} to {window.rounds[-1].id}"
        return questions(
            KINDS[code].prompt,
            self.user_name,
            self._quote(window),
            self._facts(window),
            _A_CALL,
            self._images(code, window),
            where,
            draw,
        )

    def _quote(self, window: Window) -> list[dict[str, Any]]:
        return [quoted_round(one, self.days[one.id]) for one in window.rounds]

    def _facts(self, window: Window) -> list[dict[str, str]]:
        """Facts said in a window, as prompts quote them."""
        said = {one.fact for one in self.bundle.mentions if one.round in window.places}
        return [
            {
                "fact": fact.id.partition("/")[2],
                "property": f"{fact.attribute} of {fact.subject}",
                "statement": fact.statement or fact.value.text,
            }
            for fact in self.bundle.facts
            if fact.id in said
        ]

    def _images(self, code: str, window: Window) -> list[ShownImage]:
        if not KINDS[code].images:
            return []
        turns = (turn for one in window.rounds for turn in one.turns)
        shown = (item for turn in turns for item in turn.attachments)
        return shown_images(shown, self.blobs)

    def _take(self, code: str, draft: ItemDraft, window: Window) -> bool:
        """Keep a draft that fits its type, mended once if need be; else say why it was dropped."""
        draft, item, problems = mend_once(
            draft,
            lambda each: self.maker.candidate(code, each, window),
            lambda each, wrong: self.context.write(
                question_repair(
                    self.user_name,
                    each,
                    wrong,
                    self._quote(window),
                    self._images(code, window),
                    self.bundle.id,
                )
            ),
        )
        if item is None or problems:
            why = self.dropped.setdefault(code, {})
            for reason in dict.fromkeys(one.reason for one in problems):
                said = "; ".join(one.said for one in problems if one.reason == reason)
                why.setdefault(str(reason), []).append(f"{draft.question} ({said})")
            return False
        self.maker.keep(item, draft)
        return True
