"""A release as its readers load it: by `datasets`, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from memassay.schemas.base import Shape
from memassay.schemas.errors import HubBusyError, PublishError

_SCRIPT: Final = """
import json, sys
from contextlib import nullcontext
from datasets import get_dataset_config_names, load_dataset
from memassay.exports.publishing.waiting import patient_calls
place, revision, cache = sys.argv[1], sys.argv[2] or None, sys.argv[3]
found = []
with patient_calls() if revision else nullcontext():
    for name in get_dataset_config_names(place, revision=revision):
        for split, rows in load_dataset(place, name, revision=revision, cache_dir=cache).items():
            row = {"name": name, "split": split, "rows": len(rows), "columns": rows.column_names}
            found.append(row)
print(json.dumps(found))
"""
_BUSY: Final = f"{HubBusyError.__name__}: "


class LoadedTable(Shape):
    """One split of one configuration."""

    name: str
    split: str
    rows: int
    columns: list[str]


def load_afresh(place: str | Path, revision: str = "") -> list[LoadedTable]:
    """Load every configuration in a new process, with a cache of its own.

    Args:
        place: A release folder, or a repository of the Hub.
        revision: Commit or tag, for a repository.

    Raises:
        PublishError: `datasets` cannot load it; the message ends with its last line.
        HubBusyError: The Hub refuses for now.
    """
    with TemporaryDirectory(prefix="memassay-") as cache:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT, str(place), revision, cache],
            capture_output=True,
            text=True,
            check=False,
            cwd=cache,
        )
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        if _BUSY in last:
            raise HubBusyError(f"{place}: {last.partition(_BUSY)[2]}")
        raise PublishError(f"{place}: expected a data set that `datasets` loads, got {last}")
    return [LoadedTable(**one) for one in json.loads(done.stdout)]
