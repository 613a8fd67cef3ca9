"""A folder of records outside any workspace: one JSON Lines file per kind, bytes in `blobs`.

`memassay import` writes one and `memassay validate` reads one. A file may be read alone: its
name says which kind of record its lines hold.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.text_lines import portable_json, strict_json
from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.base import Record
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.files import decode_text, read_lines
from memassay.schemas.ids import natural_key
from memassay.schemas.json_schemas import parse_record, schema_errors
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import KINDS, kind_of
from memassay.schemas.migrations import migrate
from memassay.validators.check import RULES

_UNCOUNTABLE: Final = frozenset({"held_out", "provenance"})
KIND_OF_FILE: Final = {kind if kind in _UNCOUNTABLE else f"{kind}s": kind for kind in KINDS}
"""Kind of record by the stem of the file that holds it."""

BLOBS: Final = "blobs"


def file_of(kind: str) -> str:
    """Name of the file that holds the records of a kind."""
    return next(f"{stem}.jsonl" for stem, held in KIND_OF_FILE.items() if held == kind)


@dataclass(frozen=True)
class ReadRecords:
    """What a file or folder of records holds.

    Attributes:
        records: Records that fit their schema, in the order of the files and lines.
        findings: Lines that hold no record of the file's kind.
    """

    records: list[Record]
    findings: list[Finding]


def files_of(folder: Path) -> list[Path]:
    """The files of records in a folder, in the order of their kinds."""
    paths = (folder / f"{stem}.jsonl" for stem in KIND_OF_FILE)
    return [path for path in paths if path.is_file()]


def write_records(folder: Path, records: Iterable[Record]) -> None:
    """Write each kind of record to its file, ordered by id; kinds without any get no file."""
    for stem, kind in KIND_OF_FILE.items():
        own = sorted(
            (record for record in records if kind_of(record) == kind),
            key=lambda record: natural_key(record.id),
        )
        if own:
            text = "".join(portable_json(record) + "\n" for record in own)
            write_durably(folder / f"{stem}.jsonl", text.encode("utf-8"))


def read_records(path: Path) -> ReadRecords:
    """The records of one file, or of every file of a folder.

    Raises:
        UsageError: A file's name says no kind of record, or it is no JSON Lines in UTF-8.
    """
    read = ReadRecords([], [])
    for file in files_of(path) if path.is_dir() else [path]:
        if file.stem not in KIND_OF_FILE:
            raise UsageError(
                f"{file}: expected a file named after a kind of record "
                f"({', '.join(f'{stem}.jsonl' for stem in KIND_OF_FILE)}); rename it"
            )
        _read_file(file, KIND_OF_FILE[file.stem], read)
    return read


def _read_file(file: Path, kind: str, read: ReadRecords) -> None:
    for number, line in enumerate(read_lines(file), start=1):
        text = decode_text(file, line)
        record = (
            _record(kind, f"{file.name}:{number}", text, read.findings) if text.strip() else None
        )
        if record is not None:
            read.records.append(record)


def _record(kind: str, place: str, line: str, findings: list[Finding]) -> Record | None:
    try:
        document = strict_json(line)
    except ValueError as error:
        findings.append(_misfit(place, "", f"{place}: expected JSON, got an error: {error}"))
        return None
    try:
        document = migrate(kind, document)
    except RecordError as error:
        findings.append(_misfit(place, "", f"{place}: {error}"))
        return None
    errors = schema_errors(kind, document)
    for pointer, message in errors:
        where = f"{_name(document, place)}{pointer.replace('/', '.')}"
        text = f"{where}: expected a {kind} that fits its schema, got '{message}' ({place})"
        findings.append(_misfit(_name(document, place), pointer, text))
    return None if errors else parse_record(kind, document)


def _name(document: Any, place: str) -> str:
    name = document.get("id") if isinstance(document, dict) else None
    return name if isinstance(name, str) and name else place


def _misfit(target: str, pointer: str, message: str) -> Finding:
    fix = "write the field as the schema describes it"
    return RULES["schema.fits"].finding(target, pointer, message, fix)


def lonely(groups: Mapping[str, Sequence[Record]]) -> list[Finding]:
    """Findings for records whose conversation is not there, or is there twice.

    Args:
        groups: Records by the conversation they belong to.
    """
    found = []
    for conversation, records in groups.items():
        number = sum(1 for record in records if kind_of(record) == "conversation")
        if number != 1:
            target = records[0].id if number == 0 else conversation
            message = (
                f"{target}: expected 1 conversation '{conversation}' beside its records, "
                f"got '{number}'"
            )
            fix = "add the conversation" if number == 0 else "remove all but one"
            found.append(RULES["ids.record_conversation"].finding(target, "", message, fix))
    return found
