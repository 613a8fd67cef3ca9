"""What a memory wrote and kept, in numbers (WorldMemArena B.2).

Every metric is of one instance, a conversation; means over instances come after it. None means
that the instance has nothing to measure it on.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from statistics import fmean
from typing import Final, NamedTuple


class Writing(StrEnum):
    """What something that was written is; the paper's text calls the third `error`."""

    CORRECT = "correct"
    HALLUCINATION = "hallucination"
    IRRELEVANT = "irrelevant"


class Update(StrEnum):
    """What a memory holds of a fact that has changed.

    `missing`, neither the new nor the old, is ours; the paper does not say what it is.
    """

    UPDATED = "updated"
    BOTH = "both"
    OUTDATED = "outdated"
    MISSING = "missing"


class Interference(StrEnum):
    """What a memory holds of a claim that it should not hold.

    `flagged`, held as what it was (a joke, a quotation), is ours; the paper counts it as memorised.
    """

    REJECTED = "rejected"
    MEMORISED = "memorised"
    FLAGGED = "flagged"


class Verdict(StrEnum):
    """What an answer is (equations 5 to 7)."""

    CORRECT = "correct"
    HALLUCINATION = "hallucination"
    OMISSION = "omission"


class Weighed(NamedTuple):
    """A gold point: its importance, and whether something that was written says it."""

    importance: float
    covered: bool


_CREDITS: Final = {Update.UPDATED: 1.0, Update.BOTH: 0.5}


def write_recall(points: Iterable[Weighed]) -> float | None:
    r"""Importance-weighted share of a session's points that were written (equation 1).

    .. math:: Recall_s = \sum_{g \in C_s} w_g / \sum_{g \in G_s} w_g

    None for a session without points, or whose points weigh nothing together.
    """
    given = list(points)
    whole = sum(each.importance for each in given)
    if not whole:
        return None
    return sum(each.importance for each in given if each.covered) / whole


def mean_over_sessions(scores: Iterable[float | None]) -> float | None:
    """Mean of the sessions that have a score; None if none has."""
    known = [score for score in scores if score is not None]
    return fmean(known) if known else None


def written_shares(labels: Sequence[Writing | None]) -> dict[Writing, float] | None:
    r"""Shares of what a session wrote (equation 2); None for a session that wrote nothing.

    .. math:: Corr_s = n^C_s / |D_s|

    A label of None is an entry that nobody could label; it stays in the denominator, so that the
    three shares may add up to less than 1 (those that the paper prints for MIRIX add up to 0.80).
    """
    if not labels:
        return None
    return {kind: labels.count(kind) / len(labels) for kind in Writing}


def update_score(counts: Mapping[Update, int]) -> float | None:
    r"""How well changes are kept, pooled over the sessions of an instance (equation 3).

    .. math:: Update = (1.0 N_{updated} + 0.5 N_{both}) / N_{total}
    """
    total = sum(counts.values())
    if not total:
        return None
    return sum(_CREDITS.get(kind, 0.0) * count for kind, count in counts.items()) / total


def interference_rejection(counts: Mapping[Interference, int]) -> float | None:
    r"""Share of an instance's interference that a memory does not hold (equation 4).

    .. math:: IntRej = N_{rejected} / (N_{rejected} + N_{memorized})
    """
    total = sum(counts.values())
    return counts.get(Interference.REJECTED, 0) / total if total else None


def flagged_share(counts: Mapping[Interference, int]) -> float | None:
    """Share of an instance's interference that a memory holds as what it was (ours)."""
    total = sum(counts.values())
    return counts.get(Interference.FLAGGED, 0) / total if total else None


def answer_shares(verdicts: Iterable[Verdict | None]) -> dict[Verdict, float] | None:
    r"""Shares of the answers that have a verdict (equations 5 to 7); None without any.

    .. math:: QA\text{-}C = |\{q : l_q = Correct\}| / n
    """
    known = [verdict for verdict in verdicts if verdict is not None]
    if not known:
        return None
    counts = Counter(known)
    return {kind: counts[kind] / len(known) for kind in Verdict}


def mean_of_types(by_type: Mapping[str, float | None]) -> float | None:
    """Unweighted mean over the types that an instance has (B.5, column Avg.)."""
    return mean_over_sessions(by_type.values())
