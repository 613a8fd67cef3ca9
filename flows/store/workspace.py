"""A workspace: where runs live, with its database, blobs and releases."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from memassay.annotation.voting.review_queue import ReviewQueue
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.database.opening import (
    look_at_database,
    may_be_written,
    open_database,
    open_server_database,
)
from memassay.flows.store.database.servers import (
    REVIEW_DATABASE,
    database_trouble,
    open_server,
    server_url,
)
from memassay.flows.store.database.sessions import OwnerSessions
from memassay.flows.store.database.upgrade import CLOSED
from memassay.flows.store.leases import OwnerFiles, Owners
from memassay.flows.store.places.address import Address, Place, folder_of, is_url
from memassay.flows.store.places.objects import BlobObjects, ObjectStore, SharedReleases
from memassay.flows.store.records import Store
from memassay.schemas.errors import UsageError

DATABASE = "memassay.sqlite"


class Workspace:
    """An open workspace.

    Attributes:
        place: Where it lives.
        folder: The folder of this machine that belongs to it.
        blobs: Bytes by hash.
        shared: Where every machine finds releases, if that is no folder.
        owners: Who holds leases, and who of them is dead.
        store: Records and units.
        queue: What waits for people; in a team's own database, if the environment names one.
    """

    def __init__(self, place: Place, *, create: bool = True) -> None:
        """Open a workspace, making it if allowed; one that may not be written is only read.

        Raises:
            UsageError: There is no workspace (and there may not become one), or its database
                cannot be read, or another version made it that cannot be brought up to date.
        """
        self.place = place
        self._create = create
        self.folder = folder_of(place).resolve()
        if isinstance(place, Path) and not create and not self._file.is_file():
            raise UsageError(
                f"{place}: expected a workspace, got none; `memassay run RECIPE` makes one"
            )
        _make_folder(self.folder)
        writable = create or isinstance(place, Address) or may_be_written(self._file)
        try:
            engine = self._open(writable=writable)
            self.queue = ReviewQueue(_review_database() or engine)
        except DBAPIError as error:
            if not writable and "readonly" in str(error.orig):
                # Only tables of an older version are written to when they are opened.
                raise UsageError(
                    f"{place}: expected review tables of our version, got older ones, {CLOSED}"
                ) from error
            raise database_trouble(self._file, error) from error
        self.engine = engine
        self.store = Store(engine)
        self.owners: Owners = OwnerFiles(self.folder / "owners")
        if isinstance(place, Address):
            self.owners = OwnerSessions(engine)
        self.blobs: BlobFolder | BlobObjects = BlobFolder(self.folder / "blobs")
        self.shared: SharedReleases | None = None
        if isinstance(place, Address) and is_url(place.files):
            objects = ObjectStore(place.files)
            self.blobs, self.shared = BlobObjects(objects), SharedReleases(objects)
        self._whole: set[str] = set()
        if create:
            self.blobs.clear_leftovers()

    def _open(self, *, writable: bool) -> Engine:
        if isinstance(self.place, Address):
            name = f"workspace {self.place}"
            return open_server_database(self.place.database, name, create=self._create)
        return open_database(self._file) if writable else look_at_database(self._file)

    @property
    def _file(self) -> Path:
        """The database, where it is a file."""
        return self.folder / DATABASE

    def is_whole(self, hashes: Sequence[str]) -> bool:
        """Whether records are there, and the bytes that belong to them are there and intact.

        Bytes are read once; a run looks at those of everything that it need not make.
        """
        blobs = self.store.blobs_of(hashes)
        if blobs is None:
            return False
        for blob in blobs - self._whole:
            if not self.blobs.is_whole(blob):
                return False
            self._whole.add(blob)
        return True

    @property
    def releases(self) -> Path:
        """Where releases are written."""
        return self.folder / "releases"

    def release(self, name: str) -> Path:
        """The folder of a release, fetched if only another machine has it yet.

        Raises:
            BlobError: It is in the object store, and cannot be read there.
        """
        folder = self.releases / name
        if not folder.is_dir() and self.shared is not None and name in self.shared.names():
            self.shared.fetch(name, folder)
        return folder

    def close(self) -> None:
        """Let go of the databases."""
        self.engine.dispose()
        self.queue.engine.dispose()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError, PermissionError) as error:
        raise UsageError(
            f"{folder}: expected a folder for the workspace: {error.strerror}"
        ) from error


def _review_database() -> Engine | None:
    """The database that review lives in, if the environment names one."""
    review = os.environ.get(REVIEW_DATABASE)
    return open_server(server_url(review, REVIEW_DATABASE), REVIEW_DATABASE) if review else None


@contextmanager
def open_workspace(place: Place, *, create: bool = False) -> Iterator[Workspace]:
    """An open workspace, closed at the end.

    Raises:
        UsageError: There is none, or its database turns out to be damaged, read-only or held.
    """
    workspace = Workspace(place, create=create)
    try:
        yield workspace
    except DBAPIError as error:
        raise database_trouble(workspace.folder / DATABASE, error) from error
    finally:
        workspace.close()
