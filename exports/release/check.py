"""Checks a release folder without stopping at the first damage.

Each part of the folder is read as far as it goes; what is broken becomes a finding, and the
records that can still be read are given back, so that the ordinary rules can look at them too.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
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
)
from memassay.exports.release.blobs import ReleaseBlobs
from memassay.exports.release.checking.pieces import (
    LogPiece,
    Looked,
    OfferedPiece,
    Piece,
    Reading,
    Rows,
    RowsPiece,
    pieces_of_files,
    pieces_of_table,
)
from memassay.exports.release.checking.read_pieces import read_piece
from memassay.exports.release.checking.row_checks import FETCH, REPAIR
from memassay.exports.release.checking.said import Said
from memassay.exports.release.checking.spill import Spill, SpilledBundles, SpilledRecords
from memassay.exports.release.consistency import consistency
from memassay.exports.release.layout import (
    LOGS,
    MANIFEST,
    OCCASIONAL_LOGS,
    check_schema_version,
    demand_folder,
    log_path,
    manifest_document,
)
from memassay.exports.release.parquet_tables import (
    arrow_schema,
    column_differences,
    offered_shards,
    shards_of,
)
from memassay.exports.release.public.tables import TABLES
from memassay.exports.release.rows import CONFIGS
from memassay.exports.release.secret_scan import EXPECTED
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import InTurn, Mapper
from memassay.schemas.contracts.protocols import ImportFormat
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.errors import ReleaseError
from memassay.schemas.hashing import combined_hash
from memassay.schemas.json_schemas import schema_errors
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision
from memassay.schemas.kinds import SCHEMA_VERSION
from memassay.schemas.records.bundle import Bundle

_WITHDRAW: Final = "make the key invalid, and write the release again without it"


class ReleaseCheck(NamedTuple):
    """What `check_release` gives.

    Attributes:
        findings: Every breach of a release rule, in the order found, each once.
        bundles: The conversations that can be read, with those of their records that can; each is
            read when it is asked for.
        decisions: What people accepted, in the states they saw.
        records: Every record that can be read, by kind; those of data are read when asked for.
        recipe: What the manifest says was asked for; empty if it does not say.
    """

    findings: list[Finding]
    bundles: Sequence[Bundle]
    decisions: list[Decision]
    records: Mapping[str, Sequence[Record]]
    recipe: Mapping[str, Any]


def check_release(
    path: str | PathLike[str],
    formats: Mapping[str, ImportFormat] = MappingProxyType({}),
    mapper: Mapper | None = None,
) -> ReleaseCheck:
    """Check the files, tables, logs, manifest and layouts of a release folder.

    Args:
        path: The release.
        formats: Foreign layouts that can be written again, by name; others are not compared.
        mapper: Has its pieces read; one after the other if there is none.

    Raises:
        UsageError: There is no such folder.
        MigrationError: A newer memassay wrote it; nothing can be said of its records.
    """
    folder = Path(path)
    demand_folder(folder)
    check = _Check(folder, mapper or InTurn())
    check.run()
    check.findings += check.layouts(formats)
    findings = {finding.id: finding for finding in check.findings}
    records = check.records
    decisions = [one for one in records.get("decision", ()) if isinstance(one, Decision)]
    return ReleaseCheck(list(findings.values()), check.bundles, decisions, records, check.recipe)


class _Check:
    """One pass over a folder; collects findings and the records that can be read."""

    def __init__(self, folder: Path, mapper: Mapper) -> None:
        self.folder, self.mapper = folder, mapper
        self.findings: list[Finding] = []
        self.manifest: dict[str, Any] = {}
        self.blobs = ReleaseBlobs(folder)
        self.damaged: set[str] = set()
        self.spill = Spill.temporary()
        self.said = Said()

    def run(self) -> None:
        """Check everything, from the manifest to what records say of each other."""
        self._read_manifest()
        found = files_agree(self.folder, self._listed_files())
        # Where no manifest lists anything, one finding says so, and not one for each file.
        listed = bool(self.manifest)
        self.findings += [one for one in found if listed or one.rule != rules.FILE_LISTED.id]
        self._read()
        self.bundles = SpilledBundles(self.spill)
        self.findings += consistency(self.folder, self.manifest, self.said)
        if self.manifest and not any(map(hides_data, self.findings)):
            own = (self.manifest, self.said, self.bundles, self.blobs)
            self.findings += description_agrees(self.folder, *own)

    @property
    def recipe(self) -> dict[str, Any]:
        """What the manifest says was asked for."""
        recipe = self.manifest.get("recipe")
        return recipe if isinstance(recipe, dict) else {}

    @property
    def records(self) -> dict[str, Sequence[Record]]:
        """Every readable record by kind."""
        return {
            kind: self.said.kept.get(kind) or SpilledRecords(self.spill, kind, len(briefs))
            for kind, briefs in self.said.briefs.items()
        }

    def layouts(self, formats: Mapping[str, ImportFormat]) -> Iterator[Finding]:
        """Findings about tables and layouts that are made of records, if these can be read."""
        if any(map(hides_data, self.findings)):
            return
        yield from offered_agrees(self.folder, self.bundles, self.damaged)
        yield from layouts_agree(self.folder, self.recipe, self.bundles, self.blobs, formats)

    def _say(self, rule: Rule, target: str, where: str, message: str, fix: str) -> None:
        self.findings.append(rule.finding(target, where, f"{target}{message}", fix))

    # --- manifest and files

    def _read_manifest(self) -> None:
        path = self.folder / MANIFEST
        if not path.exists():
            self._say(rules.MANIFEST, MANIFEST, "", ": expected the manifest, got none", FETCH)
            return
        try:
            document = manifest_document(path)
        except ValueError as error:
            self._say(rules.MANIFEST, MANIFEST, "", f": expected JSON, got {error}", FETCH)
            return
        check_schema_version(document)
        for place, message in schema_errors("manifest", document):
            self._say(rules.MANIFEST, MANIFEST, place, f"{place}: {message}", FETCH)
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

    # --- tables, logs and other files, in pieces

    def _read(self) -> None:
        """Read every piece; findings come in the order of tables, logs and other files."""
        reading = Reading(self.folder, self.spill.folder, self._version)
        unread: dict[Path, ReleaseError] = {}
        tables = {config: list(self._rows_pieces(config, unread)) for config in CONFIGS}
        logs = [piece for stem in LOGS for piece in self._log_pieces(stem)]
        offered = [piece for table in TABLES for piece in self._offered_pieces(table)]
        others = self._other_files()
        hashed = list(
            pieces_of_files([self.folder / one["path"] for one in others], searched=False)
        )
        every = sorted(path for path in self.folder.rglob("*") if path.is_file())
        searched = list(pieces_of_files(every, searched=True))
        pieces: list[Piece] = [piece for own in tables.values() for piece in own]
        pieces += [*logs, *offered, *hashed, *searched]
        found = self.mapper.map(
            read_piece, reading, pieces, lambda one: float(one.size), lambda one: one.name
        )
        for config, own in tables.items():
            self._take_table(config, own, found, unread)
        for log in logs:
            self._take_log(log, _rows(next(found)))
        self.said.parts |= {
            stem: combined_hash(())
            for stem in LOGS
            if stem not in OCCASIONAL_LOGS and stem not in self.said.parts
        }
        for shard in offered:
            self._take_offered(shard.shard, _files_of(next(found)))
        contents = [text for _ in hashed for (text,) in _files_of(next(found)).texts]
        self._take_other_files(others, contents)
        places = [own for _ in searched for own in _files_of(next(found)).texts]
        for path, own_places in zip(every, places, strict=True):
            for place in own_places:
                name = path.relative_to(self.folder).as_posix()
                self._say(rules.SECRET, name, "", f"{place}: {EXPECTED}", _WITHDRAW)

    def _rows_pieces(self, config: str, unread: dict[Path, ReleaseError]) -> Iterator[RowsPiece]:
        """The pieces of a table; of a shard that cannot be read there are none."""
        for shard in shards_of(self.folder, config):
            try:
                yield from pieces_of_table(shard, config)
            except ReleaseError as error:
                unread[shard] = error

    def _take_table(
        self,
        config: str,
        pieces: Sequence[RowsPiece],
        found: Iterator[Rows | Looked],
        unread: Mapping[Path, ReleaseError],
    ) -> None:
        """Take what pieces of a table gave; of a shard, none after one that cannot be read."""
        hashes: list[str] = []
        ends: list[tuple[Any, Any]] = []
        is_sorted = True
        by_shard = {shard: [*own] for shard, own in groupby(pieces, lambda piece: piece.shard)}
        for shard in shards_of(self.folder, config):
            name = shard.relative_to(self.folder).as_posix()
            own: list[str] = []
            error = unread.get(shard)
            if error is None:
                self._check_columns(config, shard, name)
            for _ in by_shard.get(shard, ()):
                rows = _rows(next(found))
                if error is not None:
                    continue
                own += self._take(rows)
                is_sorted &= rows.is_sorted
                ends += [rows.ends] if rows.ends else []
                error = rows.error
            if error is not None:
                self.findings.append(rules.unreadable(error))
            self._check_entry(shard, name, len(own), combined_hash(own))
            hashes += own
        if not is_sorted or any(a[1] > b[0] for a, b in pairwise(ends)):
            said = f": expected the rows of {config} in natural order of their ids, got another"
            self._say(rules.ORDER, f"data/{config}", "", said, REPAIR)
        self.said.parts[config] = combined_hash(hashes)

    def _take(self, rows: Rows) -> list[str]:
        """Take the records and findings of a piece; gives the content hashes of its records."""
        self.findings += rows.findings
        self.damaged |= rows.damaged
        self.spill.add(rows.blocks)
        self.said.take(rows)
        return [brief.sha256 for _, brief in rows.briefs]

    def _check_columns(self, config: str, shard: Path, name: str) -> None:
        if self._version == SCHEMA_VERSION:
            for difference in column_differences(shard, arrow_schema(config)):
                self._say(rules.COLUMNS, name, "", f": {difference}", REPAIR)

    def _log_pieces(self, stem: str) -> Iterator[LogPiece]:
        path = log_path(self.folder, stem)
        if path.is_file():
            yield LogPiece(stem, path, path.stat().st_size)

    def _take_log(self, piece: LogPiece, rows: Rows) -> None:
        hashes = self._take(rows)
        if not rows.is_sorted:
            said = ": expected the records in natural order of their ids, got another"
            self._say(rules.ORDER, piece.name, "", said, REPAIR)
        self.said.parts[piece.stem] = combined_hash(hashes)
        self._check_entry(piece.path, piece.name, len(hashes), self.said.parts[piece.stem])

    def _offered_pieces(self, table: str) -> Iterator[OfferedPiece]:
        for shard in offered_shards(self.folder, TABLES[table]):
            yield OfferedPiece(shard, shard.stat().st_size)

    def _take_offered(self, shard: Path, found: Looked) -> None:
        """Compare a shard of a table for `datasets` with what the manifest says of it."""
        if found.error is not None:
            self.findings.append(rules.unreadable(found.error))
            return
        (hashes,) = found.texts
        name = shard.relative_to(self.folder).as_posix()
        self._check_entry(shard, name, len(hashes), combined_hash(hashes))

    def _check_entry(self, path: Path, name: str, records: int, digest: str) -> None:
        """Compare what was read from a file with what the manifest says of it."""
        entry = self._entry(path)
        if entry is None:
            return
        if entry.get("records") != records:
            said = f".records: expected {entry.get('records')} readable records, got {records}"
            self._say(rules.COUNT, name, "/records", said, REPAIR)
        elif entry.get("content_sha256") != digest:
            said = f".content_sha256: expected {entry.get('content_sha256')}, got {digest}"
            self._say(rules.CONTENT_HASH, name, "/content_sha256", said, FETCH)

    def _other_files(self) -> list[dict[str, Any]]:
        """Entries of the card and of foreign layouts, which hold no records of ours."""
        logs = {f"{stem}.jsonl" for stem in LOGS}
        return [
            entry
            for entry in self._listed_files()
            if entry["path"] not in logs
            and not entry["path"].startswith(("data/", "public/", "gold/"))
            and (self.folder / entry["path"]).is_file()
        ]

    def _take_other_files(self, entries: Sequence[dict[str, Any]], found: Sequence[str]) -> None:
        for entry, sha256 in zip(entries, found, strict=True):
            name = entry["path"]
            if entry.get("records") is not None:
                said = f".records: expected none of a file without records, got {entry['records']}"
                self._say(rules.COUNT, name, "/records", said, REPAIR)
            if sha256 != entry.get("content_sha256"):
                said = f".content_sha256: expected {entry.get('content_sha256')}, got {sha256}"
                self._say(rules.CONTENT_HASH, name, "/content_sha256", said, FETCH)


def _rows(found: Rows | Looked) -> Rows:
    assert isinstance(found, Rows)
    return found


def _files_of(found: Rows | Looked) -> Looked:
    assert isinstance(found, Looked)
    return found
