"""The files of a release folder, compared with the list in its manifest."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.offered import is_offered
from memassay.exports.release.layout import (
    CARD,
    LOGS,
    MANIFEST,
    OCCASIONAL_LOGS,
    is_added_by_hub,
)
from memassay.exports.release.parquet_tables import offered_shards, shards_of
from memassay.exports.release.public.page import CITATION, CROISSANT
from memassay.exports.release.public.tables import tables_in
from memassay.exports.release.rows import CONFIGS
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.hashing import file_sha256
from memassay.schemas.judgements.finding import Finding

_FETCH: Final = "fetch or write the release again"
_REPAIR: Final = "write the release again from its records"


def files_agree(folder: Path, entries: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """Findings about files that are missing, changed, unlisted or listed twice.

    Args:
        folder: The release.
        entries: What the manifest says of each file; each has a `path`.
    """
    listed = {file["path"]: file for file in entries}
    for name, file in listed.items():
        path = folder / name
        inside = ".." not in PurePosixPath(name).parts and not PurePosixPath(name).is_absolute()
        if not inside or not path.is_file():
            yield _finding(rules.FILE_PRESENT, name, "expected a file, got none")
        elif (found := file_sha256(path)) != file.get("sha256"):
            said = f"expected SHA-256 {file.get('sha256')}, got {found}"
            yield _finding(rules.FILE_UNCHANGED, name, said)
        elif path.stat().st_size != file.get("size"):
            said = f"expected {file.get('size')} bytes, got {path.stat().st_size}"
            yield _finding(rules.FILE_UNCHANGED, name, said, "/size", _REPAIR)
    for name in sorted(_find_files(folder) - set(listed)):
        said = "expected no file outside the manifest, got one"
        yield _finding(rules.FILE_LISTED, name, said, "", "remove the file")
    for name in _needed_files(folder):
        if name not in listed and not (folder / name).is_file():
            yield _finding(rules.FILE_PRESENT, name, "expected a file of the layout, got none")
    counted = Counter(file["path"] for file in entries)
    for name in sorted(name for name, number in counted.items() if number > 1):
        said = "expected one entry of a file in the manifest, got more"
        yield _finding(rules.FILE_LISTED, name, said, "", "remove the entry")


def _finding(rule: Rule, name: str, said: str, where: str = "", fix: str = _FETCH) -> Finding:
    return rule.finding(name, where, f"{name}: {said}", fix)


def _find_files(folder: Path) -> set[str]:
    files = (path for path in folder.rglob("*") if not path.is_dir())
    names = {path.relative_to(folder).as_posix() for path in files} - {MANIFEST}
    return {name for name in names if not is_added_by_hub(name)}


def _needed_files(folder: Path) -> list[str]:
    needed = [CARD, *(f"{stem}.jsonl" for stem in LOGS if stem not in OCCASIONAL_LOGS)]
    for config in CONFIGS:
        needed += _shard_names(f"data/{config}/train", shards_of(folder, config))
    if is_offered(folder):
        needed += [CITATION, CROISSANT]
        for place in tables_in(folder).values():
            needed += _shard_names(f"{place}/test", offered_shards(folder, place))
    return needed


def _shard_names(start: str, shards: Sequence[Path]) -> list[str]:
    """The shards that a table has, going by the number in the name of the first."""
    total = shards[0].stem.rpartition("-")[2] if shards else "00001"
    number = int(total) if total.isdigit() else 1
    return [f"{start}-{at:05d}-of-{number:05d}.parquet" for at in range(number)]
