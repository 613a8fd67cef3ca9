"""One made history in review, run once a session by the process that needs it first; copied."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from filelock import FileLock

from memassay.exports import open_release
from memassay.flows.services.runs import run_recipe
from support.engine_builder import SilentProgress

RECIPE: dict[str, Any] = {
    "path": "m3exam",
    "seed": 7,
    "personas": ["wei-courier"],
    "sizes": {"sessions": 5, "rounds": 5, "images": 2, "documents": 1},
    "questions": {"mr": 10, "ss": 4},
    "gates": {
        "questions": {"policy": "sample", "rate": 0.6, "votes": 2, "on_open": "continue"},
    },
    "release": {"name": "made", "licence": "CC-BY-4.0", "formats": ["parquet"]},
}
"""Some questions wait for two votes each, the others are in the release."""


def run_made(folder: Path) -> Any:
    """Run or resume the recipe of a copy; gives the conversation as it is released."""
    report = run_recipe(
        folder / "made.yaml", folder / "workspace", SilentProgress(), runner="plain"
    )
    (bundle,) = open_release(Path(str(report.release))).bundles()
    return bundle


def copy_made(factory: pytest.TempPathFactory, to: Path) -> Path:
    """Copy the recipe, `made.yaml`, and its finished `workspace` into an empty folder."""
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    root = factory.getbasetemp().parent if parallel else factory.getbasetemp()
    source = root / "made-history"
    with FileLock(root / "made-history.lock"):
        if not source.exists():
            making = root / "made-history-begun"
            making.mkdir()
            (making / "made.yaml").write_text(yaml.safe_dump(RECIPE), encoding="utf-8")
            run_made(making)
            making.rename(source)
    return Path(shutil.copytree(source, to, dirs_exist_ok=True))
