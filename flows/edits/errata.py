"""Errata of our own releases: what people report, list and decide."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memassay.exports.release.layout import record_order
from memassay.exports.release.public.tables import public_ids
from memassay.exports.release.reader import Release, open_release
from memassay.flows.store.errata_file import read_errata, write_errata
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.erratum import ErratumStatus, ReleasedErratum
from memassay.schemas.records.question import QAItem


def add_erratum(
    release: Path, item: str, problem: str, reporter: str, file: Path
) -> ReleasedErratum:
    """Report that an item of a release is wrong.

    The same problem of the same item in another version of the release joins what was reported.

    Args:
        release: Folder of the release.
        item: Id of the record, or the one under which `default` asks it.
        problem: What is wrong, in a sentence.
        reporter: Pseudonym.
        file: Where errata are kept; it is made if it is not there.

    Raises:
        UsageError: There is no such release or item, nothing is said of it, the same was reported
            before, or the file holds something else.
        ReleaseError: A file of the release is damaged.
    """
    problem, reporter = " ".join(problem.split()), reporter.strip()
    if not problem or not reporter:
        raise UsageError("erratum: expected a reason and a reporter, got an empty text; say both")
    opened = open_release(release)
    found, asked_as = _item(opened, item)
    manifest = opened.manifest
    with _changing(file) as errata:
        state = content_hash(found)
        same = next(
            (
                one
                for one in errata.values()
                if (one.release, one.item, one.item_sha256, one.problem)
                == (manifest.name, found.id, state, problem)
            ),
            None,
        )
        if same and manifest.version in same.versions:
            raise UsageError(f"{found.id}: expected something new, got what {same.id} says already")
        if same:
            versions = [*same.versions, manifest.version]
            errata[same.id] = same.model_copy(update={"versions": versions})
            return errata[same.id]
        number = max((int(name[1:]) for name in errata), default=0) + 1
        erratum = ReleasedErratum(
            id=f"E{number:04d}",
            release=manifest.name,
            versions=[manifest.version],
            item=found.id,
            asked_as=asked_as,
            item_sha256=state,
            problem=problem,
            reporter=reporter,
        )
        errata[erratum.id] = erratum
    return erratum


def listed_errata(file: Path) -> list[ReleasedErratum]:
    """All errata of a file, by id.

    Raises:
        UsageError: There is no such file, or it holds something else.
    """
    return sorted(read_errata(file), key=record_order)


def decide_erratum(
    file: Path, name: str, status: ErratumStatus, decided_by: str, comment: str
) -> ReleasedErratum:
    """Say whether an item is wrong indeed; what was decided last holds.

    Raises:
        UsageError: There is no such file or erratum.
    """
    if not file.is_file():
        raise UsageError(f"{file}: expected a file of errata, got none; check the path")
    with _changing(file) as errata:
        if name not in errata:
            known = ", ".join(list(errata)[:5]) or "none"
            raise UsageError(f"{file}: expected an erratum of it, such as {known}, got {name!r}")
        changes = {"status": status, "decided_by": decided_by, "comment": comment}
        errata[name] = errata[name].model_copy(update=changes)
    return errata[name]


def _item(release: Release, name: str) -> tuple[QAItem, str]:
    for bundle in release.bundles():
        asked = public_ids(bundle)
        for item in bundle.questions:
            if name in (item.id, asked[item.id], item.public_id):
                return item, asked[item.id]
    raise UsageError(
        f"{release.folder}: expected the id of one of its items, got {name!r}; "
        "`id` of the tables `default` and `questions` is one"
    )


@contextmanager
def _changing(file: Path) -> Iterator[dict[str, ReleasedErratum]]:
    """The errata of a file by id, written again at the end; nobody else changes it meanwhile."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(file.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        errata = {one.id: one for one in read_errata(file)} if file.exists() else {}
        yield errata
        write_errata(file, list(errata.values()))
    finally:
        os.close(handle)
