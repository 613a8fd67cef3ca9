"""How models draft Mem-Gallery's types of question; visual ones stay drafts (A.2.4, A.3)."""

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.readings import ReaderVerdict, quoted_item
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.queries.answers import REFUSAL
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.civil_time import day_forms
from memassay.schemas.values.text import normalise
from memassay.synth.drafting.bank import Drafting, Request
from memassay.synth.drafting.items import DraftedItems, form_of, shape_problem
from memassay.synth.drafting.windows import Window
from memassay.synth.extraction.proposals import Problem
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.findings import SYNTHESIS_RULES, unproven
from memassay.synth.models.probe_tasks import item_reading
from memassay.synth.paths.mem_gallery.kinds import KINDS, REFUSALS
from memassay.synth.paths.mem_gallery.tasks import story_questions
from memassay.synth.questions.windows import WindowShape

_SEARCH, _CONFLICT = "VS", "CD"
_VISUAL: Final = frozenset({_SEARCH, "VR"})
_TRUTHS: Final = {"yes": "Yes.", "no": "No."}

DOUBTED: Final = SYNTHESIS_RULES.declare(
    "questions.doubted",
    Severity.WARNING,
    "A second model finds the gold of a drafted question right, and the question clear.",
    "Mem-Gallery §3.1: LLMs check, annotators review question and answer",
)
DRAFT: Final = SYNTHESIS_RULES.declare(
    "questions.visual_draft",
    Severity.WARNING,
    "A question about images is a person's; what a model proposes is a draft of one.",
    "Mem-Gallery A.2.4: LLMs are unable to reliably generate questions on visual evidence",
)


_SELECTED: Final = WindowShape((2, 4), None)
"""Whole sessions that a model is shown, selected as in A.2.4; how many is our choice."""
_DRAFTED: Final = MappingProxyType(
    {code: replace(kind, window=_SELECTED) for code, kind in KINDS.items()}
)


class StoryItems(DraftedItems):
    """Checks drafts about one story and makes items of those that fit."""

    kinds = _DRAFTED
    closed = frozenset({_SEARCH, _CONFLICT})
    refused = frozenset({REFUSALS})
    by_fact = MappingProxyType({"FR": "", "TR": "", "KR": "end"})

    def own_problems(self, code: str, draft: ItemDraft, window: Window) -> Iterator[Problem]:
        """Ids of images that are not shown, a verdict that is none, evidence of a refusal."""
        values = _values(draft)
        if code == _SEARCH and not set(values) <= set(window.images):
            shown = ", ".join(window.images)
            yield shape_problem(f"steps: expected ids out of {shown}, got {', '.join(values)}")
        if code == _CONFLICT and _plainly(values[0]) not in _TRUTHS:
            yield shape_problem(f"answers: expected `Yes.` or `No.`, got {values[0]!r}")
        if code in self.refused and draft.evidence:
            yield shape_problem(f"evidence: expected none, got {', '.join(draft.evidence)}")

    def answer(self, code: str, draft: ItemDraft, window: Window) -> Answer:
        """The answer of a draft without problems."""
        del window
        values, form = _values(draft), form_of(KINDS[code], draft)
        if code in self.refused:
            return Answer(format=AnswerFormat.REFUSAL, values=[REFUSAL])
        if code == _CONFLICT:
            return Answer(format=form, values=[_TRUTHS[_plainly(values[0])]])
        if code == _SEARCH:
            values.sort(key=natural_key)
        listed = code == _SEARCH or len(values) > 1
        return Answer(
            format=AnswerFormat.FREE if draft.steps and code != _SEARCH else form,
            values=values,
            relation=AnswerRelation.ALL if listed else AnswerRelation.ONE,
            equivalents=list(day_forms(values[0])) if form is AnswerFormat.DATE else [],
            coarser=[] if listed else draft.answers[1:],
        )

    def item(self, code: str, draft: ItemDraft, window: Window) -> QAItem:
        """The item of a draft; a refusal has the first question that can be answered as a twin."""
        item = super().item(code, draft, window)
        if code not in self.refused:
            return item
        twin = next((one.id for one in self.items if one.answerable), None)
        return item.model_copy(update={"twin_of": twin})


def _plainly(verdict: str) -> str:
    return normalise(verdict).rstrip(".")


def _values(draft: ItemDraft) -> list[str]:
    """The gold: the items of a list, or one value."""
    return list(dict.fromkeys(draft.steps)) or [draft.answers[0]]


def read_draft(item: QAItem, request: Request, context: StageContext) -> list[Problem]:
    """What a second model finds wrong with answer and wording of an item that is no picture's.

    Raises:
        AuthorError: It gave no usable reply.
    """
    if item.benchmark_type in _VISUAL:
        return []
    inputs = {
        "speakers": [f"{request.user_name} (human)", "Assistant (assistant)"],
        "rounds": request.rounds,
        "whole": False,
        "items": [quoted_item(item)],
    }
    replies = context.write(item_reading(inputs, (), item.id)).replies
    wrong = [one for one in replies if one.id == item.id and one.verdict is ReaderVerdict.WRONG]
    return [
        Problem(DOUBTED.id, f"{defect.kind}: {defect.why}")
        for one in wrong
        for defect in one.defects
    ]


def note_unproven(item: QAItem) -> Finding:
    """An item that no query proves, or that is a draft about images: a person decides."""
    if item.benchmark_type not in _VISUAL:
        return unproven(item.id)
    said = f"{item.id}: expected a question of a person's, got 'a draft of a model'"
    fix = "Look at the images; correct the draft and accept it, or reject it and write your own."
    return DRAFT.finding(item.id, "", said, fix)


DRAFTING: Final = Drafting(_DRAFTED, StoryItems, story_questions, read_draft, note_unproven)
"""Kinds, items, requests, and the second look."""
