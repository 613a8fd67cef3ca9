"""Checks a release folder without stopping at the first damage.

Each part of the folder is read as far as it goes; what is broken becomes a finding, and the
records that can still be read are given back, so that the ordinary rules can look at them too.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from memassay.exports.release import rules
from memassay.exports.release.agreement.files import files_agree
from memassay.exports.release.agreement.layouts import layouts_agree
from memassay.exports.release.agreement.offered import (
    description_agrees,
    hides_data,
    offered_agrees,
    unreadable,
)
from memassay.exports.release.blobs import ReleaseBlobs, blob_of_row
from memassay.exports.release.consistency import consistency
from memassay.exports.release.layout import (
    LOGS,
    MANIFEST,
    OCCASIONAL_LOGS,
    check_schema_version,
    demand_folder,
    file_content_hash,
    log_path,
    manifest_document,
    record_order,
)
from memassay.exports.release.parquet_tables import (
    arrow_schema,
    column_differences,
    group_count,
    offered_shards,
    read_group,
    read_rows,
    shards_of,
)
from memassay.exports.release.public.tables import TABLES, row_hash
from memassay.exports.release.rows import (
    BLOB_COLUMNS,
    CONFIGS,
    columns_of,
    document_content_hash,
    document_of,
    record_rows,
)
from memassay.exports.release.secret_scan import EXPECTED, secrets_of
from memassay.exports.release.text_lines import strict_json
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import ImportFormat
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.errors import BlobError, RecordError, ReleaseError
from memassay.schemas.files import read_lines
from memassay.schemas.grouping import group_by_conversation
from memassay.schemas.hashing import combined_hash, content_hash, sha256
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.json_schemas import parse_record, schema_errors
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision
from memassay.schemas.kinds import DATA_KINDS, KINDS, SCHEMA_VERSION, version_of
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.values.pixels import PixelError, measure

_FETCH: Final = "fetch or write the release again"
_REPAIR: Final = "write the release again from its records"
_WITHDRAW: Final = "make the key invalid, and write the release again without it"


class ReleaseCheck(NamedTuple):
    """What `check_release` gives.

    Attributes:
        findings: Every breach of a release rule, in the order found, each once.
        bundles: The conversations that can be read, with those of their records that can.
        decisions: What people accepted, in the states they saw.
        records: Every record that can be read, by kind.
        recipe: What the manifest says was asked for; empty if it does not say.
    """

    findings: list[Finding]
    bundles: list[Bundle]
    decisions: list[Decision]
    records: Mapping[str, Sequence[Record]]
    recipe: Mapping[str, Any]


def check_release(
    path: str | PathLike[str], formats: Mapping[str, ImportFormat] = MappingProxyType({})
) -> ReleaseCheck:
    """Check the files, tables, logs, manifest and layouts of a release folder.

    Args:
        path: The release.
        formats: Foreign layouts that can be written again, by name; others are not compared.

    Raises:
        UsageError: There is no such folder.
        MigrationError: A newer memassay wrote it; nothing can be said of its records.
    """
    folder = Path(path)
    demand_folder(folder)
    check = _Check(folder)
    check.run()
    check.findings += check.layouts(formats)
    findings = {finding.id: finding for finding in check.findings}
    said = check.records.get("decision", ())
    decisions = [record for record in said if isinstance(record, Decision)]
    return ReleaseCheck(
        list(findings.values()), check.bundles, decisions, check.records, check.recipe
    )


class _Check:
    """One pass over a folder; collects findings and the records that can be read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.findings: list[Finding] = []
        self.records: dict[str, list[Record]] = {}
        self.hashes: dict[tuple[str, str], str] = {}
        self.parts: dict[str, str] = {}
        self.manifest: dict[str, Any] = {}
        self.blobs = ReleaseBlobs(folder)
        self.damaged: set[str] = set()

    def run(self) -> None:
        """Check everything, from the manifest to what records say of each other."""
        self._read_manifest()
        found = files_agree(self.folder, self._listed_files())
        # Where no manifest lists anything, one finding says so, and not one for each file.
        listed = bool(self.manifest)
        self.findings += [one for one in found if listed or one.rule != rules.FILE_LISTED.id]
        for config in CONFIGS:
            self._check_table(config)
        for stem in LOGS:
            self._check_log(stem)
        for table in TABLES:
            self._check_offered(table)
        self._check_other_files()
        for name, place in secrets_of(self.folder):
            self._say(rules.SECRET, name, "", f"{place}: {EXPECTED}", _WITHDRAW)
        self.findings += consistency(
            self.folder, self.manifest, self.records, self.hashes, self.parts
        )
        if self.manifest and not any(map(hides_data, self.findings)):
            own = (self.manifest, self.records, self.bundles, self.blobs)
            self.findings += description_agrees(self.folder, *own)

    @property
    def recipe(self) -> dict[str, Any]:
        """What the manifest says was asked for."""
        recipe = self.manifest.get("recipe")
        return recipe if isinstance(recipe, dict) else {}

    def layouts(self, formats: Mapping[str, ImportFormat]) -> Iterator[Finding]:
        """Findings about tables and layouts that are made of records, if these can be read."""
        if any(map(hides_data, self.findings)):
            return
        yield from offered_agrees(self.folder, self.bundles, self.damaged)
        yield from layouts_agree(self.folder, self.recipe, self.bundles, self.blobs, formats)

    @cached_property
    def bundles(self) -> list[Bundle]:
        """The readable records by conversation; of two conversations of one id, the first."""
        found = []
        kinds = [kind for kind in KINDS if kind in DATA_KINDS]
        records = [record for kind in kinds for record in self.records.get(kind, ())]
        for group in group_by_conversation(records).values():
            conversations = [record for record in group if isinstance(record, Conversation)]
            rest = [record for record in group if not isinstance(record, Conversation)]
            if conversations:
                found.append(Bundle.from_records([conversations[0], *rest]))
        return found

    def _say(self, rule: Rule, target: str, where: str, message: str, fix: str) -> None:
        self.findings.append(rule.finding(target, where, f"{target}{message}", fix))

    # --- manifest and files

    def _read_manifest(self) -> None:
        path = self.folder / MANIFEST
        if not path.exists():
            self._say(rules.MANIFEST, MANIFEST, "", ": expected the manifest, got none", _FETCH)
            return
        try:
            document = manifest_document(path)
        except ValueError as error:
            self._say(rules.MANIFEST, MANIFEST, "", f": expected JSON, got {error}", _FETCH)
            return
        check_schema_version(document)
        for place, message in schema_errors("manifest", document):
            self._say(rules.MANIFEST, MANIFEST, place, f"{place}: {message}", _FETCH)
        self.manifest = document if isinstance(document, dict) else {}

    @property
    def _version(self) -> int:
        """Version of all shapes when the release was written; ours if the manifest says none."""
        version = self.manifest.get("record_schema_version")
        return version if isinstance(version, int) else SCHEMA_VERSION

    def _listed_files(self) -> list[dict[str, Any]]:
        files = self.manifest.get("files")
        entries = files if isinstance(files, list) else []
        return [
            file for file in entries if isinstance(file, dict) and isinstance(file.get("path"), str)
        ]

    def _entry(self, path: Path) -> dict[str, Any] | None:
        name = path.relative_to(self.folder).as_posix()
        return next((file for file in self._listed_files() if file["path"] == name), None)

    # --- tables

    def _check_table(self, config: str) -> None:
        hashes: list[str] = []
        order: list[tuple[Any, ...]] = []
        for shard in shards_of(self.folder, config):
            name = shard.relative_to(self.folder).as_posix()
            own: list[str] = []
            try:
                self._check_columns(config, shard, name)
                for row in self._rows(config, shard):
                    order.append(_row_order(config, row))
                    own += self._check_row(config, row, name)
            except ReleaseError as error:
                self.findings.append(unreadable(error))
            self._check_entry(shard, name, len(own), combined_hash(own))
            hashes += own
        if order != sorted(order):
            said = f": expected the rows of {config} in natural order of their ids, got another"
            self._say(rules.ORDER, f"data/{config}", "", said, _REPAIR)
        self.parts[config] = combined_hash(hashes)

    def _check_columns(self, config: str, shard: Path, name: str) -> None:
        if self._version == SCHEMA_VERSION:
            for difference in column_differences(shard, arrow_schema(config)):
                self._say(rules.COLUMNS, name, "", f": {difference}", _REPAIR)

    def _rows(self, config: str, shard: Path) -> Iterator[dict[str, Any]]:
        for group in range(group_count(shard)):
            yield from read_group(shard, group, blobs=config == "assets")

    def _check_row(self, config: str, row: dict[str, Any], name: str) -> list[str]:
        """Check one row; gives the content hash of each record it holds that can be read."""
        hashes = []
        if config == "ledger" and row.get("conversation") != row.get("id"):
            self._mismatch(str(row.get("id")), "conversation", row.get("id"), row)
        for kind, inner in record_rows(config, row):
            target = str(inner.get("id") or name)
            try:
                document = document_of(inner, kind)
                record = parse_record(kind, document)
            except RecordError as error:
                said = f"{name}: {error}"
                self.findings.append(rules.RECORD_VALID.finding(target, "", said, _FETCH))
                continue
            if config == "ledger" and conversation_of(record.id) != row.get("id"):
                self._mismatch(record.id, "id", f"{row.get('id')}/...", {"id": record.id})
            if version_of(kind) <= self._version:
                self._compare(record, inner)
            pixels = self._check_blob(record, inner) if isinstance(record, Asset) else None
            hashes.append(document_content_hash(document, pixels))
            self._keep(kind, record, hashes[-1])
        return hashes

    def _keep(self, kind: str, record: Record, digest: str) -> None:
        self.records.setdefault(kind, []).append(record)
        self.hashes[kind, record.id] = digest

    def _compare(self, record: Record, row: dict[str, Any]) -> None:
        for column, value in columns_of(record, record.model_dump(mode="json")).items():
            if column in row and row[column] != value:
                self._mismatch(record.id, column, value, row)

    def _mismatch(self, target: str, column: str, value: object, row: dict[str, Any]) -> None:
        said = f".{column}: expected {_short(value)} as its record says, got {_short(row[column])}"
        self._say(rules.ROW_MATCHES, target, pointer(column), said, _REPAIR)

    def _check_blob(self, asset: Asset, row: dict[str, Any]) -> str | None:
        """Check the bytes of an asset; gives the pixel hash of an image that states none."""
        data = blob_of_row({name: row.get(name) for name in BLOB_COLUMNS})
        if data is None and asset.availability is Availability.PRESENT:
            try:
                data = self.blobs.bytes_at(asset.blob_sha256 or "")
            except BlobError as error:
                self.findings.append(unreadable(error))
                return None
        if asset.availability is not Availability.PRESENT:
            if data is not None:
                said = f": expected no bytes for a {asset.availability} asset, got {len(data)}"
                self._say(rules.BLOB, asset.id, "/availability", said, _REPAIR)
            return None
        if data is None:
            said = ": expected the bytes of a present asset, got none"
            self._say(rules.BLOB, asset.id, "/availability", said, _FETCH)
            self.damaged.add(asset.blob_sha256 or "")
            return None
        if sha256(data) != asset.blob_sha256:
            self.damaged.add(asset.blob_sha256 or "")
            said = f".blob_sha256: expected {asset.blob_sha256}, got bytes of {sha256(data)}"
            self._say(rules.BLOB, asset.id, "/blob_sha256", said, _FETCH)
        if asset.pixel_sha256 or not (asset.media_type or "").startswith("image/"):
            return None
        try:
            return measure(data).pixel_sha256
        except PixelError as error:
            self._say(rules.BLOB, asset.id, "", f": {error}", _FETCH)
            return None

    def _check_offered(self, table: str) -> None:
        """Compare the shards of a table for `datasets` with what the manifest says of them."""
        for shard in offered_shards(self.folder, TABLES[table]):
            name = shard.relative_to(self.folder).as_posix()
            try:
                hashes = [row_hash(row) for row in read_rows(shard)]
            except ReleaseError as error:
                self.findings.append(unreadable(error))
                continue
            self._check_entry(shard, name, len(hashes), combined_hash(hashes))

    # --- logs and hashes

    def _check_log(self, stem: str) -> None:
        path = log_path(self.folder, stem)
        if stem in OCCASIONAL_LOGS and not path.is_file():
            return
        hashes: list[str] = []
        lines = read_lines(path) if path.is_file() else ()
        for number, line in enumerate(lines, start=1):
            name = f"{path.name}:{number}"
            try:
                document = strict_json(line)
                record = parse_record(LOGS[stem], document)
            except ValueError as error:
                said = f": expected JSON, got {error}"
                self._say(rules.READABLE, name, "", said, _FETCH)
            except RecordError as error:
                said = f"{name}: {error}"
                self.findings.append(rules.RECORD_VALID.finding(name, "", said, _FETCH))
            else:
                hashes.append(content_hash(document))
                self._keep(LOGS[stem], record, hashes[-1])
        own = self.records.get(LOGS[stem], [])
        if own != sorted(own, key=record_order):
            said = ": expected the records in natural order of their ids, got another"
            self._say(rules.ORDER, path.name, "", said, _REPAIR)
        self.parts[stem] = combined_hash(hashes)
        if path.is_file():
            self._check_entry(path, path.name, len(hashes), self.parts[stem])

    def _check_entry(self, path: Path, name: str, records: int, digest: str) -> None:
        """Compare what was read from a file with what the manifest says of it."""
        entry = self._entry(path)
        if entry is None:
            return
        if entry.get("records") != records:
            said = f".records: expected {entry.get('records')} readable records, got {records}"
            self._say(rules.COUNT, name, "/records", said, _REPAIR)
        elif entry.get("content_sha256") != digest:
            said = f".content_sha256: expected {entry.get('content_sha256')}, got {digest}"
            self._say(rules.CONTENT_HASH, name, "/content_sha256", said, _FETCH)

    def _check_other_files(self) -> None:
        """Content hashes of the card and of foreign layouts, which hold no records of ours."""
        logs = {f"{stem}.jsonl" for stem in LOGS}
        for entry in self._listed_files():
            name, path = entry["path"], self.folder / entry["path"]
            own = name in logs or name.startswith(("data/", "public/", "gold/"))
            if own or not path.is_file():
                continue
            if entry.get("records") is not None:
                said = f".records: expected none of a file without records, got {entry['records']}"
                self._say(rules.COUNT, name, "/records", said, _REPAIR)
            if (found := file_content_hash(path)) != entry.get("content_sha256"):
                said = f".content_sha256: expected {entry.get('content_sha256')}, got {found}"
                self._say(rules.CONTENT_HASH, name, "/content_sha256", said, _FETCH)


def _row_order(config: str, row: dict[str, Any]) -> tuple[Any, ...]:
    name = str(row.get("id"))
    owner = name if config == "ledger" else conversation_of(name)
    return natural_key(owner), owner, natural_key(name), name


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
