"""From a drafted question to an item: shape and constraints of its type, a query if one fits."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from memassay.schemas.benchmarks.constraints import SaidAndShown, breaches
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.text import holds, normalise
from memassay.synth.drafting.windows import Window
from memassay.synth.extraction.proposals import Checked, Problem, Proof, proof_by_fact
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.questions.kinds import QuestionKind

_SPAN: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)? ?[^\W\d]*", re.UNICODE)


class DraftedItems(ABC):
    """Checks drafts of one conversation and makes items of those that fit; a path says the rest.

    Attributes:
        kinds: The path's types of question, by code.
        closed: Codes of those whose gold the question may say.
        refused: Codes of those that nothing in the history answers.
        by_fact: Codes of those of which one fact can give the gold, and when it is asked for.
        items: What was kept.
    """

    kinds: ClassVar[Mapping[str, QuestionKind]]
    closed: ClassVar[frozenset[str]] = frozenset()
    refused: ClassVar[frozenset[str]] = frozenset()
    by_fact: ClassVar[Mapping[str, str]] = {}

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
        problems = [
            *self._shape_problems(code, draft, window),
            *self.own_problems(code, draft, window),
        ]
        if problems:
            return None, problems
        item = self.item(code, draft, window)
        return item, [
            Problem(
                constraint.id,
                f"{'.'.join(str(part) for part in one.parts)}: expected {one.expected}, got "
                f"{one.got}; {one.fix}",
            )
            for constraint, one in breaches(self.kinds[code].constraints, self.history, item)
        ]

    def own_problems(self, code: str, draft: ItemDraft, window: Window) -> Iterator[Problem]:
        """What is wrong with a draft of a type, beside what is wrong for any."""
        del code, draft, window
        yield from ()

    def text(self, code: str, draft: ItemDraft) -> str:
        """The question as it is asked."""
        del code
        return draft.question

    @abstractmethod
    def answer(self, code: str, draft: ItemDraft, window: Window) -> Answer:
        """The answer of a draft without problems."""

    def _shape_problems(self, code: str, draft: ItemDraft, window: Window) -> Iterator[Problem]:
        """What no constraint could be applied to, or what has no place in this bank."""
        outside = sorted(set(draft.evidence) - window.places)
        if outside:
            said = f"evidence: expected rounds that are shown, got {', '.join(outside)}"
            yield Problem(DropReason.OUTSIDE_WINDOW, said)
        if not draft.evidence and code not in self.refused:
            yield shape_problem("evidence: expected at least one round, got none")
        if normalise(draft.question) in self._texts:
            yield Problem(DropReason.REPEATED, "question: expected one that was not asked yet")
        if code not in self.closed | self.refused and holds(draft.question, draft.answers[0]):
            said = "question: expected one that does not say its gold"
            yield Problem(DropReason.GOLD_IN_QUESTION, said)

    def keep(self, item: QAItem, draft: ItemDraft) -> None:
        """Take an item without problems into the bank."""
        self.items.append(item)
        self._texts.add(normalise(draft.question))

    def item(self, code: str, draft: ItemDraft, window: Window) -> QAItem:
        """The item of a draft; with a query if a single fact proves its gold."""
        number = sum(one.benchmark_type == code for one in self.items) + 1
        kind = self.kinds[code]
        places = sorted(dict.fromkeys(draft.evidence), key=natural_key)
        answer, query, evidence = self.answer(code, draft, window), None, Evidence.of(places)
        proof = self._proof(code, draft, places)
        if proof is not None:
            answer, query, evidence = proof
        return QAItem(
            id=record_id(self.bundle.id, f"{code}-{number:04d}"),
            conversation=self.bundle.id,
            question=QuestionText(text=self.text(code, draft)),
            answer=answer,
            answerable=code not in self.refused,
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
        if code not in self.by_fact or fact is None:
            return None
        return proof_by_fact(draft, fact, self.ledger, places, at=self.by_fact[code])


def shape_problem(said: str) -> Problem:
    """A draft lacks something, or has it in the wrong form."""
    return Problem(DropReason.MALFORMED, said)


def form_of(kind: QuestionKind, draft: ItemDraft) -> AnswerFormat:
    """The form of a draft's answer."""
    gold = draft.answers[0]
    if kind.format is not None:
        return kind.format
    if is_when(gold) and len(gold) == len("2024-03-14"):
        return AnswerFormat.DATE
    return AnswerFormat.NUMBER if _SPAN.fullmatch(gold) else AnswerFormat.FREE
