"""Shared fixtures: no network, no writes to home, the repository and the real data."""

import gc
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE_FOLDERS = (
    "annotation",
    "exports",
    "flows",
    "memassay",
    "recipes",
    "schemas",
    "synth",
    "validators",
)

SLOW_SECONDS, FAST_SECONDS = 2.0, 0.05
"""What a test takes, marked `slow` without a number and not marked at all."""

settings.register_profile(
    "memassay",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "thorough", settings.get_profile("memassay"), max_examples=2000, derandomize=False
)
settings.register_profile("few", settings.get_profile("memassay"), max_examples=10)
settings.load_profile("memassay")


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it puts in the background with Ctrl-C ignored; what tests start and
    # interrupt would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process for each core, and one more where slow tests wait for browsers and servers."""
    waits = config.option.markexpr != "not slow"
    return len(os.sched_getaffinity(0)) + waits


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take longest first, so that no process is left alone with one at the end."""
    seconds: Counter[Path] = Counter()
    for item in items:
        slow = item.get_closest_marker("slow")
        seconds[item.path] += slow.kwargs.get("seconds", SLOW_SECONDS) if slow else FAST_SECONDS
    items.sort(key=lambda item: seconds[item.path], reverse=True)


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end."""
    gc.freeze()


class NetworkBlocked(RuntimeError):
    """A test tried to leave this machine; not an OSError, so that no retry hides it."""


def _is_local(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost"):
        return True
    text = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ip_address(text.split("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _guard_address(original: Callable[..., Any], position: int) -> Callable[..., Any]:
    """Wrap a socket method whose argument `position` is the peer's address."""

    def guarded(self: socket.socket, *arguments: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            host = arguments[position][0]
            if not _is_local(host):
                raise NetworkBlocked(f"tests may not reach {host!r}; serve it on the loopback")
        return original(self, *arguments)

    return guarded


def _guard_lookup(original: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(host: Any, *arguments: Any, **options: Any) -> Any:
        if not _is_local(host):
            raise NetworkBlocked(f"tests may not resolve {host!r}; serve it on the loopback")
        return original(host, *arguments, **options)

    return guarded


def _ban_network(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(socket.socket, "connect", _guard_address(socket.socket.connect, 0))
    patch.setattr(socket.socket, "connect_ex", _guard_address(socket.socket.connect_ex, 0))
    patch.setattr(socket.socket, "sendto", _guard_address(socket.socket.sendto, -1))
    patch.setattr(socket, "getaddrinfo", _guard_lookup(socket.getaddrinfo))


def _spare_the_disk(patch: pytest.MonkeyPatch) -> None:
    """What tests write need not outlive a power cut; each wait for the disk is milliseconds."""
    patch.setattr(os, "fsync", lambda _descriptor: None)


def _keep_libraries_quiet(patch: pytest.MonkeyPatch, home: str) -> None:
    """Point caches at a folder of this run and switch telemetry off, before any import."""
    patch.setenv("HF_HOME", f"{home}/huggingface")
    patch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
    patch.setenv("HF_HUB_OFFLINE", "1")
    patch.setenv("PREFECT_HOME", f"{home}/prefect")
    # Workers of one run share what takes long to make, such as a migrated database.
    if "PYTEST_XDIST_WORKER" not in os.environ:
        patch.setenv("XDG_CACHE_HOME", f"{home}/cache")
    patch.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    patch.setenv("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "120")
    patch.setenv("DO_NOT_TRACK", "1")
    # Each process more takes seconds to start; what they do has tests of its own.
    patch.setenv("MEMASSAY_WORKERS", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Ban the network and isolate caches before the first test module is imported."""
    # A process holds a million objects of modules and tests, which a collection need not look at.
    gc.set_threshold(50_000, 20, 50)
    patch = pytest.MonkeyPatch()
    home = tempfile.mkdtemp(prefix="memassay-tests-")
    _ban_network(patch)
    _spare_the_disk(patch)
    _keep_libraries_quiet(patch, home)
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    config.add_cleanup(patch.undo)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder that holds pyproject.toml."""
    return REPOSITORY


@pytest.fixture(scope="session")
def source_files() -> tuple[Path, ...]:
    """Every Python file of every package, by its real path, sorted."""
    return tuple(
        sorted(
            path
            for folder in PACKAGE_FOLDERS
            for path in (REPOSITORY / folder).rglob("*.py")
            if not any(part.is_symlink() for part in path.parents)
        )
    )


@pytest.fixture(scope="session")
def test_files() -> tuple[Path, ...]:
    """Every Python file under tests/, sorted."""
    return tuple(sorted((REPOSITORY / "tests").rglob("*.py")))


@pytest.fixture(scope="session")
def tracked_files() -> tuple[Path, ...]:
    """Every file git tracks (links left out), sorted; skips outside a git checkout."""
    listing = subprocess.run(
        ["git", "-c", f"safe.directory={REPOSITORY}", "ls-files", "-z"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        pytest.skip("not a git checkout: the tracked files are unknown")
    paths = (REPOSITORY / name for name in listing.stdout.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file() and not path.is_symlink()))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data sets, which is never part of the repository."""
    folder = Path(os.environ.get("MEMASSAY_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no real data: set MEMASSAY_DATA to the folder of mem-gallery/ and locomo/")
    return folder


@pytest.fixture(scope="session")
def require_system() -> Callable[[str, bool], None]:
    """A function of (part, present) that skips a test whose system part is missing.

    With MEMASSAY_REQUIRE_SYSTEM=1 a missing part fails the test instead.
    """

    def require(part: str, present: bool) -> None:
        if present:
            return
        if os.environ.get("MEMASSAY_REQUIRE_SYSTEM") == "1":
            pytest.fail(f"{part} is missing although MEMASSAY_REQUIRE_SYSTEM=1")
        pytest.skip(f"{part} is not installed")

    return require


@pytest.fixture(scope="session")
def turkish(require_system: Callable[[str, bool], None]) -> dict[str, str]:
    """The environment of a process whose small letters are not those of English."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    require_system("tr_TR.UTF-8 (`localedef`)", "tr_tr.utf" in known.lower())
    return {"LC_ALL": "tr_TR.UTF-8"}
