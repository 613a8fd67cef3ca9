"""Likeness by sentence embeddings: one more layer, with the extra `embeddings`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy import sparse

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.synth.clusters.dialogue import Dialogue, by_id
from memassay.synth.clusters.features import Layer

WEIGHT: Final = 1.0
"""As much as the terms count."""
_LIBRARY: Final = "sentence_transformers"
_FIX: Final = (
    "name a folder that `SentenceTransformer.save` wrote, or a model of the Hub that was fetched "
    "before: `hf download sentence-transformers/all-MiniLM-L6-v2`"
)


@dataclass(frozen=True)
class EmbeddingModel:
    """A sentence-embedding model that a recipe names.

    Attributes:
        name: As it is named there.
        place: Its folder, or its name on a hub.
        sha256: Hash of the files in its folder; None for one on a hub.
    """

    name: str
    place: str
    sha256: str | None = None

    @classmethod
    def find(cls, name: str, folder: Path) -> "EmbeddingModel":
        """Find a model; nothing is loaded yet.

        Args:
            name: A folder, or a name on a hub.
            folder: What a folder is relative to.

        Raises:
            UsageError: The extra is not installed, or the folder is not there.
        """
        if not _is_installed():
            raise _missing_extra("none")
        place = folder / Path(name).expanduser()
        if place.is_dir():
            files = (one for one in place.rglob("*") if one.is_file())
            hashes = {one.relative_to(place).as_posix(): file_sha256(one) for one in files}
            return cls(name, str(place), content_hash(dict(sorted(hashes.items()))))
        if name.startswith(("/", ".", "~")):
            raise UsageError(
                f"cluster.embeddings: expected the folder of a model, got {name!r}, which is not "
                f"there; {_FIX}"
            )
        return cls(name, name)


def embedding_layer(dialogues: Sequence[Dialogue], model: str) -> Layer:
    """How alike dialogues are by a sentence-embedding model, for `cluster_dialogues(beside=...)`.

    A dialogue is the mean of the embeddings of what people say in each round.

    Args:
        dialogues: What is to be clustered, all of it.
        model: Folder of a sentence-transformers model, or its name on a hub.

    Raises:
        UsageError: The extra is not installed, or the model cannot be loaded.
    """
    ordered = by_id(dialogues)
    texts = [one.text for dialogue in ordered for one in dialogue.rounds]
    found = _encode(texts, model)
    ends = np.cumsum([len(dialogue.rounds) for dialogue in ordered])
    rows = [part.mean(axis=0) if len(part) else None for part in np.split(found, ends[:-1])]
    width = found.shape[1]
    made = np.array([np.zeros(width) if row is None else row for row in rows], dtype=np.float32)
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    vectors = sparse.csr_matrix(made / np.where(lengths > 0, lengths, 1))
    return Layer("embeddings", vectors, vectors, WEIGHT)


def _encode(texts: Sequence[str], model: str) -> Any:
    """A row for each text."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise _missing_extra(str(error)) from error
    try:
        loaded = SentenceTransformer(model)
    except (OSError, ValueError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(
            f"cluster.embeddings: expected a sentence-transformers model, got {model!r}, which "
            f"cannot be loaded ({said}); {_FIX}"
        ) from error
    return np.asarray(loaded.encode(list(texts)))


def _is_installed() -> bool:
    """Whether the library is there; it is not imported, which takes seconds."""
    if _LIBRARY in sys.modules:
        return sys.modules[_LIBRARY] is not None
    return find_spec(_LIBRARY) is not None


def _missing_extra(got: str) -> UsageError:
    return UsageError(
        f"cluster.embeddings: expected sentence-transformers, got {got}; "
        "run `pip install 'memassay[embeddings]'`"
    )
