"""The last look at a release before it gets its name: no file of it may hold a key."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memassay.schemas.errors import ReleaseError
from memassay.schemas.values.redaction import holds_key, holds_secret


def refuse_secrets(folder: Path) -> None:
    """Read every file of a release that is about to be.

    Raises:
        ReleaseError: One holds a key in use, or anything of a key's shape.
    """
    for path in sorted(folder.rglob("*")):
        for place in _places(path) if path.is_file() else ():
            raise ReleaseError(
                f"{path.relative_to(folder).as_posix()}{place}: expected no secret, got an API key "
                "or something of its shape; remove it where it comes from and run again"
            )


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
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=64):
            for row in batch.to_pylist():
                if any(_is_secret(part) for part in _parts(row)):
                    yield f" row {row.get('id', '')}"


def _is_secret(part: str | bytes) -> bool:
    return holds_key(part) if isinstance(part, bytes) else holds_secret(part)


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
