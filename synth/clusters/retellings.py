"""Retellings: the same happening with other names and numbers in the dialogues of two people.

Two people may share a name, a home and a job. What one life never holds is the same happening
twice, once with 7 empty chairs at Orchard Street and once with 9 at Cedar Point.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.synth.clusters.dialogue import Dialogue
from memassay.synth.clusters.features import Matrix
from memassay.synth.clusters.words import has_capitals, is_name, words

SENTENCES: Final = 3
"""Sentences that differ in their details alone; a life may well repeat one or two."""
WORDS: Final = 4
"""Least words of such a sentence beside its details."""
COMMON: Final = 100
"""Dialogues beyond which a sentence is a phrase that everybody uses."""
_BLOCK: Final = 4_096
_DIGIT: Final = re.compile(r"\d")
_END: Final = re.compile(r"(?<=[.!?;\"“])\s+|\n")


def retellings(dialogues: Sequence[Dialogue]) -> Matrix:
    """A symmetric matrix with 1 for each pair of dialogues that retell a happening."""
    # Hashes instead of texts: 90,000 dialogues have millions of sentences.
    ends, frames, sentences = array("q", [0]), array("Q"), array("Q")
    for one in dialogues:
        for frame, details in sorted(_sentences(one).items()):
            frames.append(_digest(frame))
            sentences.append(_digest(f"{frame}|{details}"))
        ends.append(len(frames))
    shared, same = _matrix(frames, ends), _matrix(sentences, ends)
    found = []
    for start in range(0, len(dialogues), _BLOCK):
        block = slice(start, start + _BLOCK)
        rows = (shared[block] @ shared.T - same[block] @ same.T).tocsr()
        rows.data = (rows.data >= SENTENCES).astype(np.float64)
        rows.eliminate_zeros()
        found.append(rows)
    every = sparse.vstack(found).tocsr()
    every.setdiag(0)
    every.eliminate_zeros()
    return every


def _sentences(dialogue: Dialogue) -> dict[str, str]:
    """The details of each sentence of a dialogue that has any, by its other words."""
    found: dict[str, str] = {}
    for one in dialogue.rounds:
        for sentence in _END.split(f"{one.text}\n{one.reply}"):
            if not (has_capitals(sentence) or _DIGIT.search(sentence)):
                continue
            for frame, details in _frame(words(sentence)):
                found[frame] = f"{found.get(frame, '')}|{details}"
    return found


def _frame(said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """A sentence's words with one mark for each run of names and numbers, and these."""
    frame, details = list[str](), list[str]()
    for at, word in enumerate(said):
        if word[0].isdigit() or (at and is_name(word)):
            details.append(word)
            frame += ["*"] if frame[-1:] != ["*"] else []
        elif at:  # The first word is capitalised whatever it is.
            frame.append(word.lower())
    if details and sum(word != "*" for word in frame) >= WORDS:
        yield " ".join(frame), " ".join(details)


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8"), digest_size=8).digest(), "big")


def _matrix(digests: "array[int]", ends: "array[int]") -> Any:
    """Which dialogue has which of the sentences that a few dialogues have."""
    every, columns, counts = np.unique(
        np.array(digests, dtype=np.uint64), return_inverse=True, return_counts=True
    )
    parts = np.ones(len(columns)), columns.ravel(), np.array(ends)
    made = sparse.csr_matrix(parts, shape=(len(ends) - 1, len(every)))
    return made[:, np.flatnonzero((counts > 1) & (counts <= COMMON))]
