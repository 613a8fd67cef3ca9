"""Recall, precision and hit of rounds, by type and hardness, with intervals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.scores.retrieval_metrics import OURS, RETRIEVAL_METRICS
from memassay.exports.scores.score_summary import ScoreSummary, ScoreTally, TypeTallies
from memassay.schemas.base import Shape
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

    @property
    def has_strange_ids_alone(self) -> bool:
        """Whether something was retrieved, and nothing of it has the id of a place."""
        return bool(self._first) and not self._has_place

    def check_places(self, what: str, fix: str) -> None:
        """Refuse finds that have ids of their own alone: every score of them would be 0.

        Raises:
            UsageError: None of the ids is one of a place in a history.
        """
        if self.has_strange_ids_alone:
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
