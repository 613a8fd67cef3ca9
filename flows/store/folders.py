"""Folders: the usual workspace, and output that appears whole or not at all."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.files import DATA, open_file

USUAL_WORKSPACE: Final = Path("workspace")
"""Where runs live if nobody says another folder."""


def demand_data(path: Path) -> None:
    """Refuse a path at which nothing lies, or no plain file and no folder.

    Raises:
        UsageError: There is no such file or folder; the message names a likely one.
    """
    if path.is_dir():
        return
    if path.exists():
        open_file(path, DATA).close()
    else:
        from memassay.exports.release.layout import likely

        raise UsageError(
            f"{path}: expected a release, records or a foreign file, got none; {likely(path)}"
        )


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to fill, which gets its name at the end of the block if nothing was raised.

    Raises:
        UsageError: Something other than an empty folder has the name.
    """
    if (out.exists() or out.is_symlink()) and not (out.is_dir() and not any(out.iterdir())):
        raise UsageError(f"{out}: expected a new or empty folder; choose another with --out")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{out}: expected a place for a new folder: {error.strerror}") from error
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as partial:
        filled = Path(partial) / "whole"
        filled.mkdir()
        yield filled
        filled.rename(out)
