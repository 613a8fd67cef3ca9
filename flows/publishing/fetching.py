"""Releases by name: `OWNER/NAME@TAG` is one on the Hugging Face Hub, all else is a folder."""

import re
from os import PathLike, fspath
from pathlib import Path
from typing import Final

_PART: Final = r"[A-Za-z0-9_][A-Za-z0-9._-]*"
_ON_THE_HUB: Final = re.compile(rf"(?P<name>{_PART}/{_PART})@(?P<revision>[A-Za-z0-9._/-]+)")


def release_folder(where: str | PathLike[str]) -> Path:
    """The folder of a release; one on the Hub is fetched once, and then kept in the Hub's cache.

    Args:
        where: A folder, or `OWNER/NAME@TAG`; a branch or a commit will do in place of a tag.

    Raises:
        PublishError: The Hub has no such release, does not let us, or cannot be reached and the
            cache has none.
    """
    folder = Path(where)
    named = _ON_THE_HUB.fullmatch(fspath(where))
    if named is None or folder.exists():
        return folder
    from memassay.exports.publishing.hub import HubRepository

    return HubRepository(named["name"]).cache_files(named["revision"])
