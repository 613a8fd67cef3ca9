"""From a proposed question to an item: constraint of its type, answer, query if one fits."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.benchmarks.constraints import LETTERS, SaidAndShown, breaches
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.values.civil_time import day_forms, is_when
from memassay.schemas.values.text import holds, normalise
from memassay.synth.extraction.proposals import Checked, Problem, Proof, proof_by_fact
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.windows import Window

_SPAN: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)? ?[^\W\d]*", re.UNICODE)


class ItemMaker:
    """Checks drafts of one conversation and makes items of those that fit."""

    def __init__(self, bundle: Bundle) -> None:
        """Take the conversation with its ledger."""
        self.bundle = bundle
        self.ledger = Ledger(bundle)
        self.history = SaidAndShown(bundle)
        self.facts = {fact.id.partition("/")[2]: fact for fact in bundle.facts}
        self.items: list[QAItem] = []
        self._texts: set[str] = set()

    def candidate(self, code: str, draft: ItemDraft, window: Window) -> Checked:
        """The item of a draft, and why it is none of its type; it is not kept yet.

        The constraints are those that rules apply to any item of the type (M3Exam A.3).
        """
        problems = list(self._shape_problems(code, draft, window))
        if problems:
            return None, problems
        item = self._item(code, draft, window)
        return item, [
            Problem(
                constraint.id,
                f"{'.'.join(str(part) for part in one.parts)}: expected {one.expected}, got "
                f"{one.got}; {one.fix}",
            )
            for constraint, one in breaches(KINDS[code].constraints, self.history, item)
        ]

    def _shape_problems(self, code: str, draft: ItemDraft, window: Window) -> Iterator[Problem]:
        """What no constraint could be applied to, or what has no place in this bank."""
        gold = draft.answers[0]
        outside = sorted(set(draft.evidence) - window.places)
        if outside:
            said = f"evidence: expected rounds that are shown, got {', '.join(outside)}"
            yield Problem(DropReason.OUTSIDE_WINDOW, said)
        if not draft.evidence:
            yield _shape_problem("evidence: expected at least one round, got none")
        if normalise(draft.question) in self._texts:
            yield Problem(DropReason.REPEATED, "question: expected one that was not asked yet")
        if code not in {"fj", "fm"} and holds(draft.question, gold):
            said = "question: expected one that does not say its gold"
            yield Problem(DropReason.GOLD_IN_QUESTION, said)
        if code == "tr" and format_of(code, draft) is AnswerFormat.FREE:
            said = "answers: expected a date as YYYY-MM-DD or a number with its unit"
            yield _shape_problem(f"{said}, got {gold!r}")
        if code == "fj" and len(draft.options) != len(LETTERS):
            yield _shape_problem(f"options: expected four texts, got {len(draft.options)}")
        if code == "fm" and gold not in window.images:
            shown = ", ".join(window.images)
            yield _shape_problem(f"answers: expected one of {shown}, got {gold!r}")

    def keep(self, item: QAItem, draft: ItemDraft) -> None:
        """Take an item without problems into the bank."""
        self.items.append(item)
        self._texts.add(normalise(draft.question))

    def _item(self, code: str, draft: ItemDraft, window: Window) -> QAItem:
        """The item of a draft; with a query if a single fact proves its gold."""
        number = sum(one.benchmark_type == code for one in self.items) + 1
        kind = KINDS[code]
        places = sorted(dict.fromkeys(draft.evidence), key=natural_key)
        evidence = Evidence.of(places)
        answer, query = _answer(code, draft, window), None
        proof = self._proof(code, draft, places)
        if proof is not None:
            answer, query, evidence = proof
        return QAItem(
            id=record_id(self.bundle.id, f"{code}-{number:04d}"),
            conversation=self.bundle.id,
            question=QuestionText(text=_text(code, draft)),
            answer=answer,
            modalities=list(kind.modalities),
            evidence=evidence,
            type=kind.type,
            benchmark_type=code,
            query=query,
            origin=ItemOrigin.MACHINE,
            format_prompt=kind.format_prompt,
        )

    def _proof(self, code: str, draft: ItemDraft, places: Sequence[str]) -> Proof | None:
        fact = self.facts.get(draft.fact)
        if code not in {"ss", "tr"} or fact is None:
            return None
        return proof_by_fact(draft, fact, self.ledger, places)


def _shape_problem(said: str) -> Problem:
    return Problem(DropReason.MALFORMED, said)


def format_of(code: str, draft: ItemDraft) -> AnswerFormat:
    """The form of a draft's answer."""
    gold = draft.answers[0]
    fixed = KINDS[code].format
    if fixed is not None:
        return fixed
    if is_when(gold) and len(gold) == len("2024-03-14"):
        return AnswerFormat.DATE
    return AnswerFormat.NUMBER if _SPAN.fullmatch(gold) else AnswerFormat.FREE


def _text(code: str, draft: ItemDraft) -> str:
    """The question; a choice has its options in it (M3Exam A.3)."""
    if code != "fj":
        return draft.question
    listed = " ".join(
        f"{letter}. {text}" for letter, text in zip(LETTERS, draft.options, strict=False)
    )
    return f"{draft.question} {listed}"


def _answer(code: str, draft: ItemDraft, window: Window) -> Answer:
    gold, made = draft.answers[0], format_of(code, draft)
    options = zip(LETTERS, draft.options, strict=False) if code == "fj" else ()
    rivals = draft.others or window.images
    return Answer(
        format=made,
        values=list(draft.steps) if code == "th" and draft.steps else [gold],
        relation=AnswerRelation.ORDERED if code == "th" else AnswerRelation.ONE,
        equivalents=list(day_forms(gold)) if made is AnswerFormat.DATE else [],
        coarser=[] if code in {"fj", "fm"} else draft.answers[1:],
        competitors=[one for one in rivals if one != gold] if code == "fm" else [],
        options=[AnswerOption(label=letter, text=text) for letter, text in options],
    )
