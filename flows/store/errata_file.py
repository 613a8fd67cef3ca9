"""A file of errata: JSON Lines, one record `erratum` a line, and the items that it concerns."""

from pathlib import Path

from memassay.exports.release.layout import record_order
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.text_lines import json_object, portable_json, written_lines
from memassay.flows.store.blob_folder import write_durably
from memassay.schemas.errors import RecordError, UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.erratum import ErratumStatus, ReleasedErratum

_EXAMPLE = "`memassay errata add` does"


def read_errata(path: Path) -> list[ReleasedErratum]:
    """The errata of a file.

    Raises:
        UsageError: There is no such file, a line is no erratum, or an id occurs twice; the
            message names the line.
    """
    found: dict[str, ReleasedErratum] = {}
    for number, line in written_lines(path, "errata"):
        where = f"{path.name}:{number}"
        try:
            record = parse_record("erratum", json_object(line, where, _EXAMPLE))
        except RecordError as error:
            raise UsageError(f"{where}: {error}; write it as {_EXAMPLE}") from error
        if record.id in found:
            raise UsageError(f"{where}: expected each erratum once, got {record.id} again")
        assert isinstance(record, ReleasedErratum)
        found[record.id] = record
    return list(found.values())


def errata_of(path: Path) -> list[ReleasedErratum]:
    """The confirmed errata of a file, or those that a release lists.

    Raises:
        UsageError: It is neither.
        ReleaseError: A file of the release is damaged.
    """
    errata = list(open_release(path).errata()) if path.is_dir() else read_errata(path)
    return [one for one in errata if one.status is ErratumStatus.CONFIRMED]


def concerned_items(release: Release, errata: list[ReleasedErratum]) -> dict[str, ReleasedErratum]:
    """The items of a release that errata find wrong, each with the first that does.

    An item that is the same in several versions is wrong in each, whichever was reported.
    """
    by_item: dict[str, list[ReleasedErratum]] = {}
    for one in errata:
        by_item.setdefault(one.item, []).append(one)
    name, version = release.manifest.name, release.manifest.version
    found: dict[str, ReleasedErratum] = {}
    for item in release.questions() if by_item else ():
        for one in by_item.get(item.id, ()):
            if one.concerns(name, version, content_hash(item)):
                found.setdefault(item.id, one)
    return found


def write_errata(path: Path, errata: list[ReleasedErratum]) -> None:
    """Write a file of errata whole, or leave it as it was."""
    lines = [portable_json(one) + "\n" for one in sorted(errata, key=record_order)]
    write_durably(path, "".join(lines).encode("utf-8"))
