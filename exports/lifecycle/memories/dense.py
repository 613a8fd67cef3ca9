"""Retrieval by sentence embeddings, with the extra `embeddings`."""

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from memassay.schemas.errors import UsageError

MODEL: Final = "MEMASSAY_EMBEDDING_MODEL"
"""Environment variable: folder of a sentence-transformers model, or its name on a hub."""
_USUAL: Final = "sentence-transformers/all-MiniLM-L6-v2"


class TextEmbeddings:
    """Texts as vectors of length one, by the model that the environment names."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Embed the texts that are searched.

        Raises:
            UsageError: The extra is not installed, or the model cannot be loaded.
        """
        self._model = _load(os.environ.get(MODEL) or _USUAL)
        self._rows = self._embed(texts)

    def scores(self, text: str) -> list[float]:
        """How near each of the texts is to another one: cosines, in their order."""
        if not len(self._rows):
            return []
        found: list[float] = (self._rows @ self._embed([text])[0]).tolist()
        return found

    def _embed(self, texts: Sequence[str]) -> Any:
        if not texts:
            return np.zeros((0, 0))
        rows = np.asarray(self._model.encode(list(texts), show_progress_bar=False), dtype=float)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(lengths > 0, lengths, 1)


@lru_cache(maxsize=1)
def _load(name: str) -> Any:
    try:
        # It brings torch along, which takes seconds to import.
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise UsageError(
            f"--memory dense: expected sentence-transformers, got none ({error}); "
            "run `pip install 'memassay[embeddings]'`"
        ) from error
    try:
        return SentenceTransformer(name)
    except (OSError, ValueError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(
            f"{MODEL}: expected a sentence-transformers model, got {name!r}, which cannot be "
            f"loaded ({said}); name a folder that `SentenceTransformer.save` wrote, or a model of "
            f"the Hub that was fetched before: `hf download {_USUAL}`"
        ) from error
