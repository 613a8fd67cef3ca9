"""The question bank: drafts are executed, checked against their type's constraint, and kept.

The gold is never written down by a maker: it is what the query gives (M3Exam §2.2, question
bank synthesis; A.3 for the constraint of each type).
"""

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.bundle import Bundle
from memassay.schemas.civil_time import MONTHS, day_forms, start
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import record_id
from memassay.schemas.ledger import ValueType
from memassay.schemas.query import parse_query
from memassay.schemas.query_answers import answer_values
from memassay.schemas.query_evidence import evidence_of
from memassay.schemas.query_executor import Execution, execute
from memassay.schemas.query_ledger import Ledger
from memassay.schemas.question import (
    Answer,
    AnswerFormat,
    AnswerOption,
    AnswerRelation,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.taxonomy import CROSSWALK
from memassay.schemas.text import holds
from memassay.synth.casting import Randoms
from memassay.synth.drafts import Draft
from memassay.synth.history import History
from memassay.synth.material_questions import own_material
from memassay.synth.questions_choice import LETTERS, judgement, placed
from memassay.synth.questions_recall import implicit, multi_session, single_session, thematic
from memassay.synth.questions_time import temporal
from memassay.synth.questions_visual import find_matching, multimodal


def _matching(history: History, random: Random) -> Iterator[Draft]:
    yield from own_material(history, random)
    yield from find_matching(history, random)


MAKERS: Final[dict[str, Callable[[History, Random], Iterator[Draft]]]] = {
    "ss": single_session,
    "ms": multi_session,
    "tr": temporal,
    "mr": multimodal,
    "fm": _matching,
    "th": thematic,
    "fj": judgement,
    "ii": implicit,
}
"""Maker of drafts by M3Exam's code."""

FORMAT_PROMPTS: Final = {
    "fm": "Answer with the id of one image only.",
    "fj": "Answer with one letter only: A, B, C or D.",
    "th": "List the steps in order.",
    "tr": "Answer with a date as YYYY-MM-DD, or a number with its unit.",
}
_VISUAL: Final = frozenset({"mr", "fm"})
_PIXELS: Final = (Modality.DOCUMENT, Modality.IMAGE)
_ORDERED: Final = frozenset({"th"})


class QuestionBank:
    """Makes the questions of one history; `shortfalls` says what could not be made."""

    def __init__(self, history: History, randoms: Randoms) -> None:
        """Take a told history."""
        self.history = history
        self.bundle: Bundle = history.bundle
        self.ledger = Ledger(history.bundle)
        self.randoms = randoms
        self.items: list[QAItem] = []
        self.shortfalls: dict[str, int] = {}
        self._texts: set[str] = set()
        self._letters: list[str] = []
        self._spoken = [turn.text for turn in self.bundle.conversation.turns()]

    def make(self, wanted: Mapping[str, int]) -> list[QAItem]:
        """The questions, so many of each type as far as the history holds them."""
        for code in MAKERS:
            target = wanted.get(code, 0)
            made = self._of_type(code, target) if target else 0
            if made < target:
                self.shortfalls[code] = target - made
        return self.items

    def _of_type(self, code: str, target: int) -> int:
        used: dict[str, int] = {}
        made = 0
        drafts = list(MAKERS[code](self.history, self.randoms("questions", code)))
        if code in {"ss", "th", "ii"}:
            drafts = self.randoms("choice", code).sample(drafts, len(drafts))
        # First only drafts about facts no other question of the type is about.
        for limit in (1, 2, 3):
            for draft in drafts:
                if made == target:
                    return made
                if max((used.get(fact, 0) for fact in draft.about), default=0) >= limit:
                    continue
                item = self._item(self._with_letter(draft))
                if item is not None:
                    self._letters = self._letters[: -1 if item.answer.options else None]
                    self._texts.add(item.question.text)
                    self.items.append(item)
                    made += 1
                    for fact in draft.about:
                        used[fact] = used.get(fact, 0) + 1
        return made

    def _with_letter(self, draft: Draft) -> Draft:
        """A choice with its letter: each of the four in every run of four accepted items."""
        if draft.format is not AnswerFormat.CHOICE:
            return draft
        random = self.randoms("letters", str(len(self.items)))
        self._letters = self._letters or random.sample(LETTERS, len(LETTERS))
        return placed(draft, self._letters[-1], random)

    def _item(self, draft: Draft) -> QAItem | None:
        """The item of a draft; None if its query does not prove a fit answer."""
        if draft.text in self._texts:
            return None
        ledger = self.ledger
        usual = _PIXELS if draft.code in _VISUAL else (Modality.TEXT,)
        modalities = list(draft.modalities or usual)
        several = draft.code == "ms" and draft.query["op"] == "get"
        relation = (
            AnswerRelation.ORDERED if draft.code in _ORDERED or several else AnswerRelation.ONE
        )
        try:
            execution = execute(parse_query(draft.query), ledger, relation=relation)
            values = answer_values(execution, draft.format)
            evidence = evidence_of(execution, ledger, modalities=modalities)
        except QueryError:
            return None
        if not self._fits(draft, values, evidence) or self._seen_elsewhere(evidence):
            return None
        number = len(self.items) + 1
        return QAItem(
            id=record_id(self.bundle.id, f"Q{number:04d}"),
            conversation=self.bundle.id,
            question=QuestionText(text=draft.text),
            answer=self._answer(draft, execution, values, relation),
            modalities=modalities,
            evidence=evidence,
            type=CROSSWALK["m3exam"][draft.code],
            benchmark_type=draft.code,
            query=draft.query,
            origin=ItemOrigin.MACHINE,
            format_prompt=FORMAT_PROMPTS.get(draft.code),
        )

    def _fits(self, draft: Draft, values: list[str], evidence: Evidence) -> bool:
        """Whether an item meets the constraint that defines its type (M3Exam A.3)."""
        places = evidence.canonical
        sessions = {place.partition(":")[0] for place in places}
        closed = draft.format in {AnswerFormat.CHOICE, AnswerFormat.IMAGE_ID}
        if not closed and any(holds(draft.text, value) for value in values):
            return False
        if draft.code == "ss":
            return len(places) == 1
        if draft.code == "ms":
            return len(sessions) >= 2
        if draft.code == "mr":
            return not any(holds(text, value) for value in values for text in self._near(places))
        if draft.code == "ii":
            return len(places) >= 2 and not any(
                holds(text, value) for value in values for text in self._spoken
            )
        return True

    def _seen_elsewhere(self, evidence: Evidence) -> bool:
        """Whether a fact can also be seen, in any modality, where the evidence does not point."""
        places = {place for group in evidence.groups for place in group}
        return any(
            mention.round not in places and mention.attachment not in places
            for fact in evidence.facts
            for mention in self.history.mentions.get(fact, ())
        )

    def _near(self, places: list[str]) -> list[str]:
        """What is said in some rounds."""
        return [t.text for place in places for r in self.bundle.rounds_of(place) for t in r.turns]

    def _answer(
        self, draft: Draft, execution: Execution, values: list[str], relation: AnswerRelation
    ) -> Answer:
        dates = draft.format is AnswerFormat.DATE
        return Answer(
            format=draft.format,
            values=values,
            relation=relation,
            equivalents=[form for value in values for form in day_forms(value)] if dates else [],
            coarser=list(draft.coarser) or _coarser(execution, draft),
            competitors=list(draft.competitors),
            options=[AnswerOption(label=label, text=said) for label, said in draft.options],
        )


def _coarser(execution: Execution, draft: Draft) -> list[str]:
    """A date's month, or a number without its unit, is a coarser answer."""
    if draft.format is AnswerFormat.DATE:
        moment = start(execution.values[0])
        return [f"{MONTHS[moment.month - 1]} {moment.year}"]
    if execution.value_type is ValueType.NUMBER and execution.unit:
        return [execution.values[0]]
    return []
