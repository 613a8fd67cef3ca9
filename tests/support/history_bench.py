"""A recipe, a workspace that it was run in, and edits of its histories."""

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import select

from memassay.exports import open_release
from memassay.flows.edits.history_edits import HistoryEdits
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.tables import UNITS
from memassay.flows.store.workspace import Workspace
from memassay.schemas.records.bundle import Bundle
from support.engine_builder import SilentProgress
from support.places import SAMPLES

ALEX, WEI = "alex-veterinarian", "wei-courier"
STORY: dict[str, Any] = {
    "path": "m3exam",
    "seed": 9,
    "personas": [ALEX, WEI],
    "sizes": {"sessions": 4, "rounds": 6, "images": 1, "documents": 0},
    "questions": {"ss": 6, "tr": 4},
    "gates": {"questions": {"policy": "sample", "rate": 0.3, "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}
CURATED: dict[str, Any] = {
    "path": "curate",
    "sources": [
        {"format": "mem-gallery", "path": "samples/mem-gallery", "licence": "CC-BY-4.0"},
        {"format": "locomo", "path": "samples/locomo/locomo_sample.json", "licence": "CC-BY-4.0"},
    ],
    "gates": {"validate": {"policy": "sample", "rate": 0.1, "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}


class Bench:
    """A recipe and a workspace that it was run in."""

    def __init__(self, folder: Path) -> None:
        """Run the recipe of the folder, unless it is a copy of one where it was run."""
        self.folder = folder
        made = sorted((folder / "work" / "releases").glob("*"))
        if made:
            (self.release,) = made
        else:
            self.run()

    def run(self) -> dict[str, Bundle]:
        """Run or resume; gives what was released, by conversation."""
        report = run_recipe(
            self.folder / "tiny.yaml", self.folder / "work", SilentProgress(), runner="plain"
        )
        self.release, self.review = Path(str(report.release)), report.review
        return {one.id: one for one in open_release(self.release).bundles()}

    @contextmanager
    def open(self) -> Iterator[tuple[Workspace, HistoryEdits]]:
        """The workspace, and the changes of its histories."""
        workspace = Workspace(self.folder / "work")
        yield workspace, HistoryEdits(workspace, ReviewEdits(workspace), clock=lambda: 1.0)
        workspace.close()

    def change(self, about: str, who: str = "ada", **operation: Any) -> str:
        """Save a change of a conversation; gives its name."""
        with self.open() as (workspace, edits):
            item = item_of(workspace, about)
            base = edits.history(item).base
            return edits.propose(item, operation, base, who, "so it is", owner=True)

    def starts(self) -> Counter[tuple[str, str]]:
        """How often units were started."""
        counts: Counter[tuple[str, str]] = Counter()
        with self.open() as (workspace, _), workspace.engine.connect() as connection:
            query = select(UNITS.c.stage, UNITS.c.shard, UNITS.c.starts)
            for stage, shard, starts in connection.execute(query):
                counts[stage, shard] += starts
        return counts


def item_of(workspace: Workspace, about: str) -> str:
    """An item of a conversation."""
    items = workspace.queue.items(states=["open", "decided"])
    return next(one.id for one in items if one.record.startswith(about))


_MADE: dict[str, Path] = {}


def copy_of(recipe: dict[str, Any], base: Path, folder: Path) -> Bench:
    """A copy of what a recipe gives; it is run once for all tests of a process."""
    key = yaml.safe_dump(recipe)
    if key not in _MADE:
        made = base / f"bench-{len(_MADE)}"
        shutil.copytree(SAMPLES, made / "samples")
        (made / "tiny.yaml").write_text(key, encoding="utf-8")
        Bench(made)
        _MADE[key] = made
    return Bench(shutil.copytree(_MADE[key], folder / "bench"))
