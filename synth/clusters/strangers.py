"""Strangers: dialogues that share no more with their cluster than chance and its topic give.

A dialogue of nobody else in the pool is still nearest to some cluster, that of its topic. What it
scores there is held against two levels: what the others of that cluster score with each other, and
what dialogues of the pool score with those that they are nearest to. The mean of few scores wavers
more than that of many (by the root of their number), so a small cluster must be closer to hold.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from memassay.synth.clusters.features import Matrix


def leave_strangers_out(graph: Matrix, label: Sequence[int], level: float) -> list[int]:
    """The communities without their strangers, each of whom is a community alone.

    Communities are looked at again without those that were strangers, until none is left in them.

    Args:
        graph: Scores between dialogues, symmetric.
        label: The community of each dialogue.
        level: What the median dialogue scores with those that it is nearest to, 0 or more.
    """
    found = np.array(label, dtype=int)
    fresh = int(found.max(initial=-1)) + 1
    order = np.argsort(found, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(found[order])) + 1):
        strangers = _strangers(graph, members, level)
        found[strangers] = np.arange(fresh, fresh + len(strangers))
        fresh += len(strangers)
    return [int(each) for each in found]


def _strangers(graph: Matrix, members: Any, level: float) -> Any:
    """Places of the strangers among the members of one community."""
    scores = graph[members][:, members].toarray()
    np.fill_diagonal(scores, 0.0)
    kept = np.arange(len(members))
    while len(kept) > 1:
        others = len(kept) - 1
        means = scores[kept][:, kept].sum(axis=1) / others
        among_others = (means.sum() - means) / others
        least = np.sqrt(np.maximum(among_others, 0.0) * level / others)
        stays = means >= least
        if stays.all():
            break
        kept = kept[stays]
    return np.delete(members, kept)
