"""The last look at what a release will hold: nothing in it may be a key."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.layout import RELEASE_FILE
from memassay.schemas.errors import ReleaseError
from memassay.schemas.files import read_bytes
from memassay.schemas.values.redaction import holds_key, holds_secret

EXPECTED: Final = "expected no secret, got an API key or something of its shape"
FIX: Final = "remove it where it comes from"

_BATCH_ROWS: Final = 64
_BATCH_BYTES: Final = 1024 * 1024


def refuse_secret(place: str, text: str) -> None:
    """Look at a text that is about to be in a release.

    Args:
        place: Where it will be, for the message.
        text: The text.

    Raises:
        ReleaseError: It holds a key in use, or anything of a key's shape.
    """
    if holds_secret(text):
        raise ReleaseError(f"{place}: {EXPECTED}; {FIX} and run again")


def refuse_secrets_in(place: str, data: bytes) -> None:
    """Look at the bytes of a file that is about to be in a release, which may be a text.

    Raises:
        ReleaseError: It holds a key in use, or a text with anything of a key's shape.
    """
    try:
        refuse_secret(place, data.decode("utf-8"))
    except UnicodeDecodeError:
        refuse_key(place, data)


def refuse_key(place: str, data: bytes) -> None:
    """Look at bytes that are about to be in a release.

    Raises:
        ReleaseError: They hold a key in use.
    """
    if holds_key(data):
        raise ReleaseError(f"{place}: {EXPECTED}; {FIX} and run again")


def secrets_in(path: Path) -> Iterator[str]:
    """Where in a file a secret is; the secret itself is never part of it."""
    if path.suffix == ".parquet":
        yield from _rows(path)
        return
    data = read_bytes(path, RELEASE_FILE)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        if holds_key(data):
            yield ""
        return
    if holds_secret(text):
        lines = enumerate(text.split("\n"), start=1)
        numbers = [number for number, line in lines if holds_secret(line)]
        yield f" line {numbers[0]}" if numbers else ""


def _rows(path: Path) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with contextlib.suppress(pa.ArrowException, OSError), pq.ParquetFile(path) as table:
        for batch in _batches(table):
            rows = batch.to_pylist()
            # One look at many short texts is far quicker than many looks.
            if _is_secret(rows):
                yield from (f" row {row.get('id', '')}" for row in rows if _is_secret(row))


def _batches(table: Any) -> Iterator[Any]:
    """The rows of a table in batches of bounded size: as objects they take many times more."""
    for batch in table.iter_batches(batch_size=_BATCH_ROWS):
        step = max(1, batch.num_rows * _BATCH_BYTES // max(1, batch.nbytes))
        for start in range(0, batch.num_rows, step):
            yield batch.slice(start, step)


def _is_secret(value: Any) -> bool:
    texts: list[str] = []
    data: list[bytes] = []
    _take(value, texts, data)
    return holds_secret("\n".join(texts)) or any(map(holds_key, data))


def _take(value: Any, texts: list[str], data: list[bytes]) -> None:
    """Add every text and every run of bytes in a row."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, bytes):
        data.append(value)
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _take(part, texts, data)
