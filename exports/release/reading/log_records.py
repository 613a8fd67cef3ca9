"""Records of the logs of a release, line by line."""

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from memassay.exports.release.layout import LOGS, OCCASIONAL_LOGS, log_path
from memassay.exports.release.text_lines import strict_json
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError
from memassay.schemas.files import read_lines
from memassay.schemas.json_schemas import parse_record

_R = TypeVar("_R", bound=Record)


def log_records(release: Path, stem: str, cls: type[_R]) -> Iterator[_R]:
    """The records of a log, in its order.

    Args:
        release: The release folder.
        stem: Name of the log: `findings`.
        cls: What its records are.

    Raises:
        SourceError: The file cannot be read.
        RecordError: A line is no record of this kind.
    """
    path = log_path(release, stem)
    if stem in OCCASIONAL_LOGS and not path.is_file():
        return
    for number, line in enumerate(read_lines(path), start=1):
        yield record_of_line(stem, cls, number, line)


def record_of_line(stem: str, cls: type[_R], number: int, line: bytes) -> _R:
    """The record of a line, migrated to the current shape.

    Raises:
        RecordError: It is no record of this kind.
    """
    try:
        document = strict_json(line)
    except ValueError as error:
        raise RecordError(f"{stem}.jsonl:{number}: expected JSON, got {error}") from error
    return as_kind(cls, parse_record(LOGS[stem], document))


def as_kind(cls: type[_R], record: Record) -> _R:
    """A record that must be of some kind.

    Raises:
        RecordError: It is of another.
    """
    if not isinstance(record, cls):
        raise RecordError(f"{record.id}: expected {cls.__name__}, got {type(record).__name__}")
    return record
