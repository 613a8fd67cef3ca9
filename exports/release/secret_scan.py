"""The last look at a release before it gets its name: no file of it may hold a key."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from memassay.schemas.errors import ReleaseError
from memassay.schemas.values.redaction import holds_key, holds_secret

EXPECTED: Final = "expected no secret, got an API key or something of its shape"
FIX: Final = "remove it where it comes from"


def refuse_secrets(folder: Path) -> None:
    """Read every file of a release that is about to be.

    Raises:
        ReleaseError: One holds a key in use, or anything of a key's shape.
    """
    for name, place in secrets_of(folder):
        raise ReleaseError(f"{name}{place}: {EXPECTED}; {FIX} and run again")


def secrets_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Files of a folder that hold a secret, and where; tables that break off are passed over."""
    for path in sorted(folder.rglob("*")):
        for place in _places(path) if path.is_file() else ():
            yield path.relative_to(folder).as_posix(), place


def _places(path: Path) -> Iterator[str]:
    """Where in a file a secret stands; the secret itself is never part of it."""
    if path.suffix == ".parquet":
        yield from _rows(path)
        return
    data = path.read_bytes()
    try:
        lines = data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        if holds_key(data):
            yield ""
        return
    if holds_secret("\n".join(lines)):
        numbers = [number for number, line in enumerate(lines, start=1) if holds_secret(line)]
        yield f" line {numbers[0]}" if numbers else ""


def _rows(path: Path) -> Iterator[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with contextlib.suppress(pa.ArrowException, OSError), pq.ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=64):
            rows = batch.to_pylist()
            # One look at many short texts is far quicker than many looks.
            if _is_secret(rows):
                yield from (f" row {row.get('id', '')}" for row in rows if _is_secret(row))


def _is_secret(value: Any) -> bool:
    parts = list(_parts(value))
    texts = "\n".join(part for part in parts if isinstance(part, str))
    return holds_secret(texts) or any(holds_key(p) for p in parts if isinstance(p, bytes))


def _parts(value: Any) -> Iterator[str | bytes]:
    """Every text and every run of bytes in a row."""
    if isinstance(value, str | bytes):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _parts(part)
