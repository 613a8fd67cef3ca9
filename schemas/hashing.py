"""Content hashes: canonical JSON in, SHA-256 out; provenance never takes part.

Canonical JSON has sorted keys, no white space, UTF-8 without escapes and no NaN. Two records
with equal content have equal hashes on every machine and in every version of the libraries.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

_CANONICAL: Final = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)
"""Made once: `json.dumps` makes one for each call, which costs more than a small record."""


def canonical_json(value: Any) -> str:
    """One and only one JSON text for a value (a model is dumped first).

    Raises:
        ValueError: The value holds NaN or an infinity.
    """
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return _CANONICAL.encode(value)


def content_hash(value: Any) -> str:
    """SHA-256 of the canonical JSON of a value, in lower-case hexadecimal."""
    # Lone surrogates come in with foreign JSON ("\ud83d"); they must hash, not crash.
    return sha256(canonical_json(value).encode("utf-8", "surrogatepass"))


def sha256(data: bytes) -> str:
    """SHA-256 of bytes, in lower-case hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def combined_hash(hashes: Iterable[str]) -> str:
    """One hash for an ordered sequence of hashes."""
    return sha256("\n".join(hashes).encode("ascii"))


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
