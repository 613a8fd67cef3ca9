"""Clusters of single dialogues, their number not given (Mem-Gallery §3.1, A.2.3)."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from memassay.schemas.changes.cluster_decisions import Clustered, HeldCluster, cluster_id
from memassay.schemas.records.cluster import Cluster
from memassay.synth.clusters.communities import Limits, Nodes, communities, renumber
from memassay.synth.clusters.demands import Bonds, Demands, bonds
from memassay.synth.clusters.dialogue import Dialogue, by_id
from memassay.synth.clusters.features import features_of
from memassay.synth.clusters.records import Comparison, cluster_records
from memassay.synth.clusters.scores import score_pairs
from memassay.synth.clusters.splitting import split_by_retellings
from memassay.synth.clusters.strangers import leave_strangers_out

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
        left_over: Ids of the dialogues in no cluster; each is listed in the record of the nearest.
    """

    clusters: list[Cluster]
    left_over: list[str]


def cluster_dialogues(
    dialogues: Sequence[Dialogue],
    demands: Demands | None = None,
    *,
    names: bool = True,
    then: Callable[[Clustered], dict[str, list[str]]] | None = None,
) -> Clustering:
    """Group dialogues into clusters that read like one life each.

    The result depends on the dialogues, not on the order they come in.

    Args:
        dialogues: With ids of their own.
        demands: Sizes.
        names: Whether people's names speak for and against a common life.
        then: What people make of the clusters that were found.

    Raises:
        ValueError: Two dialogues have the same id.
    """
    demands = demands or Demands()
    ordered = by_id(dialogues)
    if not ordered:
        return Clustering([], [])
    features = features_of(ordered, names=names)
    pairs = score_pairs(features)
    graph = pairs.graph(len(ordered))
    label = _labels(ordered, graph, bonds(ordered), demands, names=names)
    # Not where people's clusters are grouped once more: what they put together stays.
    label = leave_strangers_out(graph, label, _level(graph))
    compared = Comparison(ordered, features, pairs, graph)
    kept = _large_groups(ordered, label, demands)
    if then is not None:
        kept = _apply_decisions(then, compared, kept, demands, names=names)
    clusters, left_over = cluster_records(compared, kept)
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
    of = renumber(bound.group)
    limits = Limits(
        demands.most_sessions, np.inf if demands.most_rounds is None else demands.most_rounds
    )
    # More orders of moves find a little more, which costs too much for many dialogues.
    seeds = range(ORDERS if len(ordered) <= MANY else 1)
    cost = COST * _level(graph)
    label = communities(single.merge(of), cost, limits, seeds)
    return split_by_retellings(
        ordered, single, of, [label[each] for each in of], cost, limits, names=names
    )


def _level(graph: Any) -> float:
    """What the median dialogue scores with its nearest, on average."""
    means = []
    for start, end in itertools.pairwise(graph.indptr.tolist()):
        scores = np.sort(graph.data[start:end])[-NEAREST:]
        means.append(float(scores.mean()) if len(scores) else 0.0)
    return max(0.0, float(np.median(means)))


def _large_groups(
    ordered: Sequence[Dialogue], label: Sequence[int], demands: Demands
) -> list[tuple[str, list[int]]]:
    """Id and members of each community that is large enough."""
    members: dict[int, list[int]] = {}
    for at, each in enumerate(label):
        members.setdefault(each, []).append(at)
    return [
        (cluster_id(ordered[own[0]].id), own)
        for own in members.values()
        if _is_large(ordered, own, demands)
    ]


def _is_large(ordered: Sequence[Dialogue], members: Sequence[int], demands: Demands) -> bool:
    rounds = sum(len(ordered[at].rounds) for at in members)
    return len(members) >= demands.least_sessions and rounds >= demands.least_rounds


def _apply_decisions(
    then: Callable[[Clustered], dict[str, list[str]]],
    compared: Comparison,
    groups: Sequence[tuple[str, list[int]]],
    demands: Demands,
    *,
    names: bool,
) -> list[tuple[str, list[int]]]:
    """Id and members of each cluster when people have had their say."""
    ordered = compared.dialogues
    place = {one.id: at for at, one in enumerate(ordered)}

    def large(members: Sequence[str]) -> bool:
        return _is_large(ordered, [place[each] for each in members], demands)

    def beside(free: Sequence[str], held: Sequence[HeldCluster]) -> list[list[str]]:
        known = (each for one in held for each in one.members if each in place)
        places = sorted(place[each] for each in (*free, *known))
        few = [ordered[at] for at in places]
        graph = compared.graph[places][:, places]
        label = _labels(few, graph, bonds(few, held), demands, names=names)
        found: dict[int, list[str]] = {}
        for one, each in zip(few, label, strict=True):
            found.setdefault(each, []).append(one.id)
        return list(found.values())

    found = Clustered(
        {name: [ordered[at].id for at in members] for name, members in groups},
        place.keys(),
        large,
        demands.most_sessions,
        beside,
    )
    return [(name, [place[each] for each in members]) for name, members in then(found).items()]
