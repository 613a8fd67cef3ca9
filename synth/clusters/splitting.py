"""Communities of more than one life are cut again, by what their members alone share."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from memassay.synth.clusters.communities import Limits, Nodes, communities, renumber
from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.features import Matrix, features_of
from memassay.synth.clusters.retellings import retellings
from memassay.synth.clusters.scores import EVERY_PAIR, score_pairs

CONTRADICTION: Final = 25.0
"""What a contradiction takes from a pair's score: more than any likeness adds."""
ORDERS: Final = 16
"""Orders of moves that are tried; the communities are small."""


def split_by_retellings(
    dialogues: Sequence[Dialogue],
    nodes: Nodes,
    group: Sequence[int],
    label: Sequence[int],
    cost: float,
    limits: Limits,
    *,
    names: bool,
) -> list[int]:
    """The communities of dialogues once those that contradict themselves are cut again.

    Names, words and entities that all members of a community have say nothing within it, so that
    they are weighed again among these alone.

    Args:
        dialogues: In the order of their ids.
        nodes: The same, with their scores.
        group: A number for those that stay together.
        label: The community of each.
        cost: What each pair inside a community costs.
        limits: What a community may hold.
        names: Whether people's names speak for and against a common life.
    """
    against = retellings(dialogues)
    found = list(label)
    for members in _groups_to_split(label, against):
        few = [dialogues[at] for at in members]
        local = score_pairs(features_of(few, names=names)).graph(len(few))
        own = nodes.among(members, local - CONTRADICTION * against[members][:, members])
        bound = renumber([group[at] for at in members])
        parts = communities(own.merge(bound), cost, limits, range(ORDERS))
        fresh = max(found) + 1
        for at, each in zip(members, bound, strict=True):
            found[at] = fresh + parts[each]
    return found


def _groups_to_split(label: Sequence[int], against: Matrix) -> Iterator[list[int]]:
    """Members of the communities that hold contradictions, each with those that it contradicts.

    A life that is too long for one community was cut somewhere, so the communities that contradict
    each other are looked at together if one of them contradicts itself, unless they are too many.
    """
    pairs, own = against.tocoo(), np.asarray(label)
    one, other = own[pairs.row], own[pairs.col]
    size = int(own.max(initial=-1)) + 1
    links = sparse.csr_matrix((np.ones(len(one)), (one, other)), shape=(size, size))
    _, part = connected_components(links, directed=False)
    for each in np.unique(part[one[one == other]]):
        members = np.flatnonzero(part[own] == each)
        if len(members) <= EVERY_PAIR:
            yield members.tolist()
            continue
        for alone in np.unique(one[(one == other) & (part[one] == each)]):
            yield np.flatnonzero(own == alone).tolist()
