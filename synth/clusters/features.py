"""Session features: sparse vectors of what is said, shown and named, weighted by rarity."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.words import entities, names_of_people, stems

PICTURE_ROUND: Final = 0.5
"""What a word counts in a round with a picture, where people talk of the picture."""
RARITY_OF_TERMS: Final = 2.0
RARITY: Final = 1.5
"""Powers of the inverse document frequency; words that few dialogues share tell lives apart."""

Matrix = Any
"""A sparse matrix of scipy (rows: dialogues, columns: terms), float32; it comes without types."""


@dataclass(frozen=True)
class Layer:
    """One kind of likeness: `left @ right.T`, and the same the other way round if they differ.

    Attributes:
        name: What it compares.
        left: A row of length one for each dialogue.
        right: What rows are compared with.
        weight: What it counts; below 0, likeness that speaks against a common life.
    """

    name: str
    left: Matrix
    right: Matrix
    weight: float

    @property
    def directed(self) -> bool:
        """Whether the two sides differ."""
        return self.left is not self.right


@dataclass(frozen=True)
class Features:
    """What is known of dialogues, in the order of their ids.

    Attributes:
        layers: Kinds of likeness.
        names: Names of the people in each dialogue, lower-case.
        terms: Stems, by column of `said`.
        said: Weighted stems of what people say, rows of length one.
    """

    layers: list[Layer]
    names: list[frozenset[str]]
    terms: list[str]
    said: Matrix


def terms_of(features: Features, members: Sequence[int]) -> tuple[Any, Matrix]:
    """The terms that some dialogues have: their columns in order, and a row for each dialogue."""
    rows = features.said[list(members)]
    columns, places = np.unique(rows.indices, return_inverse=True)
    shape = (len(members), len(columns))
    return columns, sparse.csr_matrix((rows.data, places.ravel(), rows.indptr), shape=shape)


class _Counts:
    """Counts of words by dialogue, as one sparse matrix whose columns are found on the way."""

    def __init__(self, columns: dict[str, int] | None = None) -> None:
        """Begin, with columns that exist already (others are then ignored) or with none."""
        self._fixed = columns is not None
        self.columns: dict[str, int] = columns if columns is not None else {}
        self._indices, self._data, self._ends = array("i"), array("f"), array("q", [0])

    def add(self, weights: Iterable[tuple[str, float]]) -> None:
        """Add the row of the next dialogue."""
        for word, weight in weights:
            at = self.columns.get(word) if self._fixed else None
            if not self._fixed:
                at = self.columns.setdefault(word, len(self.columns))
            if at is not None:
                self._indices.append(at)
                self._data.append(weight)
        self._ends.append(len(self._indices))

    def matrix(self, width: int) -> Matrix:
        """The rows so far."""
        parts = (np.array(self._data), np.array(self._indices), np.array(self._ends))
        made = sparse.csr_matrix(parts, shape=(len(self._ends) - 1, width), dtype=np.float32)
        made.sum_duplicates()
        return made


def features_of(dialogues: Sequence[Dialogue], *, names: bool = True) -> Features:
    """The features of dialogues that are in the order of their ids.

    Args:
        dialogues: What is to be clustered.
        names: Whether people's names speak for and against a common life.
    """
    said, terms = _term_matrix(dialogues)
    opening, closing = _ends(dialogues, terms)
    shown = _weighted_matrix(dialogues, lambda one: Counter(stems(_captions(one))))
    named = _weighted_matrix(dialogues, lambda one: Counter(_entities(one)))
    return Features(
        layers=[
            Layer("terms", said, said, 1.0),
            Layer("entities", named, named, 0.7),
            Layer("fluency", opening, closing, 0.25),
            Layer("pictures", shown, shown, -0.3),
        ],
        names=names_of_people(dialogues) if names else [frozenset() for _ in dialogues],
        terms=list(terms.columns),
        said=said,
    )


@dataclass(frozen=True)
class _Terms:
    columns: dict[str, int]
    rarity: Any


def _term_matrix(dialogues: Sequence[Dialogue]) -> tuple[Matrix, _Terms]:
    counts = _Counts()
    for one in dialogues:
        counts.add(_stem_counts(one).items())
    every = counts.matrix(len(counts.columns))
    kept, idf = _rare(every)
    names = list(counts.columns)
    columns = {names[at]: place for place, at in enumerate(kept.tolist())}
    made = every[:, kept]
    made.data = np.log1p(made.data)
    return _unit(made @ sparse.diags(idf**RARITY_OF_TERMS)), _Terms(columns, idf)


def _stem_counts(dialogue: Dialogue) -> dict[str, float]:
    weights: dict[str, float] = {}
    for one in dialogue.rounds:
        # People describe what they see there, which says little about their life.
        weight = PICTURE_ROUND if one.captions else 1.0
        for word in stems(one.text):
            weights[word] = weights.get(word, 0.0) + weight
    for tag in dialogue.tags:
        for word in stems(tag):
            weights[word] = weights.get(word, 0.0) + 1.0
    return weights


def _ends(dialogues: Sequence[Dialogue], terms: _Terms) -> tuple[Matrix, Matrix]:
    """What the first and the last round of each dialogue are about."""
    found = []
    for end in (slice(0, 1), slice(-1, None)):
        counts = _Counts(terms.columns)
        for one in dialogues:
            texts = [f"{each.text}\n{each.reply}" for each in one.rounds[end]]
            counts.add(Counter(stems("\n".join(texts))).items())
        made = counts.matrix(len(terms.columns))
        made.data = 1 + np.log(made.data)
        found.append(_unit(made @ sparse.diags(terms.rarity**RARITY)))
    return found[0], found[1]


def _captions(dialogue: Dialogue) -> str:
    return "\n".join(one.captions for one in dialogue.rounds)


def _entities(dialogue: Dialogue) -> list[str]:
    return [name for one in dialogue.rounds for name in entities(f"{one.text}\n{one.reply}")]


def _weighted_matrix(
    dialogues: Sequence[Dialogue], counted: Callable[[Dialogue], Counter[str]]
) -> Matrix:
    counts = _Counts()
    for one in dialogues:
        counts.add(counted(one).items())
    every = counts.matrix(len(counts.columns))
    kept, idf = _rare(every)
    made = every[:, kept]
    made.data = 1 + np.log(made.data)
    return _unit(made @ sparse.diags(idf**RARITY))


def _rare(counts: Matrix) -> tuple[Any, Any]:
    """Columns that at least two dialogues have, and their smoothed inverse document frequency."""
    frequency = np.bincount(counts.indices, minlength=counts.shape[1])
    kept = np.flatnonzero(frequency >= 2)
    idf = np.log((1 + counts.shape[0]) / (1 + frequency[kept])) + 1
    return kept, idf.astype(np.float32)


def _unit(made: Matrix) -> Matrix:
    """The same with rows of length one; empty rows stay empty."""
    made = made.tocsr().astype(np.float32)
    lengths = np.sqrt(np.asarray(made.multiply(made).sum(axis=1)).ravel())
    lengths[lengths == 0] = 1
    return (sparse.diags((1 / lengths).astype(np.float32)) @ made).tocsr()
