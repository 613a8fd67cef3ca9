"""Evaluates a memory on a release: recall, precision and hit by type, with intervals."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memassay.exports.scores.history_feeding import AttachedFiles, retrieve_all, rounds_found
from memassay.exports.scores.memories import Captions, MemorySystem
from memassay.exports.scores.memory_systems import (
    UNRANKED,
    RetrieverMemory,
    check_memory,
    evidence_rounds,
    memory_by_name,
    memory_name,
)
from memassay.exports.scores.retrieval_metrics import OURS, RETRIEVAL_METRICS
from memassay.exports.scores.score_summary import ScoreSummary, ScoreTally, TypeTallies
from memassay.schemas.base import Shape
from memassay.schemas.contracts.protocols import ReleaseReader
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.hardness import HardnessMeter
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

CUTOFFS: Final = (1, 3, 5, 10)
_NAMES: Final = ("recall", "precision", "hit")


class Breakdown(Shape):
    """One metric over all questions and by type.

    Attributes:
        overall: Over every question.
        by_type: By our type.
        by_benchmark_type: By the paper's own code; `collection/code` in a release that holds
            several collections.
        by_hardness: By the bands that `schemas.queries.hardness` cuts its measures into.
    """

    overall: ScoreSummary
    by_type: dict[str, ScoreSummary]
    by_benchmark_type: dict[str, ScoreSummary]
    by_hardness: dict[str, ScoreSummary]


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
        captions: What it was given as the captions of images.
        conversations: How many it was given.
        questions: How many it was asked; those without evidence are excluded from the means,
            except in the variant `mem-gallery`, which counts them as zero.
        scores: By variant and cutoff.
    """

    release: str
    version: str
    system: str
    captions: Captions
    conversations: int
    questions: int
    scores: list[RetrievalScores]


@dataclass(frozen=True)
class Labels:
    """What a score is grouped by: our type of a question, the paper's code, its hardness."""

    type: str
    benchmark_type: str
    bands: tuple[str, ...] = ()


class BreakdownTally:
    """One metric over questions that pass by."""

    def __init__(self) -> None:
        self._overall, self._types, self._codes = ScoreTally(), TypeTallies(), TypeTallies()
        self._bands = TypeTallies()

    def add(self, labels: Labels, score: float | None) -> None:
        """Take the score of a question; None excludes and counts it."""
        self._overall.add(score)
        self._types.add(labels.type, score)
        self._codes.add(labels.benchmark_type, score)
        for band in labels.bands:
            self._bands.add(band, score)

    def breakdown(self) -> Breakdown:
        """Means over everything and by both kinds of type."""
        codes = self._codes.summaries()
        if len({code.partition("/")[0] for code in codes}) == 1:
            codes = {code.partition("/")[2]: own for code, own in codes.items()}
        return Breakdown(
            overall=self._overall.summary(),
            by_type=self._types.summaries(),
            by_benchmark_type=codes,
            by_hardness=self._bands.summaries(),
        )


class RetrievalTally:
    """Scores of what was retrieved for questions that pass by."""

    def __init__(self, cutoffs: Sequence[int | None]) -> None:
        """Score nothing yet.

        Args:
            cutoffs: How many rounds count; None for all that was retrieved.
        """
        self._tables = {
            (variant, cutoff): {name: BreakdownTally() for name in _NAMES}
            for variant in RETRIEVAL_METRICS
            for cutoff in cutoffs
        }
        self._first, self._has_place = "", False

    def add(
        self, labels: Labels, rounds: Sequence[str] | None, groups: Sequence[Sequence[str]]
    ) -> None:
        """Score a question.

        Args:
            labels: What it is grouped by.
            rounds: What was retrieved, best first; None excludes it.
            groups: Its evidence.
        """
        for (variant, cutoff), tables in self._tables.items():
            score = None if rounds is None else RETRIEVAL_METRICS[variant](rounds, groups, cutoff)
            for name, table in tables.items():
                table.add(labels, None if score is None else float(getattr(score, name)))
        for place in rounds or ():
            self._first = self._first or place
            self._has_place = self._has_place or parse_place(place) is not None

    def check_places(self, what: str, fix: str) -> None:
        """Refuse finds that have ids of their own alone: every score of them would be 0.

        Raises:
            UsageError: None of the ids is one of a place in a history.
        """
        if self._first and not self._has_place:
            raise UsageError(
                f"{what}: expected ids of rounds of the history, such as 'D3:7', got "
                f"'{self._first}'; {fix}"
            )

    def scores(self, collections: Iterable[str]) -> list[RetrievalScores]:
        """By variant and cutoff; a variant that a collection has is for that one alone."""
        of = set(collections)
        return [
            RetrievalScores(
                variant=variant,
                cutoff=cutoff,
                **{name: table.breakdown() for name, table in tables.items()},
            )
            for (variant, cutoff), tables in self._tables.items()
            if variant == OURS or of == {variant}
        ]


def evaluate_retrieval(
    reader: ReleaseReader,
    system: str | MemorySystem,
    cutoffs: Sequence[int] = CUTOFFS,
    left_out: Collection[str] = (),
    captions: Captions | None = None,
) -> RetrievalReport:
    """Ask a memory for the rounds of every question of a release, and score them.

    The memory is given one conversation at a time and sees only the sessions up to the time of
    asking.

    Args:
        reader: An opened release.
        system: A memory, or the name of one (`memory_systems.memory_by_name`).
        cutoffs: How many rounds count. What does not rank is scored without a cutoff instead.
        left_out: Ids of questions that are not asked.
        captions: What it is given as the captions of images: by default what the history says of
            them, and nothing for a retriever of ours.

    Raises:
        UsageError: There is no such memory, a cutoff is below 1, or nothing that the memory
            finds says which round it is from.
    """
    check_cutoffs(cutoffs)
    memory = memory_by_name(system) if isinstance(system, str) else check_memory(system)
    ours = isinstance(memory, RetrieverMemory)
    unranked = ours and memory_name(memory) in UNRANKED
    captions = captions or (Captions.NONE if ours else Captions.PUBLIC)
    tally = RetrievalTally([None] if unranked else list(cutoffs))
    collections, questions = list[str](), 0
    with TemporaryDirectory(prefix="memassay-") as folder:
        for bundle in reader.bundles():
            collections.append(bundle.conversation.collection)
            items = [item for item in bundle.questions if item.id not in left_out]
            questions += len(items)
            top_k = len(bundle.round_by_id) if unranked else max(cutoffs)
            files = AttachedFiles(Path(folder), reader.blobs)
            records = retrieve_all(memory, bundle, items, top_k, files, captions)
            meter = HardnessMeter(bundle)
            for item in items:
                rounds = rounds_found(bundle, records[item.id])
                labels = labels_of(bundle, item, meter)
                tally.add(labels, rounds, evidence_rounds(bundle, item))
    tally.check_places(
        f"memory {memory_name(memory)}",
        "give `memory_id` or `rounds` of each RetrievalItem such ids",
    )
    return RetrievalReport(
        release=reader.manifest.name,
        version=reader.manifest.version,
        system=memory_name(memory),
        captions=captions,
        conversations=len(collections),
        questions=questions,
        scores=tally.scores(collections),
    )


def check_cutoffs(cutoffs: Sequence[int]) -> None:
    """Refuse cutoffs that make no sense before any work is done.

    Raises:
        UsageError: There is none, or one is below 1.
    """
    if not cutoffs or min(cutoffs) < 1:
        got = ", ".join(map(str, cutoffs))
        raise UsageError(f"cutoffs: expected whole numbers from 1, got '{got}'; for example 1,5,10")


def labels_of(bundle: Bundle, item: QAItem, meter: HardnessMeter) -> Labels:
    """What an item is grouped by; the collection is taken off later where it is the only one."""
    code = f"{bundle.conversation.collection}/{item.benchmark_type}"
    return Labels(item.type.value, code, tuple(meter.measure(item).bands()))


def breakdown(scored: Iterable[tuple[Labels, float | None]]) -> Breakdown:
    """Means over everything and by both kinds of type; None excludes and counts a question."""
    tally = BreakdownTally()
    for labels, score in scored:
        tally.add(labels, score)
    return tally.breakdown()
