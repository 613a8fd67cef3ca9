"""Logs on a disk, written record by record."""

from collections.abc import Iterable
from pathlib import Path

from memassay.exports.release.layout import log_path
from memassay.exports.release.parts.packing import refuse_twice
from memassay.exports.release.parts.table_files import HashChain
from memassay.exports.release.secret_scan import refuse_secret
from memassay.exports.release.tallies import Tally
from memassay.exports.release.text_lines import portable_json
from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.kinds import kind_of

_PIECE = 1024 * 1024
"""Letters that are looked at and written at once."""


def write_log(release: Path, stem: str, records: Iterable[Record], tally: Tally) -> HashChain:
    """Write records as JSON Lines in the order given, which is that of their ids.

    Args:
        release: The release.
        stem: Which log it is.
        records: Its records; one at a time is looked at.
        tally: Counts them.

    Returns:
        Their content hashes; there is no file if there is no record.

    Raises:
        ReleaseError: Two records share an id, or one holds a secret.
    """
    path, hashes, before = log_path(release, stem), HashChain(), None
    lines: list[str] = []
    size = 0
    for record in records:
        name = (kind_of(record), record.id)
        refuse_twice([name, *([before] if before else [])])
        before = name
        lines.append(portable_json(record) + "\n")
        size += len(lines[-1])
        hashes.add([content_hash(record)])
        tally.add(record)
        if size > _PIECE:
            _write(path, lines)
            lines, size = [], 0
    if lines:
        _write(path, lines)
    return hashes


def _write(path: Path, lines: list[str]) -> None:
    text = "".join(lines)
    refuse_secret(path.name, text)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(text)
