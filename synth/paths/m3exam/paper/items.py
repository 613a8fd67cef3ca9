"""What M3Exam's types ask of a proposed question, and the answer that it has (A.3)."""

from collections.abc import Iterator
from types import MappingProxyType

from memassay.schemas.benchmarks.constraints import LETTERS
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerOption, AnswerRelation
from memassay.schemas.values.civil_time import day_forms
from memassay.synth.drafting.items import DraftedItems, form_of, shape_problem
from memassay.synth.drafting.windows import Window
from memassay.synth.extraction.proposals import Problem
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.paths.m3exam.kinds import KINDS


class ItemMaker(DraftedItems):
    """Checks drafts of one conversation and makes items of those that fit."""

    kinds = KINDS
    closed = frozenset({"fj", "fm"})
    by_fact = MappingProxyType({"ss": "", "tr": ""})

    def own_problems(self, code: str, draft: ItemDraft, window: Window) -> Iterator[Problem]:
        """A time without a form of its own, options that are missing, an image that is not shown.

        Args:
            code: The type.
            draft: The question.
            window: What it was written from.
        """
        gold = draft.answers[0]
        if code == "tr" and form_of(KINDS[code], draft) is AnswerFormat.FREE:
            said = "answers: expected a date as YYYY-MM-DD or a number with its unit"
            yield shape_problem(f"{said}, got {gold!r}")
        if code == "fj" and len(draft.options) != len(LETTERS):
            yield shape_problem(f"options: expected four texts, got {len(draft.options)}")
        if code == "fm" and gold not in window.images:
            shown = ", ".join(window.images)
            yield shape_problem(f"answers: expected one of {shown}, got {gold!r}")

    def text(self, code: str, draft: ItemDraft) -> str:
        """The question; a choice has its options in it (M3Exam A.3)."""
        if code != "fj":
            return draft.question
        listed = " ".join(
            f"{letter}. {text}" for letter, text in zip(LETTERS, draft.options, strict=False)
        )
        return f"{draft.question} {listed}"

    def answer(self, code: str, draft: ItemDraft, window: Window) -> Answer:
        """The answer of a draft without problems."""
        gold, made = draft.answers[0], form_of(KINDS[code], draft)
        options = zip(LETTERS, draft.options, strict=False) if code == "fj" else ()
        rivals = draft.others or window.images
        return Answer(
            format=made,
            values=list(draft.steps) if code == "th" and draft.steps else [gold],
            relation=AnswerRelation.ORDERED if code == "th" else AnswerRelation.ONE,
            equivalents=list(day_forms(gold)) if made is AnswerFormat.DATE else [],
            coarser=[] if code in self.closed else draft.answers[1:],
            competitors=[one for one in rivals if one != gold] if code == "fm" else [],
            options=[AnswerOption(label=letter, text=text) for letter, text in options],
        )
