"""The address of a workspace: a folder, or a database on a server and where its files are."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlencode

from memassay.flows.store.folders import USUAL_WORKSPACE
from memassay.schemas.errors import UsageError

if TYPE_CHECKING:
    from sqlalchemy.engine import URL

FILES: Final = "files"
"""Part of an address that says where blobs and releases are."""
FOLDER: Final = "folder"
"""Part of an address that says what folder this machine writes to."""

_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_PASSWORD: Final = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")


@dataclass(frozen=True)
class Address:
    """A workspace whose database is on a server.

    Attributes:
        database: URL of the database.
        files: Folder, or URL of an object store, with the blobs and releases.
        folder: Folder of this machine: the files, or where releases are written before they go
            there.
    """

    database: "URL"
    files: str
    folder: Path

    @property
    def url(self) -> str:
        """The address, its password in it, to be given to a process of ours."""
        return self._with(self.database.render_as_string(hide_password=False))

    def __str__(self) -> str:
        """The address as it may be shown: without a password."""
        return mask_passwords(self._with(self.database.render_as_string()))

    def _with(self, database: str) -> str:
        parts = {FILES: self.files}
        if is_url(self.files):
            parts[FOLDER] = str(self.folder)
        joint = "&" if "?" in database else "?"
        return f"{database}{joint}{urlencode(parts, safe='/:@')}"


Place: TypeAlias = Path | Address
"""Where a workspace lives."""


def is_url(text: str) -> bool:
    """Whether something is a URL, and no path of a file or folder."""
    return _URL.match(text) is not None


def mask_passwords(url: str) -> str:
    """A URL without the passwords in it."""
    return _PASSWORD.sub(r"\1:***@", url)


def place_of(text: str) -> Place:
    """Where a workspace lives, as somebody writes it.

    Args:
        text: A folder, or `postgresql+psycopg://name@host/database?files=PLACE`, the place being a
            folder or the URL of an object store such as `s3://bucket/prefix`. With an object
            store, `&folder=DIR` names where this machine writes its releases first; by default
            that is a folder by the name of the database in the usual workspace.

    Raises:
        UsageError: It is a URL of something else, or says nothing about files.
    """
    if not is_url(text):
        return Path(text)
    # Only those who have a server load what knows its URLs.
    from memassay.flows.store.database.servers import server_url

    url = server_url(text, "workspace")
    given = {name: _only(name, url) for name in (FILES, FOLDER) if name in url.query}
    database = url.difference_update_query([FILES, FOLDER])
    files = given.get(FILES, "").removeprefix("file://")
    if not files:
        shown = database.render_as_string()
        joint = "&" if database.query else "?"
        raise UsageError(
            f"workspace: expected a database and the place of its files, got '{shown}'; add "
            f"{joint}{FILES}=s3://bucket/prefix, or a folder that all machines share"
        )
    if is_url(files):
        folder = Path(given.get(FOLDER) or USUAL_WORKSPACE / (database.database or "database"))
        return Address(database, files.rstrip("/"), folder.resolve())
    if FOLDER in given:
        raise UsageError(
            f"workspace: expected {FOLDER}= beside an object store only, got {FILES}={files}; that "
            "folder is where everything is written"
        )
    return Address(database, str(Path(files).resolve()), Path(files).resolve())


def _only(name: str, url: "URL") -> str:
    value = url.query[name]
    if not isinstance(value, str):
        raise UsageError(f"workspace: expected {name}= once, got it {len(value)} times")
    return value


def address_text(place: Place) -> str:
    """A place in full, to be given to a process of ours."""
    return place.url if isinstance(place, Address) else str(place.resolve())


def folder_of(place: Place) -> Path:
    """The folder of this machine that belongs to a workspace."""
    return place.folder if isinstance(place, Address) else place


def workspace_option(place: Place) -> str:
    """What to add to a command so that it means this workspace; nothing for the usual one."""
    if isinstance(place, Path) and place.resolve() == USUAL_WORKSPACE.resolve():
        return ""
    return f" --workspace {shlex.quote(str(place))}"
