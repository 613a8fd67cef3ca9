"""`memassay release bump`: a draft becomes a version of its name, with the number that is due."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from memassay.exports.release.agreement.identity import IDENTITY, identity_hash
from memassay.exports.release.layout import FORMATS, LOGS, MANIFEST
from memassay.exports.release.parts.merging import ReleaseHead
from memassay.exports.release.parts.packing import make_part
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.reading.log_records import log_records
from memassay.exports.release.writer import write_parts
from memassay.flows.publishing.versions import Bump, due, next_version, version_of
from memassay.flows.services.drafts import changes_between
from memassay.flows.stages.import_stage import foreign_format
from memassay.flows.store.status import DraftChanges
from memassay.schemas.base import Record, Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.kinds import DATA_KINDS, kind_of


class BumpReport(Shape):
    """The version that a release has become."""

    release: Annotated[str, Field(description="Its folder, NAME-VERSION.")]
    version: str
    before: Annotated[str | None, Field(description="Folder of the version before, if any.")]
    due: Annotated[Bump | None, Field(description="What it changes; null for the first.")]


def bump_release(folder: Path, since: Path | None, *, allow_gold_change: bool) -> BumpReport:
    """Write a release under the version that its changes are due, beside where it lies.

    Args:
        folder: The release, mostly a draft.
        since: The version before; by default the highest of its name beside it.
        allow_gold_change: Whether golds may differ from that one.

    Raises:
        UsageError: Golds differ, or `since` is a release of another name.
        ReleaseError: A file is damaged, or the version is there with other content.
    """
    release = open_release(folder)
    before = open_release(since) if since is not None else _version_before(release)
    if before is None:
        return _write_report(release, release.manifest.version, None, None)
    if before.manifest.name != release.manifest.name:
        raise UsageError(
            f"{before.folder}: expected a release of {release.manifest.name}, got one of "
            f"{before.manifest.name}"
        )
    changes = changes_between(before.folder, folder)
    old = before.manifest.version
    if changes == _NOTHING and before.manifest.licence == release.manifest.licence:
        return BumpReport(
            release=str(before.folder), version=old, before=str(before.folder), due=None
        )
    if changes.gold and not allow_gold_change:
        raise UsageError(
            f"{folder}: expected the golds of {old}, got {changes.gold} others; scores would no "
            "longer compare. Say --allow-gold-change if that is meant"
        )
    kind = due(changes)
    least = next_version(version_of(old), kind)
    own = release.manifest.version
    return _write_report(release, max(own, least, key=version_of), before, kind)


_NOTHING = DraftChanges(added=0, removed=0, gold=0, changed=0, rounds=0, images=0)


def _version_before(release: Release) -> Release | None:
    """The highest version of the same name beside a release; drafts have a hash behind theirs."""
    name = release.manifest.name
    found = []
    for path in release.folder.resolve().parent.glob(f"*/{MANIFEST}"):
        other = open_release(path.parent, verify=False)
        if path.parent.name == f"{name}-{other.manifest.version}" and other.manifest.name == name:
            found.append(other)
    return max(found, key=lambda one: version_of(one.manifest.version), default=None)


def _write_report(
    release: Release, version: str, before: Release | None, kind: Bump | None
) -> BumpReport:
    target = release.folder.resolve().parent / f"{release.manifest.name}-{version}"
    head = _head(release, version)
    if IDENTITY in release.manifest.recipe:
        digest = identity_hash(head.recipe, head.licence, _hashes(release))
        head = replace(head, recipe={**head.recipe, IDENTITY: digest})
    parts = (make_part(bundle, release.blobs, head.foreign) for bundle in release.bundles())
    logs = {stem: log_records(release.folder, stem, Record) for stem in LOGS}
    write_parts(target, head, parts, logs, release.blobs)
    return BumpReport(
        release=str(target),
        version=version,
        before=str(before.folder) if before else None,
        due=kind,
    )


def _hashes(release: Release) -> Iterator[tuple[str, str, str]]:
    """Kind, id and content hash of every record of a release, data of logs once."""
    data = (one for bundle in release.bundles() for one in bundle.records())
    beside = (
        one
        for stem, kind in LOGS.items()
        if kind not in DATA_KINDS
        for one in log_records(release.folder, stem, Record)
    )
    for one in chain(data, beside):
        yield kind_of(one), one.id, content_hash(one)


def _head(release: Release, version: str) -> ReleaseHead:
    """What a release is, under another version."""
    manifest = release.manifest
    asked: dict[str, Any] = {k: v for k, v in manifest.recipe.items() if k != IDENTITY}
    if isinstance(asked.get("release"), dict):
        asked["release"] = {**asked["release"], "version": version}
    layouts = release.folder / FORMATS
    names = sorted(path.name for path in layouts.iterdir()) if layouts.is_dir() else []
    return ReleaseHead(
        name=manifest.name,
        version=version,
        licence=manifest.licence,
        conversations=[one.id for one in release.conversations()],
        gates=manifest.gates,
        recipe=asked,
        foreign={name: foreign_format(name) for name in names},
    )
