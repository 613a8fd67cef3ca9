"""Evaluates a memory on a release: recall, precision and hit by type, with intervals."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memassay.exports.scores.history_feeding import AttachedFiles, retrieve_all, rounds_found
from memassay.exports.scores.memories import MemorySystem
from memassay.exports.scores.memory_systems import (
    UNRANKED,
    RetrieverMemory,
    check_memory,
    evidence_rounds,
    memory_by_name,
    memory_name,
)
from memassay.exports.scores.retrieval_metrics import OURS, RETRIEVAL_METRICS, RetrievalScore
from memassay.exports.scores.score_summary import ScoreSummary, summarise, summarise_by_type
from memassay.schemas.base import Shape
from memassay.schemas.contracts.protocols import ReleaseReader
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

CUTOFFS: Final = (1, 3, 5, 10)


class Breakdown(Shape):
    """One metric over all questions and by type.

    Attributes:
        overall: Over every question.
        by_type: By our type.
        by_benchmark_type: By the paper's own code; `collection/code` in a release that holds
            several collections.
    """

    overall: ScoreSummary
    by_type: dict[str, ScoreSummary]
    by_benchmark_type: dict[str, ScoreSummary]


class RetrievalScores(Shape):
    """Retrieval at one cutoff.

    Attributes:
        variant: Way of scoring, a name of `RETRIEVAL_METRICS`.
        cutoff: How many rounds count; None for all that was retrieved.
        recall: Share of evidence groups found.
        precision: Share of retrieved rounds that are evidence.
        hit: Whether any evidence was found.
    """

    variant: str
    cutoff: int | None
    recall: Breakdown
    precision: Breakdown
    hit: Breakdown


class RetrievalReport(Shape):
    """What a memory finds on a release.

    Attributes:
        release: Name of the data set.
        version: Version of the release.
        system: Name of the memory.
        conversations: How many it was given.
        questions: How many it was asked; those without evidence are excluded from the means,
            except in the variant `mem-gallery`, which counts them as zero.
        scores: By variant and cutoff.
    """

    release: str
    version: str
    system: str
    conversations: int
    questions: int
    scores: list[RetrievalScores]


@dataclass(frozen=True)
class Labels:
    """What a score is grouped by: our type of a question, and the paper's code of it."""

    type: str
    benchmark_type: str


@dataclass(frozen=True)
class Retrieved:
    """One question with what was retrieved for it; None excludes it."""

    labels: Labels
    rounds: Sequence[str] | None
    groups: Sequence[Sequence[str]]


def evaluate_retrieval(
    reader: ReleaseReader,
    system: str | MemorySystem,
    cutoffs: Sequence[int] = CUTOFFS,
    left_out: Collection[str] = (),
) -> RetrievalReport:
    """Ask a memory for the rounds of every question of a release, and score them.

    The memory is given one conversation at a time and sees only the sessions up to the time of
    asking.

    Args:
        reader: An opened release.
        system: A memory, or the name of one (`memory_systems.memory_by_name`).
        cutoffs: How many rounds count. What does not rank is scored without a cutoff instead.
        left_out: Ids of questions that are not asked.

    Raises:
        UsageError: There is no such memory, a cutoff is below 1, or nothing that the memory
            finds says which round it is from.
    """
    check_cutoffs(cutoffs)
    memory = memory_by_name(system) if isinstance(system, str) else check_memory(system)
    unranked = isinstance(memory, RetrieverMemory) and memory.name in UNRANKED
    asked = [None] if unranked else list(cutoffs)
    found: list[Retrieved] = []
    collections = []
    with TemporaryDirectory(prefix="memassay-") as folder:
        for bundle in reader.bundles():
            collections.append(bundle.conversation.collection)
            items = [item for item in bundle.questions if item.id not in left_out]
            top_k = len(bundle.round_by_id) if unranked else max(cutoffs)
            files = AttachedFiles(Path(folder), reader.blobs)
            records = retrieve_all(memory, bundle, items, top_k, files)
            for item in items:
                rounds, groups = (
                    rounds_found(bundle, records[item.id]),
                    evidence_rounds(bundle, item),
                )
                found.append(Retrieved(labels_of(bundle, item), rounds, groups))
    check_places(
        f"memory {memory_name(memory)}",
        found,
        "give `memory_id` or `rounds` of each RetrievalItem such ids",
    )
    return RetrievalReport(
        release=reader.manifest.name,
        version=reader.manifest.version,
        system=memory_name(memory),
        conversations=len(collections),
        questions=len(found),
        scores=retrieval_scores(found, asked, collections),
    )


def check_places(what: str, found: Sequence[Retrieved], fix: str) -> None:
    """Refuse finds that have ids of their own alone: every score of them would be 0.

    Raises:
        UsageError: None of the ids is one of a place in a history.
    """
    rounds = [place for one in found for place in one.rounds or ()]
    if rounds and all(parse_place(place) is None for place in rounds):
        raise UsageError(
            f"{what}: expected ids of rounds of the history, such as 'D3:7', got "
            f"'{rounds[0]}'; {fix}"
        )


def check_cutoffs(cutoffs: Sequence[int]) -> None:
    """Refuse cutoffs that make no sense before any work is done.

    Raises:
        UsageError: There is none, or one is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        got = ", ".join(map(str, cutoffs))
        raise UsageError(f"cutoffs: expected whole numbers from 1, got '{got}'; for example 1,5,10")


def labels_of(bundle: Bundle, item: QAItem) -> Labels:
    """What an item is grouped by; the collection is taken off later where it is the only one."""
    return Labels(item.type.value, f"{bundle.conversation.collection}/{item.benchmark_type}")


def retrieval_scores(
    found: Sequence[Retrieved], cutoffs: Sequence[int | None], collections: Iterable[str]
) -> list[RetrievalScores]:
    """Scores by variant and cutoff; a variant that a collection has is for that one alone."""
    of = set(collections)
    variants = [name for name in RETRIEVAL_METRICS if name == OURS or of == {name}]
    rows = []
    for variant in variants:
        for cutoff in cutoffs:
            scored = [(one.labels, _score(one, variant, cutoff)) for one in found]
            parts = {name: _part(scored, name) for name in ("recall", "precision", "hit")}
            rows.append(RetrievalScores(variant=variant, cutoff=cutoff, **parts))
    return rows


def _score(one: Retrieved, variant: str, cutoff: int | None) -> RetrievalScore | None:
    if one.rounds is None:
        return None
    return RETRIEVAL_METRICS[variant](one.rounds, one.groups, cutoff)


def _part(scored: Sequence[tuple[Labels, RetrievalScore | None]], name: str) -> Breakdown:
    return breakdown(
        (labels, None if score is None else float(getattr(score, name))) for labels, score in scored
    )


def breakdown(scored: Iterable[tuple[Labels, float | None]]) -> Breakdown:
    """Means over everything and by both kinds of type; None excludes and counts a question."""
    rows = list(scored)
    alone = len({labels.benchmark_type.partition("/")[0] for labels, _ in rows}) == 1
    codes = [
        (labels.benchmark_type.partition("/")[2] if alone else labels.benchmark_type, score)
        for labels, score in rows
    ]
    return Breakdown(
        overall=summarise(score for _, score in rows),
        by_type=summarise_by_type((labels.type, score) for labels, score in rows),
        by_benchmark_type=summarise_by_type(codes),
    )
