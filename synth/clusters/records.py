"""The records of clusters: scores, keywords, and why each dialogue is where it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memassay.schemas.records.cluster import Cluster, ClusterMember, LeftOutDialogue
from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.features import Features, Matrix, terms_of
from memassay.synth.clusters.keywords import cluster_keywords
from memassay.synth.clusters.scores import PairScores

_SHARED: Final = 5
"""Words that are named as a reason."""
_DIGITS: Final = 3
"""Decimals of a score; what comes after them differs between machines."""


@dataclass(frozen=True)
class Comparison:
    """What is known of the dialogues of a clustering, by place.

    Attributes:
        dialogues: In the order of their ids.
        features: Theirs.
        pairs: Their scores.
        graph: The same as a symmetric matrix.
    """

    dialogues: Sequence[Dialogue]
    features: Features
    pairs: PairScores
    graph: Matrix


def cluster_records(
    compared: Comparison, groups: Sequence[tuple[str, list[int]]]
) -> tuple[list[Cluster], list[int]]:
    """A record for each id and its members, and the places that are in none."""
    size = len(compared.dialogues)
    label = np.full(size, -1)
    for number, (_, members) in enumerate(groups):
        label[members] = number
    left_over = np.flatnonzero(label < 0).tolist()
    near = _nearest(compared, label, left_over)
    fluent = _fluency(compared.pairs, label)
    clusters = [
        _record(compared, name, members, fluent, near.get(number, []))
        for number, (name, members) in enumerate(groups)
    ]
    return sorted(clusters, key=lambda one: one.id), left_over


def _record(
    compared: Comparison,
    name: str,
    members: list[int],
    fluent: Any,
    near: list[tuple[int, float]],
) -> Cluster:
    rows = compared.graph[members].tocsc()
    inside = rows[:, members].toarray()
    count, others = len(members), len(compared.dialogues) - len(members)
    outside = float(rows.sum() - inside.sum())
    shared = _shared_stems(compared.features, members)
    own = [
        _member(compared, members, at, inside[at], float(fluent[members[at]]), shared[at])
        for at in range(count)
    ]
    dialogues = compared.dialogues
    return Cluster(
        id=name,
        members=own,
        rounds=sum(len(dialogues[at].rounds) for at in members),
        keywords=cluster_keywords(compared.features, dialogues, members),
        relevance=_rounded_score(inside.sum() / max(1, count * (count - 1))),
        separation=_rounded_score(outside / max(1, count * others)),
        fluency=_rounded_score(sum(one.fluency for one in own) / count),
        left_out=[
            LeftOutDialogue(
                dialogue=dialogues[at].id, relevance=_rounded_score(score), why=_why(score)
            )
            for at, score in near
        ],
    )


def _why(score: float) -> str:
    if score > 0:
        return "shares too little with any cluster to join it"
    return "shares no more with any cluster than two random dialogues do"


def _member(
    compared: Comparison,
    members: list[int],
    at: int,
    scores: Any,
    fluency: float,
    shared: list[str],
) -> ClusterMember:
    others = np.delete(np.arange(len(members)), at)
    nearest = members[others[scores[others].argmax()]] if len(others) else None
    return ClusterMember(
        dialogue=compared.dialogues[members[at]].id,
        relevance=_rounded_score(scores[others].mean()) if len(others) else 0.0,
        fluency=_rounded_score(fluency),
        nearest=None if nearest is None else compared.dialogues[nearest].id,
        shared=shared,
    )


def _shared_stems(features: Features, members: list[int]) -> list[list[str]]:
    """For each member, the stems that weigh most in it and in the others together."""
    columns, rows = terms_of(features, members)
    together = np.asarray(rows.sum(axis=0)).ravel()
    found = []
    for at in range(len(members)):
        own = slice(rows.indptr[at], rows.indptr[at + 1])
        places, values = rows.indices[own], rows.data[own]
        weights = (values * (together[places] - values)).round(_DIGITS + 3)
        best = sorted(zip(-weights, columns[places].tolist(), strict=True))[:_SHARED]
        found.append([features.terms[column] for weight, column in best if weight < 0])
    return found


def _fluency(pairs: PairScores, label: Any) -> Any:
    """For each dialogue, the best fluency with another of its cluster; 0 if it has none."""
    best = np.zeros(len(label))
    same = (label[pairs.rows] == label[pairs.columns]) & (label[pairs.rows] >= 0)
    for side in (pairs.rows, pairs.columns):
        np.maximum.at(best, side[same], pairs.fluency[same])
    return best


def _nearest(
    compared: Comparison, label: Any, left_over: Sequence[int]
) -> dict[int, list[tuple[int, float]]]:
    """By cluster, the left-over dialogues that score most with it on average."""
    sizes = np.bincount(label[label >= 0]) if (label >= 0).any() else np.zeros(0)
    near: dict[int, list[tuple[int, float]]] = {}
    if not len(sizes):
        return near
    for at in left_over:
        row = compared.graph[at]
        of = label[row.indices]
        inside = of >= 0
        sums = np.bincount(of[inside], weights=row.data[inside], minlength=len(sizes))
        means = sums / sizes
        best = int(means.argmax())
        near.setdefault(best, []).append((at, float(means[best])))
    return near


def _rounded_score(score: float) -> float:
    return round(float(score), _DIGITS) + 0.0
