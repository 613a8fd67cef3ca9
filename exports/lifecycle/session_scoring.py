"""Scores what a memory wrote and held, session by session."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import TypeVar

from memassay.exports.lifecycle.feeding import MemoryTrace, SessionTrace
from memassay.exports.lifecycle.memories.wire import Entry, Found
from memassay.exports.lifecycle.points import Point
from memassay.exports.lifecycle.reading import EntryReader
from memassay.exports.lifecycle.scores import SessionScores
from memassay.exports.lifecycle.stage_metrics import (
    Interference,
    Update,
    Weighed,
    Writing,
    write_recall,
)
from memassay.schemas.contracts.calls import rough_tokens

Label = TypeVar("Label", bound=StrEnum)


def score_sessions(
    reader: EntryReader, trace: MemoryTrace, checkpoints: Collection[str]
) -> list[SessionScores]:
    """The scores of every session.

    Args:
        reader: Reads the entries.
        trace: What the memory did.
        checkpoints: Ids of the sessions after which questions are asked.
    """
    told: set[str] = set()
    scores = []
    for session in trace.sessions:
        told |= {point.id for point in reader.points.by_session.get(session.session, ())}
        known = frozenset(told)
        scores.append(
            _score_session(
                reader,
                session,
                known,
                is_checkpoint=session.session in checkpoints,
                has_failed=bool(trace.failure),
            )
        )
    return scores


def tokens_of(entries: Iterable[Entry | Found]) -> int:
    """About how many tokens some entries are."""
    return rough_tokens(sum(len(entry.text) for entry in entries))


def _score_session(
    reader: EntryReader,
    session: SessionTrace,
    told: frozenset[str],
    *,
    is_checkpoint: bool,
    has_failed: bool,
) -> SessionScores:
    points = reader.points.by_session.get(session.session, ())
    gold = [point for point in points if not point.is_interference]
    written = session.written or []
    covered = reader.said_by_any(written)
    held = reader.said_by_any(session.held or [])
    kept = session.held is not None
    # What has failed holds nothing, and has not put away what was deleted.
    is_lost = has_failed and not session.held

    def update(point: Point) -> Update:
        return Update.MISSING if is_lost else reader.update(point, held)

    lasting = _holding_changes(reader, session.session, told) if is_checkpoint and kept else []
    return SessionScores(
        session=session.session,
        points=len(gold),
        recall=_recall(gold, covered),
        recall_text=_recall([point for point in gold if not point.in_pixels], covered),
        recall_pixels=_recall([point for point in gold if point.in_pixels], covered),
        entries=len(written),
        written=_counts(Writing, (reader.writing(entry, told) for entry in written)),
        updates=_counts(
            Update,
            (update(point) for point in gold if point.fact.supersedes and kept),
        ),
        lasting=_counts(Update, map(update, lasting)),
        interference=_counts(
            Interference,
            (
                reader.interference(point, session.held or [])
                for point in points
                if point.is_interference and kept
            ),
        ),
        tokens=tokens_of(written),
        held_tokens=tokens_of(session.held or []),
    )


def _recall(points: Sequence[Point], covered: Collection[str]) -> float | None:
    return write_recall(Weighed(each.fact.importance, each.id in covered) for each in points)


def _holding_changes(reader: EntryReader, session: str, told: Collection[str]) -> list[Point]:
    """Changes that have been told and still hold; a deletion does while its thing is gone."""
    held = reader.points.held_after(session)
    return [
        point
        for point in reader.points.points
        if point.id in told
        and point.fact.supersedes
        and not point.is_interference
        and (point.id in held or reader.points.is_gone_after(point, session))
    ]


def _counts(kinds: Iterable[Label], labels: Iterable[Label]) -> dict[Label, int]:
    counted = Counter(labels)
    return {kind: counted[kind] for kind in kinds}
