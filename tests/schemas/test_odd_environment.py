"""Nothing in the records depends on hash seed, time zone or locale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN = """
import locale, sys, time
locale.setlocale(locale.LC_ALL, "")
time.tzset()
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""

OPTIONS = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-profile=few")


def _locale() -> str:
    """The Turkish locale if the system has it, else the plain one."""
    try:
        listed = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "C"
    names = {name.casefold().replace("-", ""): name for name in listed.split()}
    return names.get("tr_tr.utf8", "C")


@pytest.mark.ci
@pytest.mark.slow(seconds=12)
def test_everything_here_passes_elsewhere(repository: Path) -> None:
    """The tests of the records pass in Kathmandu, in Turkish, with another order of sets."""
    folder = Path(__file__).parent
    tests = sorted(
        str(path) for path in folder.glob("test_*.py") if path.name != Path(__file__).name
    )
    found = subprocess.run(
        [sys.executable, "-c", RUN, *OPTIONS, *tests],
        cwd=repository,
        env={
            **os.environ,
            "PYTHONHASHSEED": "random",
            "TZ": "Asia/Kathmandu",
            "LC_ALL": _locale(),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-1000:]
