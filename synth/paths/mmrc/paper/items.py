"""From a proposed question of an ability to an item: shape, answer, query if one fact gives it."""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mmrc import TYPES
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.judgements.bank import DropReason
from memassay.schemas.queries.answers import REFUSAL
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
from memassay.schemas.values.text import holds, normalise
from memassay.synth.extraction.proposals import Checked, Problem, Proof, proof_by_fact
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.paths.mmrc.abilities.forms import TRUTH
from memassay.synth.paths.mmrc.deck import LETTERS, Asked

_REFUSED, _RECALLED, _JOINED, _PICTURES, _UPDATED = "AR", "MR", "CR", "IM", "IU"
_BY_FACT: Final = frozenset({"IE", "IU", "IM", "MR"})
"""Abilities of which one fact can give the gold."""


class AbilityItems:
    """Checks drafts of one dialogue and makes items of those that fit.

    Attributes:
        items: What was kept.
    """

    def __init__(self, bundle: Bundle) -> None:
        """Take the dialogue with its ledger."""
        self.bundle = bundle
        self.ledger = Ledger(bundle)
        self.items: list[QAItem] = []
        self._facts = {fact.id.partition("/")[2]: fact for fact in bundle.facts}
        self._places = {one.id for one in bundle.conversation.rounds()}
        self._shown = {one.id for _, one in bundle.conversation.attachments()}

    def candidate(self, asked: Asked, draft: ItemDraft) -> Checked:
        """The item of a draft, and what is wrong with it; it is not kept yet."""
        problems = list(self._problems(asked, draft))
        return (None, problems) if problems else (self._item(asked, draft), [])

    def _problems(self, asked: Asked, draft: ItemDraft) -> Iterator[Problem]:
        outside = sorted(set(draft.evidence) - self._places)
        if outside:
            said = f"evidence: expected rounds that are shown, got {', '.join(outside)}"
            yield Problem(DropReason.OUTSIDE_WINDOW, said)
        least = {_REFUSED: 0, _JOINED: 2}.get(asked.code, 1)
        count = len(set(draft.evidence))
        if count < least or (asked.code == _REFUSED and count):
            expected = "none" if asked.code == _REFUSED else f"{least} rounds or more"
            yield _shape_problem(f"evidence: expected {expected}, got {count}")
        if any(normalise(draft.question) == normalise(one.question.text) for one in self.items):
            yield Problem(DropReason.REPEATED, "question: expected one that was not asked yet")
        if asked.form == "open" and asked.code != _REFUSED:
            yield from self._open_problems(asked, draft)
        yield from _closed_problems(asked, draft)

    def _open_problems(self, asked: Asked, draft: ItemDraft) -> Iterator[Problem]:
        values = _values(draft)
        if any(holds(draft.question, value) for value in values):
            said = "question: expected one that does not say its gold"
            yield Problem(DropReason.GOLD_IN_QUESTION, said)
        named = [value for value in values if value in self._shown]
        if asked.code == _PICTURES and named and len(named) < len(values):
            known = ", ".join(sorted(self._shown, key=natural_key))
            yield _shape_problem(f"answers: expected ids of pictures alone ({known}), got {values}")

    def _item(self, asked: Asked, draft: ItemDraft) -> QAItem:
        places = sorted(dict.fromkeys(draft.evidence), key=natural_key)
        answer, query, evidence = self._answer(asked, draft), None, Evidence.of(places)
        modality = Modality.IMAGE if asked.code == _PICTURES else Modality.TEXT
        proof = self._proof(asked, draft, places, modality)
        if proof is not None:
            answer, query, evidence = proof
        return QAItem(
            id=record_id(self.bundle.id, asked.code),
            conversation=self.bundle.id,
            question=QuestionText(text=draft.question),
            answer=answer,
            answerable=asked.code != _REFUSED,
            modalities=[modality],
            evidence=evidence,
            type=TYPES[asked.code].type,
            benchmark_type=asked.code,
            query=query,
            twin_of=self._twin() if asked.code == _REFUSED else None,
            origin=ItemOrigin.MACHINE,
        )

    def _twin(self) -> str | None:
        """A question of the dialogue that can be answered, one for a detail if there is one."""
        recalled = [one for one in self.items if one.benchmark_type == _RECALLED]
        return next((one.id for one in [*recalled, *self.items]), None)

    def _proof(
        self, asked: Asked, draft: ItemDraft, places: Sequence[str], modality: Modality
    ) -> Proof | None:
        fact = self._facts.get(draft.fact)
        if asked.code not in _BY_FACT or asked.form != "open" or fact is None or draft.steps:
            return None
        at = "end" if asked.code == _UPDATED else ""
        return proof_by_fact(draft, fact, self.ledger, places, [modality], at)

    def _answer(self, asked: Asked, draft: ItemDraft) -> Answer:
        if asked.code == _REFUSED:
            return Answer(format=AnswerFormat.REFUSAL, values=[REFUSAL])
        if asked.form == "choice":
            right = LETTERS[draft.options.index(draft.answers[0])]
            options = zip(LETTERS, draft.options, strict=True)
            return _closed_answer(right, options)
        if asked.form == "true_false":
            return _closed_answer(draft.answers[0], ((label, label) for label, _ in TRUTH))
        values = _values(draft)
        pictures = asked.code == _PICTURES and set(values) <= self._shown
        return Answer(
            format=AnswerFormat.IMAGE_ID if pictures else AnswerFormat.FREE,
            values=values,
            relation=AnswerRelation.ALL if draft.steps or pictures else AnswerRelation.ONE,
            coarser=[] if draft.steps or pictures else draft.answers[1:],
        )


def _values(draft: ItemDraft) -> list[str]:
    """The gold of an open question: the items of a list, or one value."""
    return list(dict.fromkeys(draft.steps)) or [draft.answers[0]]


def _closed_answer(right: str, options: Iterator[tuple[str, str]]) -> Answer:
    return Answer(
        format=AnswerFormat.CHOICE,
        values=[right],
        options=[AnswerOption(label=label, text=text) for label, text in options],
    )


def _closed_problems(asked: Asked, draft: ItemDraft) -> Iterator[Problem]:
    gold = draft.answers[0]
    if asked.form == "choice":
        if len({normalise(one) for one in draft.options}) != len(LETTERS):
            yield _shape_problem(f"options: expected four different texts, got {draft.options}")
        elif gold not in draft.options:
            yield _shape_problem(f"answers: expected the text of an option first, got {gold!r}")
    if asked.form == "true_false" and gold not in {label for label, _ in TRUTH}:
        yield _shape_problem(f"answers: expected True or False, got {gold!r}")


def _shape_problem(said: str) -> Problem:
    return Problem(DropReason.MALFORMED, said)
