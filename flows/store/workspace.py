"""A workspace: the folder where runs live, with its database, blobs and releases."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DatabaseError

from memassay.annotation.voting.review_queue import ReviewQueue
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.opening import look_at_database, may_be_written, open_database
from memassay.flows.store.records import Store
from memassay.flows.store.tables import REVIEW_DATABASE, database_trouble, open_review_database
from memassay.flows.store.upgrade import CLOSED
from memassay.schemas.errors import UsageError

DATABASE = "memassay.sqlite"


class Workspace:
    """An open workspace.

    Attributes:
        folder: Where it lives.
        store: Records and units.
        blobs: Bytes by hash.
        queue: What waits for people; in a team's own database, if the environment names one.
    """

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        """Open a workspace, making it if allowed; one that may not be written is only read.

        Raises:
            UsageError: The folder is no workspace (and may not become one), or its database
                cannot be read, or another version made it that cannot be brought up to date.
        """
        self.folder = folder.resolve()
        database = self.folder / DATABASE
        if not create and not database.is_file():
            raise UsageError(
                f"{folder}: expected a workspace, got none; `memassay run RECIPE` makes one"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError, PermissionError) as error:
            raise UsageError(
                f"{folder}: expected a folder for the workspace: {error.strerror}"
            ) from error
        writable = create or may_be_written(database)
        try:
            engine = open_database(database) if writable else look_at_database(database)
            review = os.environ.get(REVIEW_DATABASE)
            self.queue = ReviewQueue(open_review_database(review) if review else engine)
        except DatabaseError as error:
            if not writable and "readonly" in str(error.orig):
                # Only tables of an older version are written to when they are opened.
                raise UsageError(
                    f"{folder}: expected review tables of our version, got older ones, {CLOSED}"
                ) from error
            raise database_trouble(database, error) from error
        self.engine = engine
        self.store = Store(engine)
        self.blobs = BlobFolder(self.folder / "blobs")
        self._whole: set[str] = set()
        if create:
            self.blobs.clear_leftovers()

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
    def owners(self) -> Path:
        """Where the runs of this machine show that they live."""
        return self.folder / "owners"

    @property
    def releases(self) -> Path:
        """Where releases are written."""
        return self.folder / "releases"

    def close(self) -> None:
        """Let go of the databases."""
        self.engine.dispose()
        self.queue.engine.dispose()


@contextmanager
def open_workspace(folder: Path, *, create: bool = False) -> Iterator[Workspace]:
    """An open workspace, closed at the end.

    Raises:
        UsageError: There is none, or its database turns out to be damaged, read-only or held.
    """
    workspace = Workspace(folder, create=create)
    try:
        yield workspace
    except DatabaseError as error:
        raise database_trouble(workspace.folder / DATABASE, error) from error
    finally:
        workspace.close()
