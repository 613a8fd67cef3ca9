"""The question bank: drafts are executed, checked against their type's constraint, and kept.

The gold is never written down by a maker: it is what the query gives (M3Exam §2.2, question
bank synthesis). What is dropped is counted by reason.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memassay.schemas.benchmarks.constraints import LETTERS, SaidAndShown, breaches
from memassay.schemas.errors import MalformedQueryError, QueryError
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.bank import BankTally, Dropped, DropReason, tally_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import (
    AnswerFormat,
    AnswerRelation,
    Evidence,
    QAItem,
)
from memassay.schemas.values.text import holds
from memassay.synth.questions.choice import place_options
from memassay.synth.questions.drafts import Draft, Ladder, Option
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.questions.leanings import CHANCE, Leanings
from memassay.synth.questions.proving import CLOSED, proven_item
from memassay.synth.questions.windows import window
from memassay.synth.world.grammar import Randoms

_EXAMPLES: Final = 3
_LETTERS: Final = "letters"


class _Drop(Exception):
    """A draft is dropped, for a reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass
class _Pile:
    """The items of one type so far, and why drafts were dropped.

    Attributes:
        items: What was kept.
        kept: Positions of their drafts.
        used: How many items each fact is in.
        joined: Several facts that one item joins.
        texts: Questions kept.
        dealt: How many letters, and how many ranks of each kind, were dealt.
        dropped: By position of a draft, the reason and the draft with what was wrong.
    """

    items: list[QAItem] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)
    used: dict[str, int] = field(default_factory=dict)
    joined: set[frozenset[str]] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)
    dealt: Counter[str] = field(default_factory=Counter)
    dropped: dict[int, tuple[str, str]] = field(default_factory=dict)

    def keep(self, position: int, draft: Draft, item: QAItem) -> None:
        """Take in the item of the draft at a position."""
        self.items.append(item)
        self.kept.add(position)
        self.texts.add(item.question.text)
        if item.answer.options:
            self.dealt.update(_quotas(draft))
        for fact in draft.about:
            self.used[fact] = self.used.get(fact, 0) + 1
        if len(draft.about) > 1:
            self.joined.add(frozenset(draft.about))

    def takes(self, position: int, draft: Draft, limit: int) -> bool:
        """Whether the draft at a position is new: its facts are in fewer items than the limit."""
        if position in self.kept or position in self.dropped:
            return False
        if frozenset(draft.about) in self.joined:
            return False
        return max((self.used.get(one, 0) for one in draft.about), default=0) < limit

    def tally(self, conversation: str, code: str, target: int) -> BankTally:
        """What was made and dropped."""
        by_reason: dict[str, list[str]] = {}
        for _, (reason, example) in sorted(self.dropped.items()):
            by_reason.setdefault(reason, []).append(example)
        return BankTally(
            id=tally_id(conversation, code),
            conversation=conversation,
            code=code,
            wanted=target,
            kept=len(self.items),
            dropped=[
                Dropped(reason=reason, drafts=len(found), examples=found[:_EXAMPLES])
                for reason, found in sorted(by_reason.items())
            ],
        )


class QuestionBank:
    """Makes the questions of one history.

    A type's items depend on the history and on nothing else: not on other types, and a larger
    target only adds to them.
    """

    def __init__(
        self,
        history: History,
        randoms: Randoms,
        kinds: Mapping[str, QuestionKind],
        leanings: Leanings = CHANCE,
    ) -> None:
        """Take a written history, the types of question by code, and what is preferred."""
        self.history = history
        self.leanings = leanings
        self.bundle: Bundle = history.bundle
        self.ledger = history.ledger
        self.names = Names(history.bundle, self.ledger)
        self.randoms = randoms
        self.kinds = kinds
        self.seen = SaidAndShown(history.bundle)

    def takes(self, _draft: Draft) -> bool:
        """Whether a draft is tried; every one is."""
        return True

    def name_of(self, code: str, number: int) -> str:
        """What an item is called in its conversation."""
        return f"{code}-{number:04d}"

    def of_type(self, code: str, target: int) -> tuple[list[QAItem], BankTally]:
        """At most so many questions of one type, and what was dropped on the way."""
        pile, kind = _Pile(), self.kinds[code]
        made = [
            draft
            for draft in kind.maker(self.history, self.randoms("questions", code))
            if self.takes(draft)
        ]
        drafts = self.leanings.order(made, self.history, self.randoms("preferred", code))
        pile.dropped.update(_one_sided(drafts))
        # First only drafts about facts that no other question of the type is about.
        for limit in range(kind.limit, kind.most + 1):
            # A draft that cannot have the rank that is due may have the next one.
            while self._keep_drafts(pile, kind, drafts, target, limit):
                continue
        return pile.items, pile.tally(self.bundle.id, code, target)

    def _keep_drafts(
        self, pile: _Pile, kind: QuestionKind, drafts: list[Draft], target: int, limit: int
    ) -> bool:
        """Go once over the drafts; whether any of them was kept."""
        before = len(pile.items)
        for position, draft in enumerate(drafts):
            if len(pile.items) == target:
                break
            if pile.takes(position, draft, limit):
                self._try(pile, position, kind, draft)
        return len(pile.items) > before

    def _try(self, pile: _Pile, position: int, kind: QuestionKind, draft: Draft) -> None:
        """Keep the item of a draft, or note why there is none; or leave it for another rank."""
        dealt = self._deal(pile, kind, draft)
        if dealt is None:
            return
        try:
            if dealt.text in pile.texts:
                raise _Drop(DropReason.REPEATED, "asked already")
            pile.keep(position, dealt, self._item(kind, dealt, len(pile.items) + 1))
        except _Drop as drop:
            pile.dropped[position] = (drop.reason, f"{dealt.text} ({drop})")

    def _deal(self, pile: _Pile, kind: QuestionKind, draft: Draft) -> Draft | None:
        """A choice with its letter, and wrong options that give a number or date its rank.

        Of letters and ranks, each of the four is dealt once in every run of four kept items.
        None if the draft has no options for the rank that is due.
        """
        if draft.format is not AnswerFormat.CHOICE:
            return draft
        if draft.ladder is not None:
            rank = self._due(pile, kind, draft.ladder.quota)
            wrong = _around(draft.ladder, rank)
            if wrong is None:
                return None
            draft = replace(draft, options=(*draft.options, *wrong))
        letter = LETTERS[self._due(pile, kind, _LETTERS)]
        random = self.randoms("options", kind.code, str(len(pile.items)))
        return place_options(draft, letter, random)

    def _due(self, pile: _Pile, kind: QuestionKind, quota: str) -> int:
        """Which of the four is dealt next; a run of four is drawn up front."""
        run, at = divmod(pile.dealt[quota], len(LETTERS))
        random = self.randoms("dealt", kind.code, quota, str(run))
        return random.sample(range(len(LETTERS)), len(LETTERS))[at]

    def _item(self, kind: QuestionKind, draft: Draft, number: int) -> QAItem:
        """The item of a draft.

        Raises:
            _Drop: Its query does not prove a fit answer.
        """
        modalities = list(draft.modalities or kind.modalities)
        name = record_id(self.bundle.id, self.name_of(kind.code, number))
        try:
            told = self._rounds_telling(draft)
            item = proven_item(draft, name, kind.code, kind.type, modalities, self.ledger, told)
        except MalformedQueryError as error:
            raise _Drop(DropReason.MALFORMED, str(error)) from error
        except QueryError as error:
            raise _Drop(DropReason.UNPROVEN, str(error)) from error
        item = item.model_copy(update={"format_prompt": kind.format_prompt})
        self._check(kind, draft, item)
        wording = wording_of(item, parse_query(draft.query), self.names)
        return item.model_copy(update={"wording": wording})

    def _rounds_telling(self, draft: Draft) -> list[frozenset[str]]:
        """The rounds that tell what a draft describes."""
        things = self.history.things
        return [
            group for one in draft.references for group in things.rounds_telling(one.description)
        ]

    def _check(self, kind: QuestionKind, draft: Draft, item: QAItem) -> None:
        """Refuse an item that its type's constraint, its window or its own words forbid."""
        for constraint, breach in breaches(kind.constraints, self.seen, item):
            raise _Drop(constraint.id, f"expected {breach.expected}, got {breach.got}")
        values = item.answer.values
        # The question lists what is to be put in order.
        shown = draft.format in CLOSED or item.answer.relation is AnswerRelation.ORDERED
        if not shown and any(holds(draft.text, value) for value in values):
            raise _Drop(DropReason.GOLD_IN_QUESTION, ", ".join(values))
        self._check_window(kind, draft, item)
        elsewhere = self._seen_elsewhere(item.evidence)
        if elsewhere:
            raise _Drop(DropReason.SEEN_ELSEWHERE, elsewhere)

    def _check_window(self, kind: QuestionKind, draft: Draft, item: QAItem) -> None:
        """Refuse an item whose evidence no window of its type holds, unless it is of a series."""
        if draft.whole:
            return
        random = self.randoms("window", kind.code, draft.text)
        anchors = [place for name in draft.about for place in self.history.anchors(name)]
        shown = window(kind.window, self.bundle.conversation, anchors, random)
        outside = [one for one in self.seen.rounds(item.evidence.canonical) if one not in shown]
        if outside:
            raise _Drop(DropReason.OUTSIDE_WINDOW, ", ".join(outside))

    def _seen_elsewhere(self, evidence: Evidence) -> str:
        """A round where a fact can also be seen, in any modality, though the evidence omits it.

        What a round repeats that is needed in any case may have been said before.
        """
        places = {place for group in evidence.groups for place in group}
        needed = {group[0] for group in evidence.groups if len(group) == 1}
        for fact in evidence.facts:
            mentions = self.history.mentions.get(fact, ())
            repeated = {one.modality for one in mentions if one.round in needed}
            for mention in mentions:
                cited = mention.round in places or mention.attachment in places
                if not cited and mention.modality not in repeated:
                    return mention.round
        return ""


def _one_sided(drafts: Sequence[Draft]) -> dict[int, tuple[str, str]]:
    """By position, choices of a quota whose drafts cannot hold all ranks: the others would tell."""
    held: dict[str, set[int]] = {}
    for draft in drafts:
        if draft.ladder is not None:
            ranks = {rank for rank in range(len(LETTERS)) if _around(draft.ladder, rank)}
            held.setdefault(draft.ladder.quota, set()).update(ranks)
    return {
        at: (DropReason.ONE_SIDED, f"{draft.text} (no rank but {sorted(ranks)})")
        for at, draft in enumerate(drafts)
        if draft.ladder and len(ranks := held[draft.ladder.quota]) < len(LETTERS)
    }


def _around(ladder: Ladder, rank: int) -> tuple[Option, ...] | None:
    return ladder.around(rank, len(LETTERS) - 1)


def _quotas(draft: Draft) -> list[str]:
    """Of what a kept choice took its share."""
    return [_LETTERS, *([draft.ladder.quota] if draft.ladder else [])]
