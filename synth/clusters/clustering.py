"""Clusters of single dialogues, their number not given (Mem-Gallery §3.1, A.2.3)."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memassay.schemas.changes.cluster_decisions import Clustered, cluster_id
from memassay.schemas.records.cluster import Cluster
from memassay.synth.clusters.communities import Limits, Nodes, communities, numbered
from memassay.synth.clusters.demands import Bonds, Demands, bonds
from memassay.synth.clusters.dialogue import Dialogue, by_id
from memassay.synth.clusters.features import Features, Layer, features_of
from memassay.synth.clusters.parting import parted
from memassay.synth.clusters.scores import score_pairs
from memassay.synth.clusters.telling import Standing, cluster_records

COST: Final = 0.14
"""Share of what dialogues score with their nearest that a pair must reach to speak for one cluster.

A share, since dialogues of more lives, or of more unlike ones, all score higher with those of
their own life and of its topic.
"""
NEAREST: Final = 8
"""Dialogues that one is nearest to; few lives have fewer sessions."""
ORDERS: Final = 4
"""Orders of moves that are tried; one for more dialogues than `MANY`."""
MANY: Final = 2_000


@dataclass(frozen=True)
class Clustering:
    """What clustering gives.

    Attributes:
        clusters: By id.
        left_over: Ids of the dialogues in no cluster; each stands in the record of the nearest.
    """

    clusters: list[Cluster]
    left_over: list[str]


def cluster_dialogues(
    dialogues: Sequence[Dialogue],
    demands: Demands | None = None,
    *,
    names: bool = True,
    beside: Sequence[Layer] = (),
    then: Callable[[Clustered], dict[str, list[str]]] | None = None,
) -> Clustering:
    """Group dialogues into clusters that read like one life each.

    The result depends on the dialogues, not on the order they come in.

    Args:
        dialogues: With ids of their own.
        demands: Sizes, and what people decided.
        names: Whether people's names speak for and against a common life.
        beside: More kinds of likeness, rows in the order of the ids, as of sentence embeddings.
        then: What people make of the clusters that were found.

    Raises:
        ValueError: Two dialogues have the same id.
        UsageError: The demands contradict each other.
    """
    demands = demands or Demands()
    ordered = [one for one in by_id(dialogues) if one.id not in demands.out]
    if not ordered:
        return Clustering([], [])
    features = features_of(ordered, names=names)
    features = Features([*features.layers, *beside], features.names, features.terms, features.said)
    pairs = score_pairs(features)
    bound = bonds(ordered, demands)
    graph = pairs.graph(len(ordered))
    label = _labels(ordered, graph, bound, demands, names=names)
    standing = Standing(ordered, features, pairs, graph, bound)
    kept = _kept(ordered, label, bound, demands)
    if then is not None:
        kept = _under(then, standing, kept, demands)
    clusters, left_over = cluster_records(standing, kept)
    return Clustering(clusters, [ordered[at].id for at in left_over])


def _labels(
    ordered: Sequence[Dialogue], graph: Any, bound: Bonds, demands: Demands, *, names: bool
) -> list[int]:
    single = Nodes(
        graph,
        [1] * len(ordered),
        [len(one.rounds) for one in ordered],
        bound.apart,
        bound.closed,
    )
    of = numbered(bound.group)
    limits = Limits(
        demands.most_sessions, np.inf if demands.most_rounds is None else demands.most_rounds
    )
    seeds = range(ORDERS if len(ordered) <= MANY else 1)
    cost = COST * _level(graph)
    label = communities(single.joined(of), cost, limits, seeds)
    return parted(ordered, single, of, [label[each] for each in of], cost, limits, names=names)


def _level(graph: Any) -> float:
    """What the median dialogue scores with its nearest, on average."""
    means = []
    for start, end in itertools.pairwise(graph.indptr.tolist()):
        scores = np.sort(graph.data[start:end])[-NEAREST:]
        means.append(float(scores.mean()) if len(scores) else 0.0)
    return max(0.0, float(np.median(means)))


def _kept(
    ordered: Sequence[Dialogue], label: Sequence[int], bound: Bonds, demands: Demands
) -> list[tuple[str, list[int]]]:
    """Id and members of each community that is large enough, or that people locked."""
    members: dict[int, list[int]] = {}
    for at, each in enumerate(label):
        members.setdefault(each, []).append(at)
    kept = []
    for own in members.values():
        lock = next((bound.locked[at] for at in own if at in bound.locked), None)
        rounds = sum(len(ordered[at].rounds) for at in own)
        large = len(own) >= demands.least_sessions and rounds >= demands.least_rounds
        if lock or large:
            kept.append((lock.id if lock else cluster_id(ordered[own[0]].id), own))
    return kept


def _under(
    then: Callable[[Clustered], dict[str, list[str]]],
    standing: Standing,
    groups: Sequence[tuple[str, list[int]]],
    demands: Demands,
) -> list[tuple[str, list[int]]]:
    """Id and members of each cluster when people have had their say."""
    ordered = standing.dialogues
    place = {one.id: at for at, one in enumerate(ordered)}

    def large(members: Sequence[str]) -> bool:
        rounds = sum(len(ordered[place[each]].rounds) for each in members)
        return len(members) >= demands.least_sessions and rounds >= demands.least_rounds

    def likeness(dialogue: str, others: Sequence[str]) -> float:
        scores = standing.graph[place[dialogue], [place[each] for each in others]]
        return float(scores.mean())

    found = Clustered(
        {name: [ordered[at].id for at in members] for name, members in groups},
        place.keys(),
        large,
        demands.most_sessions,
        likeness,
    )
    return [(name, [place[each] for each in members]) for name, members in then(found).items()]
