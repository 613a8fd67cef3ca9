"""Scores of pairs of dialogues: how much more they share than any two of their length would.

A pair's likeness in a layer is held against what its two dialogues share with others on average
(the null model of modularity) and divided by the spread of all pairs, so that layers can be added
and a score means the same among 100 dialogues and among 100,000.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.synth.clusters.features import Features, Layer, Matrix

MOST_OF_ONE_LAYER: Final = 3.0
"""Standard deviations beyond which more likeness of one kind says no more."""
SAME_NAME: Final = 1.0
"""What a name in common adds."""
OTHER_NAME: Final = MOST_OF_ONE_LAYER
"""What other names take away: many people share a name, and nobody has two."""
EVERY_PAIR: Final = 1_000
"""Most dialogues whose pairs are all scored; beyond, each is compared with its nearest."""
NEIGHBOURS: Final = 40
COMMON: Final = 300
"""Dialogues that a term may be in to name candidates; it counts in their score all the same."""
BLOCK: Final = 512
"""Rows of one product."""
CHUNK: Final = 50_000
"""Pairs scored at once."""
SAMPLE: Final = 200_000
"""Pairs that the spread is measured on."""


@dataclass(frozen=True)
class PairScores:
    """Scores of the pairs that are compared at all; every other pair has score 0.

    Attributes:
        rows: Place of the first dialogue of each pair.
        columns: Place of the second, which is greater.
        scores: In standard deviations of a random pair.
        fluency: How well one leads on to the other, the same way.
    """

    rows: Any
    columns: Any
    scores: Any
    fluency: Any

    def graph(self, size: int) -> Matrix:
        """The scores as a symmetric sparse matrix of a number of dialogues."""
        at = (np.concatenate([self.rows, self.columns]), np.concatenate([self.columns, self.rows]))
        values = np.concatenate([self.scores, self.scores])
        return sparse.csr_matrix((values, at), shape=(size, size))


class _Scorer:
    """Likeness of pairs in one layer, in standard deviations."""

    def __init__(self, layer: Layer, sample: tuple[Any, Any]) -> None:
        self.layer = layer
        self._share = _shares(layer)
        total = float(self._share.sum())
        self._scale = 1 / total if total > 0 else 0.0
        self._spread = _spread(self._above(*sample))

    def __call__(self, rows: Any, columns: Any) -> Any:
        return self._above(rows, columns) / self._spread

    def _above(self, rows: Any, columns: Any) -> Any:
        expected = self._share[rows] * self._share[columns] * self._scale
        return likeness(self.layer, rows, columns) - expected


def _spread(values: Any) -> float:
    """Standard deviation; 1 where there is none to divide by."""
    return (float(np.std(values)) if len(values) else 0.0) or 1.0


def likeness(layer: Layer, rows: Any, columns: Any) -> Any:
    """What pairs have in common in a layer, by chunks."""
    found = np.empty(len(rows))
    for start in range(0, len(rows), CHUNK):
        one, other = rows[start : start + CHUNK], columns[start : start + CHUNK]
        value = _dots(layer.left, layer.right, one, other)
        if layer.directed:
            value = value + _dots(layer.left, layer.right, other, one)
        found[start : start + CHUNK] = value
    return found


def _dots(left: Matrix, right: Matrix, rows: Any, columns: Any) -> Any:
    return np.asarray(left[rows].multiply(right[columns]).sum(axis=1)).ravel()


def _shares(layer: Layer) -> Any:
    """What each dialogue has in common with all others together."""
    left, right = layer.left, layer.right
    all_left, all_right = (np.asarray(each.sum(axis=0)).ravel() for each in (left, right))
    own = np.asarray(left.multiply(right).sum(axis=1)).ravel()
    if not layer.directed:
        return left @ all_right - own
    return left @ all_right + right @ all_left - 2 * own


def score_pairs(features: Features) -> PairScores:
    """Scores of all pairs of few dialogues, of the nearest pairs of many."""
    size = features.said.shape[0]
    if size <= EVERY_PAIR:
        rows, columns = np.triu_indices(size, 1)
        sample = rows, columns
    else:
        rows, columns = _candidates(features)
        sample = _random_pairs(size)
    scorers = [_Scorer(layer, sample) for layer in features.layers]
    spread = _spread(_sum(features, scorers, *sample)[0])
    scores, fluency = _sum(features, scorers, rows, columns)
    return PairScores(rows, columns, scores / spread, fluency)


def _sum(features: Features, scorers: list[_Scorer], rows: Any, columns: Any) -> tuple[Any, Any]:
    total = _name_scores(features.names, rows, columns)
    fluency = np.zeros(len(rows))
    for scorer in scorers:
        found = scorer(rows, columns)
        total += scorer.layer.weight * np.minimum(found, MOST_OF_ONE_LAYER)
        if scorer.layer.directed:
            fluency = found
    return total, fluency


def _name_scores(names: list[frozenset[str]], rows: Any, columns: Any) -> Any:
    known = np.array([bool(each) for each in names])
    scores = np.zeros(len(rows))
    for at in np.flatnonzero(known[rows] & known[columns]):
        same = not names[rows[at]].isdisjoint(names[columns[at]])
        scores[at] = SAME_NAME if same else -OTHER_NAME
    return scores


def _random_pairs(size: int) -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    rows = random.integers(0, size, SAMPLE)
    columns = (rows + random.integers(1, size, SAMPLE)) % size
    return rows, columns


def _candidates(features: Features) -> tuple[Any, Any]:
    """Each dialogue with those that it shares most with, by blocks of sparse products."""
    left, right = _stack_layers(features)
    size = left.shape[0]
    found = []
    for start in range(0, size, BLOCK):
        block = (left[start : start + BLOCK] @ right).tocsr()
        found.append(_nearest(block, start, size))
    pairs = np.unique(np.concatenate(found))
    return pairs // size, pairs % size


def _nearest(block: Matrix, start: int, size: int) -> Any:
    """The greatest entries of each row of a block, as `smaller place * size + greater place`."""
    found = []
    for at in range(block.shape[0]):
        own = slice(block.indptr[at], block.indptr[at + 1])
        columns, values = block.indices[own].astype(np.int64), block.data[own]
        if len(columns) > NEIGHBOURS + 1:
            best = np.argpartition(-values, NEIGHBOURS)[: NEIGHBOURS + 1]
            columns = columns[best]
        row = start + at
        columns = columns[columns != row]
        found.append(np.minimum(columns, row) * size + np.maximum(columns, row))
    return np.concatenate(found)


def _stack_layers(features: Features) -> tuple[Matrix, Matrix]:
    """All layers that speak for a common life side by side, without their common terms."""
    left, right = [], []
    # Candidates are those that may belong together; layers that speak against it find none.
    for layer in features.layers:
        if layer.weight <= 0:
            continue
        scale = np.float32(layer.weight)
        pairs = [(layer.left, layer.right)]
        if layer.directed:
            pairs.append((layer.right, layer.left))
        for one, other in pairs:
            left.append(_without_common(one) * scale)
            right.append(_without_common(other))
    return sparse.hstack(left).tocsr(), sparse.hstack(right).T.tocsr()


def _without_common(made: Matrix) -> Matrix:
    frequency = np.bincount(made.indices, minlength=made.shape[1])
    return (made @ sparse.diags((frequency <= COMMON).astype(np.float32))).tocsr()
