"""Lines of JSON that several processes write, put together in the order of ids."""

import json
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from pathlib import Path
from typing import Any, NamedTuple

from memassay.exports.release.text_lines import portable_json
from memassay.schemas.base import Record
from memassay.schemas.ids import natural_key
from memassay.schemas.kinds import kind_of


class Lines(NamedTuple):
    """Records of one kind in a part of a file, a line each, in natural order of their ids.

    Attributes:
        file: The file.
        start: Where they begin.
        number: How many there are.
        first: The id of the first one.
        last: The id of the last one.
    """

    file: Path
    start: int
    number: int
    first: str
    last: str


def write_lines(file: Path, records: Iterable[Record]) -> dict[str, Lines]:
    """Write records to a file, one kind after the other; gives by kind where they are in it."""
    by_kind: dict[str, list[Record]] = {}
    for record in records:
        by_kind.setdefault(kind_of(record), []).append(record)
    lines = {}
    with file.open("wb") as to:
        for kind, own in by_kind.items():
            own.sort(key=lambda record: natural_key(record.id))
            lines[kind] = Lines(file, to.tell(), len(own), own[0].id, own[-1].id)
            to.writelines(portable_json(record).encode("utf-8") + b"\n" for record in own)
    return lines


def join_lines(parts: Sequence[Lines]) -> Iterator[bytes]:
    """The lines of several parts in natural order of their ids; of equal ids, by their part."""
    together: list[tuple[int, Lines]] = []
    for at, part in sorted(enumerate(parts), key=lambda pair: natural_key(pair[1].first)):
        if together and natural_key(part.first) > max(natural_key(one.last) for _, one in together):
            yield from _merge(together)
            together = []
        together.append((at, part))
    yield from _merge(together)


def _merge(together: Sequence[tuple[int, Lines]]) -> Iterator[bytes]:
    """The lines of parts whose ids overlap; one part alone is read as it is."""
    parts = [part for _, part in sorted(together)]
    if len(parts) == 1:
        return _read(parts[0])
    return merge(*map(_read, parts), key=_key)


def _read(part: Lines) -> Iterator[bytes]:
    with part.file.open("rb") as file:
        file.seek(part.start)
        for _ in range(part.number):
            yield file.readline()


def _key(line: bytes) -> Any:
    return natural_key(json.loads(line)["id"])
