"""What a release shows to everybody, made again from its records and compared.

Tables for `datasets`, the data card and its picture, the citation and the Croissant description.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from memassay.exports.release import rules
from memassay.exports.release.agreement.card import card_agrees
from memassay.exports.release.agreement.identity import is_ours
from memassay.exports.release.blobs import MarkedBlobs, blob_of_row, is_same
from memassay.exports.release.checking.said import Said
from memassay.exports.release.layout import CARD, CARD_FILE, LOGS, log_path
from memassay.exports.release.parquet_tables import (
    column_differences,
    group_count,
    offered_shards,
    read_group,
)
from memassay.exports.release.public.facts import facts_of, sum_of_facts, text_bytes
from memassay.exports.release.public.page import CITATION, CROISSANT, EXAMPLES, described_files
from memassay.exports.release.public.tables import (
    IMAGES,
    TABLES,
    offered_rows,
    offered_schema,
    tables_in,
)
from memassay.exports.release.rows import BLOB_COLUMNS
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.errors import ReleaseError
from memassay.schemas.files import read_bytes
from memassay.schemas.hashing import sha256
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.bundle import Bundle

SHOWN: Final = 20
"""Differences of one table that are told one by one."""
_UNREADABLE: Final = {rule.id for rule in (rules.READABLE, rules.RECORD_VALID, rules.ID_UNIQUE)}
_LOGS_BESIDE: Final = {f"{stem}.jsonl" for stem, kind in LOGS.items() if kind not in DATA_KINDS}
_REPAIR: Final = "write the release again from its records"


def is_offered(folder: Path) -> bool:
    """Whether a release has tables for `datasets`; an older memassay wrote none."""
    files = (CITATION, CROISSANT, *EXAMPLES.values())
    return any((folder / place).is_dir() for place in TABLES.values()) or any(
        (folder / name).is_file() for name in files
    )


def offered_agrees(
    folder: Path, bundles: Sequence[Bundle], damaged: Collection[str]
) -> Iterator[Finding]:
    """Findings about the tables for `datasets`, where a release has them.

    Args:
        folder: The release.
        bundles: Its records.
        damaged: Hashes of bytes about which there is a finding already.
    """
    if not is_offered(folder):
        return
    for table, place in tables_in(folder).items():
        wanted = (row for bundle in bundles for row in offered_rows(table, bundle))
        try:
            told = 0
            for found in _differences(folder, table, wanted, damaged):
                told += 1
                if told <= SHOWN:
                    yield found
            if told > SHOWN:
                said = f"{place}: expected what the records say, got {told - SHOWN} other places"
                yield rules.PUBLIC.finding(place, "", said, _REPAIR)
        except ReleaseError as error:
            yield rules.unreadable(error)


def hides_data(finding: Finding) -> bool:
    """Whether records of conversations cannot be read, or not be told apart."""
    file = finding.target.partition(":")[0]
    beside = file in _LOGS_BESIDE or file.startswith(tuple(TABLES.values()))
    return finding.rule in _UNREADABLE and not beside


def _differences(
    folder: Path, table: str, wanted: Iterator[dict[str, Any]], damaged: Collection[str]
) -> Iterator[Finding]:
    place = TABLES[table]
    for shard in offered_shards(folder, place):
        name = shard.relative_to(folder).as_posix()
        for difference in column_differences(shard, offered_schema(table)):
            yield rules.COLUMNS.finding(name, "", f"{name}: {difference}", _REPAIR)
    for row, other in zip_longest(wanted, _rows(folder, table)):
        if row is None or other is None:
            one, name = (row or other or {}), "a row" if other is None else "no row"
            said = f"{place}: expected {name} of {one.get('id')}, got the contrary"
            yield rules.PUBLIC.finding(str(one.get("id")), "", said, _REPAIR)
            return
        bytes_of = blob_of_row({column: other.pop(column, None) for column in BLOB_COLUMNS})
        for column in row:
            if other.get(column) != row[column]:
                said = (
                    f"{place} {row['id']}.{column}: expected {_short(row[column])} as the records "
                    f"say, got {_short(other.get(column))}"
                )
                yield rules.PUBLIC.finding(str(row["id"]), pointer(column), said, _REPAIR)
        if place == IMAGES and row["blob_sha256"] not in damaged:
            yield from _bytes(row, bytes_of)


def _bytes(row: Mapping[str, Any], data: bytes | None) -> Iterator[Finding]:
    """An image that is present has the bytes of its hash; others have none."""
    present = row["availability"] == "present"
    expected = row["blob_sha256"] if present else None
    got = None if data is None else sha256(data)
    if expected != got:
        said = f"{row['id']}.image: expected bytes of {expected}, got those of {got}"
        yield rules.BLOB.finding(str(row["id"]), "/image", said, _REPAIR)


def _rows(folder: Path, table: str) -> Iterator[dict[str, Any]]:
    place = TABLES[table]
    for shard in offered_shards(folder, place):
        for group in range(group_count(shard)):
            yield from read_group(shard, group, blobs=place == IMAGES)


def description_agrees(
    folder: Path,
    manifest: Mapping[str, Any],
    said: Said,
    bundles: Sequence[Bundle],
    blobs: BlobStore,
) -> Iterator[Finding]:
    """Findings about card, citation and Croissant; of an older release about the card's numbers.

    Args:
        folder: The release.
        manifest: Its manifest as decoded; what does not fit its schema is not compared.
        said: The readable records in short.
        bundles: Those of data by conversation.
        blobs: The bytes of assets.
    """
    stems = [stem for stem in LOGS if log_path(folder, stem).is_file()]
    found = {"counts": said.tally.counts(stems), **said.tally.fields()}
    try:
        again = Manifest.model_validate({**manifest, **found})
    except ValidationError:
        return  # which is a finding already
    errata = [one for one in said.kept.get("erratum", ()) if isinstance(one, ReleasedErratum)]
    # A picture that is lost is a finding already, and the rest is compared.
    facts = sum_of_facts(facts_of(bundle, text_bytes(bundle)) for bundle in bundles)
    files = described_files(again, facts, MarkedBlobs(blobs), said.tally.audits(), errata)
    offered = is_offered(folder)
    wanted = files.pop(CARD).decode("utf-8")
    if (folder / CARD).is_file():
        text = read_bytes(folder / CARD, CARD_FILE).decode("utf-8", errors="replace")
        yield from card_agrees(text, wanted, ours=offered and is_ours(again.recipe))
    if offered:
        yield from _files(folder, files, ours=is_ours(again.recipe))


def _files(folder: Path, files: Mapping[str, bytes], *, ours: bool) -> Iterator[Finding]:
    for name in (CITATION, CROISSANT, *EXAMPLES.values()):
        path = folder / name
        got = path.read_bytes() if path.is_file() else None
        if name not in files and got is not None:
            said = f"{name}: expected no such file of these records, got one"
            yield rules.PUBLIC.finding(name, "", said, _REPAIR)
        elif name in files and got is None:
            said = f"{name}: expected a file that the records give, got none"
            yield rules.PUBLIC.finding(name, "", said, _REPAIR)
        # Another memassay may have chosen its words and its example otherwise.
        elif ours and got is not None and not is_same(got, files[name]):
            said = f"{name}: expected what the records give, got something else"
            yield rules.PUBLIC.finding(name, "", said, _REPAIR)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
