"""A bank of drafted questions: windows in, checked items out, drops with their reasons."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.bank import BankTally, Dropped, tally_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.drafting.items import DraftedItems
from memassay.synth.drafting.windows import Window, window_of
from memassay.synth.extraction.proposals import Checked, Problem, mend_once
from memassay.synth.extraction.question_tasks import ItemDraft, ItemDrafts, question_repair
from memassay.synth.extraction.quoting import (
    blobs_of,
    quoted_round,
    shown_images,
    user_name_of,
)
from memassay.synth.findings import unproven
from memassay.synth.questions.kinds import QuestionKind

_A_CALL = 3
_WAVES = 3
_EXAMPLES = 3
"""Questions of one call, calls for a type that is short, and drops that are reported in full."""


@dataclass(frozen=True)
class Request:
    """What a model that drafts questions is given.

    Attributes:
        user_name: Who the history is of.
        rounds: The window as it is quoted.
        facts: Facts noted in it, with their ids.
        count: Most questions that are wanted.
        images: Images of the window, for types that look at them.
        record: Where the window is, for messages.
        draw: Which window of its type it is.
    """

    user_name: str
    rounds: list[dict[str, Any]]
    facts: list[dict[str, str]]
    count: int
    images: tuple[ShownImage, ...]
    record: str
    draw: int


@dataclass(frozen=True)
class Drafting:
    """How a path has questions drafted.

    Attributes:
        kinds: Its types, by code.
        maker: Makes items of the drafts of a conversation.
        ask: The task by which drafts of a type are asked for.
        doubts: The task by which a second model reads an item, given the rounds it was drafted
            from, and what it finds wrong; None: nobody reads it.
        note: What is said of a kept item whose gold no query gives.
    """

    kinds: Mapping[str, QuestionKind]
    maker: Callable[[Bundle], DraftedItems]
    ask: Callable[[QuestionKind, Request], Task[ItemDrafts]]
    doubts: Callable[[QAItem, Request, StageContext], list[Problem]] | None = None
    note: Callable[[QAItem], Finding] = lambda item: unproven(item.id)


class DraftBank:
    """Fills the bank of one conversation, type by type.

    Attributes:
        maker: Holds what was kept.
    """

    def __init__(self, drafting: Drafting, bundle: Bundle, context: StageContext) -> None:
        """Take how questions are drafted, the conversation, and who writes."""
        self.drafting = drafting
        self.bundle = bundle
        self.context = context
        self.maker = drafting.maker(bundle)
        self.user_name = user_name_of(bundle.conversation)
        self._dropped: dict[str, dict[str, list[str]]] = {}
        self._days = {
            round_.id: session.date or ""
            for session in bundle.conversation.sessions
            for round_ in session.rounds
        }
        self._blobs = blobs_of(bundle.assets)

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
                for reason, drafts in sorted(self._dropped.get(code, {}).items())
            ],
        )

    def fill(self, code: str, wanted: int) -> int:
        """Make so many items of a type as far as the windows give them; says how many."""
        made = draw = 0
        kind = self.drafting.kinds[code]
        for _ in range(_WAVES):
            if made >= wanted:
                break
            calls = ceil((wanted - made) / _A_CALL)
            windows = [self._window(kind, draw + at) for at in range(calls)]
            asked = [
                (one, self._request(kind, one, draw + at))
                for at, one in enumerate(windows)
                if one is not None
            ]
            draw += calls
            tasks = [self.drafting.ask(kind, request) for _, request in asked]
            # Calls of a wave do not depend on each other; what they repeat is dropped after.
            for place, reply in zip(asked, self.context.write_all(tasks), strict=True):
                for draft in reply.items:
                    if made < wanted:
                        made += self._take(code, draft, *place)
        return made

    def _window(self, kind: QuestionKind, draw: int) -> Window | None:
        random = self.context.random("window", kind.code, str(draw))
        return window_of(kind, self.bundle.conversation, random)

    def _request(self, kind: QuestionKind, window: Window, draw: int) -> Request:
        return Request(
            user_name=self.user_name,
            rounds=[quoted_round(one, self._days[one.id]) for one in window.rounds],
            facts=self._facts(window),
            count=_A_CALL,
            images=self._images(kind, window),
            record=f"{self.bundle.id}, {window.rounds[0].id} to {window.rounds[-1].id}",
            draw=draw,
        )

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

    def _images(self, kind: QuestionKind, window: Window) -> tuple[ShownImage, ...]:
        if not kind.images:
            return ()
        turns = (turn for one in window.rounds for turn in one.turns)
        shown = (item for turn in turns for item in turn.attachments)
        return tuple(shown_images(shown, self._blobs))

    def _take(self, code: str, draft: ItemDraft, window: Window, request: Request) -> bool:
        """Keep a draft that fits its type, mended once if need be; else say why it was dropped."""
        draft, item, problems = mend_once(
            draft,
            lambda each: self._check(code, each, window, request),
            lambda each, wrong: self.context.write(
                question_repair(
                    self.user_name, each, wrong, request.rounds, request.images, self.bundle.id
                )
            ),
        )
        if item is None or problems:
            why = self._dropped.setdefault(code, {})
            for reason in dict.fromkeys(one.reason for one in problems):
                said = "; ".join(one.said for one in problems if one.reason == reason)
                why.setdefault(str(reason), []).append(f"{draft.question} ({said})")
            return False
        self.maker.keep(item, draft)
        return True

    def _check(self, code: str, draft: ItemDraft, window: Window, request: Request) -> Checked:
        """The item of a draft and its problems; a second model reads what has none."""
        item, problems = self.maker.candidate(code, draft, window)
        if item is None or problems or self.drafting.doubts is None:
            return item, problems
        return item, self.drafting.doubts(item, request, self.context)
