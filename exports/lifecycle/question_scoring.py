"""Scores what a memory found for questions, and where what was not found was lost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.lifecycle.feeding import MemoryTrace, rounds_found
from memassay.exports.lifecycle.memories.wire import Found
from memassay.exports.lifecycle.points import Point
from memassay.exports.lifecycle.ranking_metrics import (
    CUTOFFS,
    FoundItem,
    GoldPoint,
    Matches,
    ndcg_as_coded,
    ndcg_as_printed,
    recall_at,
    soft_match,
)
from memassay.exports.lifecycle.reading import EntryReader
from memassay.exports.lifecycle.scores import QuestionScores, RankScores
from memassay.exports.lifecycle.session_scoring import tokens_of
from memassay.exports.scores.evidence import evidence_rounds
from memassay.exports.scores.retrieval_tally import labels_of
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

WRITE: Final = "write"
MAINTAIN: Final = "maintain"
RETRIEVE: Final = "retrieve"


@dataclass(frozen=True)
class _Case:
    """A question with what it rests on and what was found for it."""

    item: QAItem
    seen: Sequence[str]
    points: Sequence[Point]
    groups: Sequence[Sequence[str]]
    found: Sequence[Found]


class QuestionScorer:
    """Scores the questions of one conversation."""

    def __init__(self, bundle: Bundle, reader: EntryReader, trace: MemoryTrace) -> None:
        """Take a conversation and what a memory did with it."""
        self._bundle, self._reader, self._trace = bundle, reader, trace
        self._meter = HardnessMeter(bundle)
        self._at = {
            session.id: at for at, session in enumerate(bundle.conversation.sessions, start=1)
        }
        self._written = self._written_until()
        self._sessions_of = _sessions_of_ids(trace)

    def score(self, item: QAItem) -> QuestionScores:
        """The scores of a question."""
        points = self._reader.points
        case = _Case(
            item,
            [session.id for session in self._bundle.sessions_before(item)],
            [points.by_id[name] for name in item.evidence.facts if name in points.by_id],
            evidence_rounds(self._bundle, item),
            self._trace.finds[item.id].items,
        )
        strict = self._matches(case)
        covered = set().union(*strict)
        golds = len(case.points or case.groups)
        answerable = self._is_answerable(case, strict)
        labels = labels_of(self._bundle, item, self._meter)
        last = max((self._at[point.session] for point in case.points), default=None)
        return QuestionScores(
            id=item.id,
            type=labels.type,
            benchmark_type=labels.benchmark_type,
            bands=list(labels.bands),
            rounds=rounds_found(self._bundle, case.found),
            groups=[list(group) for group in case.groups],
            golds=golds,
            ranks=self._ranks(case, strict, golds),
            coverage=len(covered) / golds if golds else None,
            answerable=answerable,
            lost_at="" if answerable in {True, None} else self._stage(case, covered),
            asked_after=len(case.seen),
            distance=None if last is None else len(case.seen) - last,
            in_pixels=any(point.in_pixels for point in case.points),
            after_failure=self._rests_on_failure(case),
            unknown_ids=sum(not self._is_known(found) for found in case.found),
            tokens=tokens_of(case.found),
        )

    def _matches(self, case: _Case) -> list[set[int]]:
        """Of every find, which golds it is, strictly."""
        if case.points:
            return [
                {at for at, point in enumerate(case.points) if self._reader.shows(found, point)}
                for found in case.found
            ]
        return [
            {at for at, group in enumerate(case.groups) if self._reader.is_from(found, group)}
            for found in case.found
        ]

    def _soft_matches(self, case: _Case) -> list[set[int]]:
        """The same, as upstream's code has it."""
        golds = [GoldPoint(one.id, one.content, one.session) for one in case.points]
        if not golds:
            shown = [group[0] for group in case.groups]
            golds = [GoldPoint(name, "", name.partition(":")[0]) for name in shown]
        return [
            {at for at, gold in enumerate(golds) if soft_match(self._as_upstream(found), gold)}
            for found in case.found
        ]

    def _as_upstream(self, found: Found) -> FoundItem:
        """A find with the sessions that upstream would take it to be from."""
        sessions = {self._sessions_of[name] for name in found.ids if name in self._sessions_of}
        for name, (turn, _) in self._bundle.attachment_by_id.items():
            if name in found.text or name in self._reader.images_of(found):
                sessions.add(turn.id.partition(":")[0])
        ids = (*found.ids, found.image) if found.image else found.ids
        return FoundItem(found.text, ids, frozenset(sessions))

    def _ranks(self, case: _Case, strict: Matches, golds: int) -> RankScores:
        soft = self._soft_matches(case)
        return RankScores(
            recall_strict={str(k): recall_at(strict, golds, k) for k in CUTOFFS},
            recall_soft={str(k): recall_at(soft, golds, k) or 0.0 for k in CUTOFFS},
            ndcg_printed={str(k): ndcg_as_printed(soft, golds, k) for k in CUTOFFS},
            ndcg_coded={str(k): ndcg_as_coded(soft, golds, k) for k in CUTOFFS},
            ndcg_strict={
                str(k): ndcg_as_printed(strict, golds, k) if golds else None for k in CUTOFFS
            },
        )

    def _is_answerable(self, case: _Case, strict: Matches) -> bool | None:
        """Whether what was found can give the right answer: a ceiling, not an answer.

        Nothing stale or false of the same subject and attribute may come before the last point
        that is needed. None for a refusal, unless the ledger says what would tempt: then nothing
        of it may be found.
        """
        if self._trace.failure and not case.found:
            return False
        if not case.points and not case.groups:
            return self._withstands(case)
        needed = range(len(case.points or case.groups))
        firsts = [
            next((at for at, own in enumerate(strict) if gold in own), None) for gold in needed
        ]
        if None in firsts:
            return False
        last = max(at for at in firsts if at is not None)
        rivals = self._reader.points.rivals(case.points, case.seen)
        before = case.found[:last]
        return not any(
            point.id in self._reader.said_by(one.text) for one in before for point in rivals
        )

    def _withstands(self, case: _Case) -> bool | None:
        tempting = [
            point
            for point in self._reader.points.points
            if point.is_interference
            and not set(point.rounds).isdisjoint(_rounds(case.item.decoys, self._bundle))
        ]
        if not tempting:
            return None
        said = self._reader.said_by_any(case.found)
        return said.isdisjoint(point.id for point in tempting)

    def _stage(self, case: _Case, covered: set[int]) -> str:
        """The first stage that lost what the answer needs; nothing where the memory shows none."""
        if not case.points and not case.groups:
            return MAINTAIN  # it held a false claim, and found it
        at = len(case.seen) - 1
        regular = case.seen == [one.session for one in self._trace.sessions[: at + 1]]
        if not case.points or at < 0 or not regular:
            return RETRIEVE
        session = self._trace.sessions[at]
        missing = [point for n, point in enumerate(case.points) if n not in covered]
        if session.written is not None and any(one.id not in self._written[at] for one in missing):
            return WRITE
        if session.held is None:
            return RETRIEVE
        held = self._reader.said_by_any(session.held)
        if any(point.id not in held for point in missing):
            return MAINTAIN
        if missing:
            return RETRIEVE
        # All was found, and something stale or false before it, which should no longer be held.
        return MAINTAIN

    def _written_until(self) -> list[frozenset[str]]:
        """After each session, the points that have ever been written."""
        so_far = frozenset[str]()
        found = []
        for session in self._trace.sessions:
            so_far |= self._reader.said_by_any(session.written or [])
            found.append(so_far)
        return found

    def _rests_on_failure(self, case: _Case) -> bool:
        rounds = {name for group in case.groups for name in group}
        turns = (
            turn
            for name in rounds
            if name in self._bundle.round_by_id
            for turn in self._bundle.round_by_id[name].turns
        )
        return any(turn.action is not None and turn.action.ok is False for turn in turns)

    def _is_known(self, found: Found) -> bool:
        """Whether a find names a place of the history, or a point."""
        own = {*found.ids, *found.rounds, *self._reader.images_of(found)}
        return any(
            name in self._reader.points.by_id or self._bundle.rounds_of(name) for name in own
        )


def _rounds(places: Sequence[str], bundle: Bundle) -> set[str]:
    return {round_.id for place in places for round_ in bundle.rounds_of(place)}


def _sessions_of_ids(trace: MemoryTrace) -> Mapping[str, str]:
    """By id of something held, the session that the memory says it is from."""
    return {
        name: entry.session
        for session in trace.sessions
        for entry in session.held or ()
        for name in entry.ids
        if entry.session
    }
