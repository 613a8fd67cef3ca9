"""Files of a repository beside those of a release: what an upload adds, changes, deletes, keeps.

A repository may hold files that no release has written: an image of its page, a script. They are
kept, and they are none of the release that is read from it. Files of an earlier version go.
"""

from collections.abc import Collection, Mapping
from hashlib import sha1, sha256
from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.exports.release.agreement.ownership import is_owned
from memassay.exports.release.layout import MANIFEST, is_added_by_hub
from memassay.schemas.base import Shape


class FileChanges(Shape):
    """What an upload does to the files of a repository; those that do not change are in no list."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    kept: Annotated[tuple[str, ...], Field(description="Files that are of no release.")] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is to be uploaded or deleted."""
        return not (self.added or self.changed or self.deleted)


def foreign_files(there: Collection[str], listed: Collection[str]) -> list[str]:
    """Files of a repository that neither a release nor the Hub has written, in order.

    Args:
        there: All paths in the repository.
        listed: Those that the manifest in it lists.
    """
    ours = {MANIFEST, *listed}
    return sorted(
        name
        for name in there
        # A shard that no manifest lists would be loaded with the tables all the same.
        if name not in ours and not is_owned(name, ()) and not is_added_by_hub(name)
    )


def file_changes(
    folder: Path, there: Mapping[str, str], listed: Collection[str], *, replace: bool
) -> FileChanges:
    """Compare a release with the files of a repository.

    Args:
        folder: The release.
        there: Ids of files by path, as the Hub gives them: SHA-256 of LFS objects, else git's.
        listed: Paths that the manifest in the repository lists.
        replace: Whether foreign files go.
    """
    local = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    ours = {
        name: path for name, path in local.items() if path.is_file() and not is_added_by_hub(name)
    }
    kept = [] if replace else [one for one in foreign_files(there, listed) if one not in ours]
    others = {name for name in there if name not in ours and not is_added_by_hub(name)}
    return FileChanges(
        added=tuple(sorted(ours.keys() - there.keys())),
        changed=tuple(
            sorted(
                name
                for name in ours.keys() & there.keys()
                if there[name] not in _ids(ours[name].read_bytes())
            )
        ),
        deleted=tuple(sorted(others - set(kept))),
        kept=tuple(kept),
    )


def _ids(data: bytes) -> tuple[str, str]:
    """What the Hub calls a file with this content: as an LFS object, and as one of git."""
    blob = sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    return sha256(data).hexdigest(), blob
