"""Communities of a signed graph: every pair inside a community costs, what it shares earns.

The sum of (score - cost) over the pairs of one community is made as large as moves can make it
(the constant Potts model of Traag, Van Dooren and Nesterov 2011, by the moves of Louvain), so the
number of communities follows from the scores. Libraries that do this know neither pairs that must
be apart nor most sizes, so the moves are here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.synth.clusters.features import Matrix

_SWEEPS: Final = 30
_GAIN: Final = 1e-9


@dataclass(frozen=True)
class Limits:
    """The most that a community may hold.

    Attributes:
        sessions: Dialogues.
        rounds: Their rounds together.
    """

    sessions: float
    rounds: float


@dataclass(frozen=True)
class Nodes:
    """What is moved between communities: dialogues, or groups of them that stay together.

    Attributes:
        graph: Scores between nodes, symmetric; the diagonal is not looked at.
        sessions: Dialogues of each node.
        rounds: Rounds of each node.
        apart: Nodes that must not share a community, by node, both ways.
        closed: Nodes whose community holds no other.
    """

    graph: Matrix
    sessions: list[int]
    rounds: list[int]
    apart: Mapping[int, frozenset[int]]
    closed: frozenset[int]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.sessions)

    def among(self, places: Sequence[int], scores: Matrix) -> "Nodes":
        """Some of them, with more scores between these."""
        new = {place: at for at, place in enumerate(places)}
        apart = {
            new[one]: frozenset(new[other] for other in others if other in new)
            for one, others in self.apart.items()
            if one in new
        }
        return Nodes(
            (self.graph[places][:, places] + scores).tocsr(),
            [self.sessions[at] for at in places],
            [self.rounds[at] for at in places],
            apart,
            frozenset(new[one] for one in self.closed if one in new),
        )

    def merge(self, label: Sequence[int]) -> "Nodes":
        """A node for each label, 0 to the greatest, in place of those that have it."""
        count = max(label) + 1
        place = sparse.csr_matrix(
            (np.ones(self.size), (np.arange(self.size), label)), shape=(self.size, count)
        )
        sums = [
            np.bincount(label, weights=each, minlength=count).astype(int).tolist()
            for each in (self.sessions, self.rounds)
        ]
        apart: dict[int, frozenset[int]] = {}
        for one, others in self.apart.items():
            met = frozenset(label[other] for other in others)
            apart[label[one]] = apart.get(label[one], frozenset()) | met
        closed = frozenset(label[one] for one in self.closed)
        graph = (place.T @ self.graph @ place).tocsr()
        return Nodes(graph, sums[0], sums[1], apart, closed)


def communities(nodes: Nodes, cost: float, limits: Limits, seeds: Sequence[int]) -> list[int]:
    """The community of each node: the best of several orders of moves.

    Args:
        nodes: In an order of their own, on which the result depends alone.
        cost: What each pair of dialogues inside a community costs.
        limits: What a community may hold; a node that is larger by itself stays alone.
        seeds: One for each order that is tried.
    """
    best: tuple[float, list[int]] | None = None
    for seed in seeds:
        label = _louvain(nodes, cost, limits, Random(seed))
        reached = _quality(nodes, label, cost)
        if best is None or reached > best[0] + _GAIN:
            best = reached, label
    return best[1] if best else []


def _louvain(nodes: Nodes, cost: float, limits: Limits, random: Random) -> list[int]:
    label, moved = _moves(nodes, list(range(nodes.size)), cost, limits, random)
    reached = _quality(nodes, label, cost)
    while moved:
        joined = nodes.merge(label)
        outer, moved = _moves(joined, list(range(joined.size)), cost, limits, random)
        label = [outer[each] for each in label]
        if not moved:
            # Nothing is left to join: single nodes may do better elsewhere.
            label, moved = _moves(nodes, label, cost, limits, random)
        now = _quality(nodes, label, cost)
        moved, reached = moved and now > reached + _GAIN, now
    return label


def _quality(nodes: Nodes, label: Sequence[int], cost: float) -> float:
    joined = nodes.merge(label)
    pairs = np.asarray(joined.sessions, dtype=float) ** 2
    return float(joined.graph.diagonal().sum() - cost * pairs.sum())


def _moves(
    nodes: Nodes, label: list[int], cost: float, limits: Limits, random: Random
) -> tuple[list[int], bool]:
    """Each node moved to where it earns most, again and again until none wants to move."""
    state = _State(nodes, label, limits)
    order = list(range(nodes.size))
    any_moved = False
    for _ in range(_SWEEPS):
        random.shuffle(order)
        moved = sum(state.move(node, cost) for node in order)
        any_moved = any_moved or moved > 0
        if not moved:
            break
    return renumber(state.label), any_moved


def renumber(label: Sequence[int]) -> list[int]:
    """The same groups with numbers from 0, in the order of their first nodes."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in label]


class _State:
    """Communities while nodes move between them."""

    def __init__(self, nodes: Nodes, label: Sequence[int], limits: Limits) -> None:
        self.label = list(label)
        self._nodes, self._limits = nodes, limits
        graph: Any = nodes.graph
        self._starts = graph.indptr.tolist()
        self._others, self._scores = graph.indices, graph.data
        size = nodes.size
        self._sessions, self._rounds, self._count = [0] * size, [0] * size, [0] * size
        self._locked = [0] * size
        for node, each in enumerate(self.label):
            self._enter(node, each, 1)
        self._empty = [each for each in range(size) if not self._count[each]]

    def _enter(self, node: int, community: int, sign: int) -> None:
        self._sessions[community] += sign * self._nodes.sessions[node]
        self._rounds[community] += sign * self._nodes.rounds[node]
        self._count[community] += sign
        self._locked[community] += sign * (node in self._nodes.closed)

    def move(self, node: int, cost: float) -> bool:
        """Move a node to where it earns most; whether it moved."""
        nodes, here = self._nodes, self.label[node]
        if node in nodes.closed:
            return False
        earned: dict[int, float] = {}
        span = slice(self._starts[node], self._starts[node + 1])
        label = self.label
        for other, score in zip(
            self._others[span].tolist(), self._scores[span].tolist(), strict=True
        ):
            if other != node:
                there = label[other]
                earned[there] = earned.get(there, 0.0) + score
        own = nodes.sessions[node]
        stays = earned.pop(here, 0.0) - cost * own * (self._sessions[here] - own)
        best, place = max(stays, 0.0), here
        if stays < -_GAIN and self._count[here] > 1:
            place = self._empty[-1]
        banned = {label[other] for other in nodes.apart.get(node, ())}
        for there, score in earned.items():
            gain = score - cost * own * self._sessions[there]
            if gain > best + _GAIN and there not in banned and self._fits(node, there):
                best, place = gain, there
        if place == here:
            return False
        self._go(node, here, place)
        return True

    def _fits(self, node: int, there: int) -> bool:
        own = self._nodes
        return (
            not self._locked[there]
            and self._sessions[there] + own.sessions[node] <= self._limits.sessions
            and self._rounds[there] + own.rounds[node] <= self._limits.rounds
        )

    def _go(self, node: int, here: int, there: int) -> None:
        if self._empty and self._empty[-1] == there:
            self._empty.pop()
        self._enter(node, here, -1)
        self._enter(node, there, 1)
        self.label[node] = there
        if not self._count[here]:
            self._empty.append(here)
