"""What many runs would each make again: pictures, and the database of Prefect's servers."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from support.once import painted_once

MAKE = """
import os, sys
from pathlib import Path
from memassay.flows.runners import prefect_server

home = Path(sys.argv[1])
os.environ.update(prefect_server._settings(home))
prefect_server._prepare_database(home)
"""


@pytest.fixture(scope="session", autouse=True)
def _painted_once() -> Iterator[None]:
    with painted_once():
        yield


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a server that was started before; migrating its database takes six seconds."""
    base = tmp_path_factory.getbasetemp()
    home = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "prefect-migrated"
    with FileLock(f"{home}.lock"):
        if not home.exists():
            home.mkdir()
            # What a start leaves that was killed: neither whole nor of a known version.
            (home / "prefect.db").write_bytes(b"SQLite format 3\0 half made")
            subprocess.run([sys.executable, "-c", MAKE, str(home)], check=True)
    return home


@pytest.fixture
def started_before(migrated: Path) -> Callable[[Path], Path]:
    """A function that makes a folder the home of a server that was started before."""

    def make(home: Path) -> Path:
        shutil.rmtree(home, ignore_errors=True)
        return shutil.copytree(migrated, home)

    return make
