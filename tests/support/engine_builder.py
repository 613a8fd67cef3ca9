"""Small stages and plans for tests of the engine: conversations of four questions, no files."""

import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from memassay.flows.engine.audits import Audit
from memassay.flows.engine.run import Run
from memassay.flows.engine.units import Plan
from memassay.flows.runners.plain_runner import run_plain
from memassay.flows.store.leases import Owner
from memassay.flows.store.sharing import Pace
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Scope, Stage, StageContext
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import HeldOut
from support.release_builder import bundle

Work = Callable[[str], None]


class SilentProgress:
    """Progress that counts and says nothing."""

    def __init__(self) -> None:
        self.advanced = 0
        self.ended: dict[str, dict[str, int]] = {}

    def begin(self, stage: str, total: int) -> None:
        """Nothing to say."""

    def advance(self) -> None:
        """One more unit."""
        self.advanced += 1

    def show(self, pace: Pace) -> None:
        """Nothing to say."""

    def end(self, stage: str, counts: Mapping[str, int]) -> None:
        """Remember the counts of the gate."""
        self.ended[stage] = dict(counts)


class SourceOf:
    """A source of one conversation a shard, from the colours of its only image."""

    name = "import"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, colours: Mapping[str, str], work: Work | None = None) -> None:
        self.colours = dict(colours)
        self.config: dict[str, Any] = {}
        self.work = work
        self.done: list[str] = []

    def shards(self) -> dict[str, list[str]]:
        """Shards keyed by their colour."""
        return {name: [content_hash(colour)] for name, colour in self.colours.items()}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The records of one conversation."""
        self.done.append(context.shard)
        if self.work is not None:
            self.work(context.shard)
        colour = self.colours[context.shard]
        return bundle(context.shard, "Luna", colour, context.blobs).records()  # type: ignore[arg-type]


class FlawsIn:
    """A check that finds what it was told to find."""

    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation", "question"})

    def __init__(self, flaws: Mapping[str, Severity], name: str = "check") -> None:
        self.name = name
        self.flaws = dict(flaws)
        self.config: dict[str, Any] = {"flaws": self.flaws}
        self.done: list[str] = []

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Only findings."""
        self.done.append(context.shard)
        for target, severity in self.flaws.items():
            if target.partition("/")[0] == context.shard:
                context.emit(Finding.make("test.flaw", severity, target, "", f"{target}: bad", ""))
        return ()


class WriterTo:
    """A stage that writes one file for all conversations."""

    name = "write"
    version = "1"
    scope = Scope.COLLECTION
    reads = frozenset({"question"})
    writes = frozenset({"held_out"})
    config: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, path: Path) -> None:
        self.path = path
        self.done: list[str] = []

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Write how many records there are."""
        self.done.append(context.shard)
        self.path.write_text(str(len(list(collection.headers()))), encoding="utf-8")
        return [
            HeldOut(id="held", record="all", kind="raw", stage="write", status="x", reasons=["x"])
        ]

    def is_written(self, _made: Sequence[Record]) -> bool:
        """Whether the file is there."""
        return self.path.is_file()


def finish(
    workspace: Workspace,
    stages: Sequence[Stage],
    gates: Mapping[str, GateSection] | None = None,
    *,
    seed: int = 0,
    name: str = "tiny",
    audits: Mapping[str, Audit] | None = None,
) -> Run:
    """Run stages to their end with the plain driver."""
    owner = Owner(workspace.owners)
    try:
        plan = Plan(name, seed, stages, gates or {}, audits=audits or {})
        run = Run(workspace, plan, owner)
        run_plain(run, SilentProgress())
    finally:
        owner.close()
    return run


def released(run: Run, kind: str) -> list[str]:
    """Ids of the records of a kind that came through every gate."""
    return sorted(header.id for header in run.stream.values() if header.kind == kind)


def make_samples(repository: Path, folder: Path) -> Path:
    """A recipe over the beginnings of the samples that ship: two conversations, with images."""
    samples = repository / "recipes" / "samples"
    (source,) = sorted((samples / "mem-gallery" / "data" / "dialog").glob("*.json"))
    story = json.loads(source.read_text(encoding="utf-8"))
    story["multi_session_dialogues"] = story["multi_session_dialogues"][:2]
    story["human-annotated QAs"] = story["human-annotated QAs"][:12]
    gallery = folder / "gallery" / "data"
    (gallery / "dialog").mkdir(parents=True)
    (gallery / "dialog" / source.name).write_text(json.dumps(story), encoding="utf-8")
    images = samples / "mem-gallery" / "data" / "image" / source.stem
    shutil.copytree(images, gallery / "image" / source.stem)
    (talk,) = json.loads((samples / "locomo" / "locomo_sample.json").read_text(encoding="utf-8"))
    (folder / "locomo.json").write_text(json.dumps([{**talk, "qa": talk["qa"][:8]}]), "utf-8")
    recipe = {
        "sources": [
            {"format": "mem-gallery", "path": "gallery", "licence": "CC-BY-4.0"},
            {"format": "locomo", "path": "locomo.json", "licence": "CC-BY-4.0"},
        ],
        "release": {"name": "tiny", "formats": ["mem-gallery", "locomo"]},
    }
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(recipe), encoding="utf-8")
    return path
