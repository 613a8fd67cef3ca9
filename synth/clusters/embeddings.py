"""Likeness by sentence embeddings: one more layer, with the extra `embeddings`."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.schemas.errors import UsageError
from memassay.synth.clusters.dialogue import Dialogue, by_id
from memassay.synth.clusters.features import Layer

WEIGHT: Final = 1.0
"""As much as the terms count."""


def embedding_layer(dialogues: Sequence[Dialogue], model: str) -> Layer:
    """How alike dialogues are by a sentence-embedding model, for `cluster_dialogues(beside=...)`.

    A dialogue is the mean of the embeddings of what people say in each round.

    Args:
        dialogues: What is to be clustered, all of it.
        model: Folder of a sentence-transformers model, or its name on a hub.

    Raises:
        UsageError: The extra is not installed.
    """
    ordered = by_id(dialogues)
    texts = [one.told for dialogue in ordered for one in dialogue.rounds]
    found = _encoded(texts, model)
    ends = np.cumsum([len(dialogue.rounds) for dialogue in ordered])
    rows = [part.mean(axis=0) if len(part) else None for part in np.split(found, ends[:-1])]
    width = found.shape[1]
    made = np.array([np.zeros(width) if row is None else row for row in rows], dtype=np.float32)
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    vectors = sparse.csr_matrix(made / np.where(lengths > 0, lengths, 1))
    return Layer("embeddings", vectors, vectors, WEIGHT)


def _encoded(texts: Sequence[str], model: str) -> Any:
    """A row for each text."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise UsageError(
            f"embeddings: expected sentence-transformers, got {error}; "
            "run `pip install 'memassay[embeddings]'`"
        ) from error
    return np.asarray(SentenceTransformer(model).encode(list(texts)))
