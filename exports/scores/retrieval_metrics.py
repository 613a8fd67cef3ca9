"""Recall, precision and hit at a cutoff of ranked rounds against the evidence of a question.

Evidence is a list of groups; a group is a list of alternative rounds, any of which shows the same
thing. Mem-Gallery's and LoCoMo's lists of clues are one group of one round per clue.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from memassay.schemas.errors import UsageError

EvidenceGroups: TypeAlias = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class RetrievalScore:
    """How well a ranked list of rounds covers the evidence of one question.

    Attributes:
        recall: Share of evidence groups of which a round was retrieved, in [0, 1].
        precision: Share of retrieved rounds that are evidence, in [0, 1]; the denominator is what
            was retrieved, not the cutoff (Mem-Gallery A.5.4, equation 10).
        hit: 1 when any evidence was retrieved, else 0.
    """

    recall: float
    precision: float
    hit: float


RetrievalMetric: TypeAlias = Callable[
    [Sequence[str], EvidenceGroups, int | None], RetrievalScore | None
]


def _score(retrieved: Sequence[str], groups: EvidenceGroups) -> RetrievalScore:
    found = set(retrieved)
    evidence = {round_id for group in groups for round_id in group}
    covered = sum(1 for group in groups if not found.isdisjoint(group))
    relevant = sum(1 for round_id in retrieved if round_id in evidence)
    return RetrievalScore(
        recall=covered / len(groups),
        precision=relevant / len(retrieved) if retrieved else 0.0,
        hit=float(covered > 0),
    )


def _check_cutoff(cutoff: int | None) -> None:
    if cutoff is not None and cutoff < 1:
        raise UsageError(f"cutoff: expected at least 1, got '{cutoff}'; leave it out for no cutoff")


def score_retrieval(
    ranked: Sequence[str], groups: EvidenceGroups, cutoff: int | None
) -> RetrievalScore | None:
    """Score one ranked list (Mem-Gallery A.5.4, equations 9 to 11, over groups).

    Args:
        ranked: Round ids, best first; a repeated id keeps its first place and takes no second.
        groups: Evidence groups; none means the metric does not apply.
        cutoff: How many rounds count; None for all, as for a retriever that fills a context and
            does not rank.

    Returns:
        The score, or None for a question without evidence: it is to be excluded and counted, for
        nothing that a retriever returns could be right.

    Raises:
        UsageError: The cutoff is below 1, or a group has no round.
    """
    _check_cutoff(cutoff)
    if any(not group for group in groups):
        raise UsageError("evidence.groups: expected a round in every group, got an empty group")
    if not groups:
        return None
    return _score(list(dict.fromkeys(ranked))[:cutoff], groups)


def score_retrieval_as_mem_gallery(
    ranked: Sequence[str], groups: EvidenceGroups, cutoff: int | None
) -> RetrievalScore:
    """Score one ranked list as Mem-Gallery's ``calculate_retrieval_metrics`` does.

    It differs from `score_retrieval` and from the paper (whose Table 14 leaves answer refusal
    out): a question without evidence scores 0 and stays in the mean, so a perfect retriever only
    reaches the share of questions that have evidence; repeated ids are dropped after the cutoff;
    alternatives are unknown, every round of every group is wanted.

    Raises:
        UsageError: The cutoff is below 1.
    """
    _check_cutoff(cutoff)
    wanted = list(dict.fromkeys(round_id for group in groups for round_id in group))
    if not wanted:
        return RetrievalScore(recall=0.0, precision=0.0, hit=0.0)
    retrieved = list(dict.fromkeys(ranked[:cutoff]))
    return _score(retrieved, [[round_id] for round_id in wanted])


OURS: Final = "memassay"
"""The variant that fits every collection."""
RETRIEVAL_METRICS: Final[Mapping[str, RetrievalMetric]] = MappingProxyType(
    {OURS: score_retrieval, "mem-gallery": score_retrieval_as_mem_gallery}
)
"""Ways of scoring retrieval by variant name; all but `OURS` are for the collection of that name."""
