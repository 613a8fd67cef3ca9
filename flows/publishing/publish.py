"""`memassay publish`: a release folder becomes a version of a data set on the Hugging Face Hub.

Everything that can be refused is looked at first, and without `upload` nothing else happens. The
folder goes up as it is, in one commit. Files that arrived stay there when a run is killed, and so
do files of the repository that no release has written. What was pushed is fetched and compared
file by file, loaded by `datasets` in a fresh process, and only then tagged; a tag is never moved.
"""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

from pydantic import Field

from memassay.exports.publishing.croissant_check import check_croissant
from memassay.exports.publishing.hub import HubRepository
from memassay.exports.publishing.refusals import Refusal, refusals
from memassay.exports.publishing.repository_files import FileChanges
from memassay.exports.release.reader import Release, open_release
from memassay.flows.publishing.loading import LoadedTable, load_afresh
from memassay.flows.publishing.versions import due, newest, next_version, tag_of, version_of
from memassay.flows.services.checks import validate_path
from memassay.flows.services.drafts import changes_between
from memassay.flows.store.status import DraftChanges
from memassay.schemas.base import Shape
from memassay.schemas.errors import PublishError, ReleaseError, UsageError
from memassay.schemas.judgements.finding import Severity

_SHOWN: Final = 10
"""Refusals that an error lists; `validate` lists all findings."""


@dataclass(frozen=True)
class Wish:
    """What somebody wants of a publication.

    Attributes:
        upload: Do it, in place of only showing what would be done.
        public: Make a new repository public.
        create_pr: Put the commit into a pull request.
        gated: `auto` or `manual`, how readers get access; empty to leave that as it is.
        allow_gold_change: Whether golds may differ from those of the version before.
        check_croissant: Also read `croissant.json` with `mlcroissant`, an extra.
        replace: Whether files of the repository that no release has written are deleted.
    """

    upload: bool = False
    public: bool = False
    create_pr: bool = False
    gated: str = ""
    allow_gold_change: bool = False
    check_croissant: bool = False
    replace: bool = False


class PublishReport(Shape):
    """What was published, or would be."""

    repository: str
    tag: str
    files: int
    size: Annotated[int, Field(description="Bytes of all files.")]
    paths: Annotated[FileChanges, Field(description="What an upload does to the repository.")]
    tables: Annotated[list[LoadedTable], Field(description="As `datasets` loads them.")]
    before: Annotated[str | None, Field(description="Tag of the version before, if any.")]
    changes: Annotated[DraftChanges | None, Field(description="Against the version before.")]
    visibility: Annotated[str, Field(description="`private` or `public`.")]
    new: Annotated[bool, Field(description="Whether there was no such repository before.")]
    uploaded: Annotated[bool, Field(description="Whether this call did it.")]
    commit: Annotated[str | None, Field(description="What the tag names; null for a dry run.")]
    pull_request: Annotated[str | None, Field(description="Where it waits to be merged.")]
    unknown: Annotated[str, Field(description="Why versions on the Hub were not looked up.")]


def publish(folder: Path, name: str, wish: Wish) -> PublishReport:
    """Publish a release, or say what that would do.

    Args:
        folder: The release.
        name: The repository, `OWNER/NAME`.
        wish: How; by default nothing is uploaded.

    Raises:
        UsageError: The release must not be published as it is, or under this version or name.
        ReleaseError: A file of it is damaged.
        PublishError: The Hub does not take it, or gave other files back.
    """
    repository = HubRepository(name)
    repository.demand_name()
    release = open_release(folder)
    _refuse_unfit(release)
    if wish.check_croissant:
        check_croissant(folder)
    tables = load_afresh(folder.resolve())
    tags, unknown = _versions(repository, wish)
    tag = tag_of(release.manifest.version)
    seen = None if unknown else repository.visibility()
    with TemporaryDirectory(prefix="memassay-") as scratch:
        published = _find_published(repository, tags, tag, Path(scratch) / "before")
        changes = _changes(published, folder)
        if published and published.tag == tag:
            _demand_same(published, release)
        elif published and changes:
            _demand_version(published, changes, release, wish)
        commit = tags.get(tag)
        to_upload = wish.upload and commit is None
        pull_request = None
        paths = FileChanges()
        if commit is None and not unknown:
            paths = repository.changes(folder, replace=wish.replace)
        if to_upload:
            commit, pull_request = _upload(repository, release, wish, tables)
    return PublishReport(
        repository=name,
        tag=tag,
        files=len(release.manifest.files) + 1,
        size=sum(file.size for file in release.manifest.files),
        paths=paths,
        tables=tables,
        before=published.tag if published else None,
        changes=changes,
        visibility=seen or ("public" if wish.public else "private"),
        new=seen is None and not unknown,
        uploaded=to_upload,
        commit=commit,
        pull_request=pull_request,
        unknown=unknown,
    )


def _versions(repository: HubRepository, wish: Wish) -> tuple[dict[str, str], str]:
    """Commits by tag; for a trial also without an answer, with the reason."""
    try:
        return repository.versions(), ""
    except PublishError as error:
        if wish.upload:
            raise
        return {}, str(error)


@dataclass(frozen=True)
class _Published:
    """A version that is on the Hub, fetched."""

    tag: str
    folder: Path


def _refuse_unfit(release: Release) -> None:
    report = validate_path(release.folder)
    unfit = [
        Refusal(finding.target, f"{finding.rule}: {finding.message}", finding.fix)
        for finding in report.findings
        if finding.severity is Severity.ERROR
    ]
    unfit += refusals(release)
    if unfit:
        shown = "; ".join(f"{one.where}: {one.problem} ({one.fix})" for one in unfit[:_SHOWN])
        more = f"; and {len(unfit) - _SHOWN} more" if len(unfit) > _SHOWN else ""
        raise UsageError(
            f"{release.folder}: expected a release that may be published, got {shown}{more}"
        )


def _find_published(
    repository: HubRepository, tags: dict[str, str], tag: str, out: Path
) -> _Published | None:
    """The version of this tag if there is one, else the newest one."""
    found = tag if tag in tags else newest(tags)
    if not found:
        return None
    folder = repository.fetch(found, out)
    try:
        open_release(folder).verify()
    except ReleaseError as error:
        raise PublishError(
            f"{repository.name}@{found}: expected the release that was published, got {error}; if "
            "the tag was moved, let it name its commit again"
        ) from error
    return _Published(found, folder)


def _changes(published: _Published | None, folder: Path) -> DraftChanges | None:
    return changes_between(published.folder, folder) if published else None


def _demand_same(published: _Published, release: Release) -> None:
    there = open_release(published.folder).manifest
    if there.files == release.manifest.files:
        return
    bump = due(changes_between(published.folder, release.folder))
    raise UsageError(
        f"{release.folder}: expected what is published as {published.tag}, got other content; the "
        f"change is a {bump} one: set `version: {next_version(version_of(there.version), bump)}` "
        "in the recipe and run it again"
    )


def _demand_version(
    published: _Published, changes: DraftChanges, release: Release, wish: Wish
) -> None:
    if changes.gold and not wish.allow_gold_change:
        raise UsageError(
            f"{release.folder}: expected the golds of {published.tag}, got {changes.gold} others; "
            "scores would no longer compare. Say --allow-gold-change if that is meant"
        )
    bump = due(changes)
    least = next_version(version_of(published.tag.removeprefix("v")), bump)
    if version_of(release.manifest.version) < version_of(least):
        silent = changes.removed - changes.withdrawn
        why = f", {silent} of its items being gone without an erratum" if silent else ""
        raise UsageError(
            f"{release.folder}: expected version {least} or higher after {published.tag}, as the "
            f"change is a {bump} one{why}, got {release.manifest.version}; set it in the recipe "
            "and run it again"
        )


def _upload(
    repository: HubRepository, release: Release, wish: Wish, tables: list[LoadedTable]
) -> tuple[str, str | None]:
    """Push, verify, tag; gives the commit, and the pull request it is in."""
    repository.create(private=not wish.public)
    if wish.gated:
        repository.gate(wish.gated)
    manifest = release.manifest
    message = f"{manifest.name} {manifest.version}"
    pushed = repository.upload(
        release.folder, message, create_pr=wish.create_pr, replace=wish.replace
    )
    with TemporaryDirectory(prefix="memassay-") as scratch:
        fetched = open_release(repository.fetch(pushed.commit, Path(scratch)))
        if fetched.manifest != manifest:
            raise PublishError(f"{repository.name}: expected our manifest back, got another")
    loaded = load_afresh(repository.name, pushed.commit)
    if loaded != tables:
        raise PublishError(f"{repository.name}: expected {tables} loaded from it, got {loaded}")
    if pushed.pull_request is None:
        repository.tag(tag_of(manifest.version), pushed.commit)
    return pushed.commit, pushed.pull_request
