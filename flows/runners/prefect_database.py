"""The database of a Prefect server of ours: migrated once on a machine, then copied.

Nothing of ours depends on it: it only remembers what Prefect showed of earlier runs. To migrate an
empty one takes seconds of the processor, most of what Prefect costs a short run.
"""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Final

from filelock import FileLock

DATABASE: Final = "prefect.db"


def prepare_database(home: Path) -> None:
    """Put a database into a server's folder, unless a sound one of this Prefect is there.

    Args:
        home: The folder; of two servers that start in it at once, the second waits.
    """
    made_by, current = home / "database-version", version("prefect")
    with FileLock(home / "migrating.lock"):
        finished = made_by.is_file() and made_by.read_text(encoding="utf-8") == current
        if finished and _is_sound(home / DATABASE):
            return
        for path in (made_by, *home.glob(f"{DATABASE}*")):
            path.unlink(missing_ok=True)
        _fill(home / DATABASE, current)
        made_by.write_text(current, encoding="utf-8")


def _fill(database: Path, current: str) -> None:
    """Copy the migrated database of the user's cache; without a cache, migrate in place."""
    try:
        cache = _cache()
        cache.mkdir(parents=True, exist_ok=True)
        kept = cache / f"prefect-{current}.db"
        with FileLock(f"{kept}.lock"):
            if not _is_sound(kept):
                _migrate()
                _copy_whole(database, kept)
            elif not database.exists():
                shutil.copyfile(kept, database)
    except (OSError, RuntimeError, sqlite3.DatabaseError):
        # No home folder, a disk that is read only or full: slower, and nothing is lost.
        if not _is_sound(database):
            database.unlink(missing_ok=True)
            _migrate()


def _cache() -> Path:
    """Where programs keep what they can make again (XDG base directories)."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "memassay"


def _copy_whole(database: Path, kept: Path) -> None:
    """Copy a database with what is still in its log; the copy is whole or not there."""
    with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
        copy = Path(scratch) / kept.name
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
        copy.replace(kept)


def _migrate() -> None:
    """Make the database that Prefect's settings of this process name."""
    import asyncio

    from prefect.server.database import provide_database_interface

    asyncio.run(provide_database_interface().create_db())


def _is_sound(database: Path) -> bool:
    if not database.is_file():
        return False
    try:
        with closing(sqlite3.connect(database)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False
