"""Build and curate multimodal long-term-memory data sets, and prove every gold answer.

    >>> import memassay
    >>> release = memassay.run("recipes/demo.yaml")
    >>> release = memassay.open_release("path/to/release")
    >>> release = memassay.open_release("you/demo@v0.1.0")
    >>> release.to_pandas("questions")
    >>> memassay.score(release, {"alex-veterinarian/ss-0001": "Luna"})
    >>> memassay.evaluate(release, "bm25")
    >>> memassay.hardness(release)["alex-veterinarian/ss-0001"].rounds_needed
    >>> memassay.cost("workspace").dollars

What these need is loaded when they are called.
"""

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from memassay.exports import Release
    from memassay.exports.lifecycle.memories.shapes import MemoryDeltaRecord as MemoryDeltaRecord
    from memassay.exports.lifecycle.memories.shapes import (
        MemorySnapshotRecord as MemorySnapshotRecord,
    )
    from memassay.exports.lifecycle.memories.shapes import MemorySystem as MemorySystem
    from memassay.exports.lifecycle.memories.shapes import MemoryTurn as MemoryTurn
    from memassay.exports.lifecycle.memories.shapes import RetrievalItem as RetrievalItem
    from memassay.exports.lifecycle.memories.shapes import RetrievalRecord as RetrievalRecord
    from memassay.exports.lifecycle.tally import MemoryReport
    from memassay.exports.scores.answer_evaluation import AnswerReport
    from memassay.exports.scores.prediction_file import Predictions
    from memassay.flows.services.models import CostReport
    from memassay.schemas.queries.hardness import Hardness

_MEMORIES: Final = (
    "MemoryDeltaRecord",
    "MemorySnapshotRecord",
    "MemorySystem",
    "MemoryTurn",
    "RetrievalItem",
    "RetrievalRecord",
)
__all__ = [
    "MemoryDeltaRecord",
    "MemorySnapshotRecord",
    "MemorySystem",
    "MemoryTurn",
    "RetrievalItem",
    "RetrievalRecord",
    "__version__",
    "cost",
    "evaluate",
    "hardness",
    "open_release",
    "run",
    "score",
]

__version__: str


def __getattr__(name: str) -> Any:
    """The version, and what memories are written with, looked up when somebody asks for it."""
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    if name in _MEMORIES:
        from memassay.exports.lifecycle.memories import shapes

        return getattr(shapes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run(
    recipe: str | PathLike[str],
    workspace: str | PathLike[str] = "workspace",
    *,
    seed: int | None = None,
    runner: str = "plain",
) -> "Release":
    """Run a recipe, or resume it, and open the release that it gives.

    Args:
        recipe: The YAML file.
        workspace: Where runs live, a folder or a database's URL; it is made if it is not there.
        seed: In place of the recipe's.
        runner: `plain`, in this process, or `prefect`; the release is the same.

    Raises:
        UsageError: Recipe, sources or workspace cannot be used.
        WaitingError: A gate blocks until people decide.
        BudgetError: The models would cost more than the recipe allows.
    """
    from memassay.flows.runners.progress import progress_for_terminal
    from memassay.flows.services.runs import run_recipe
    from memassay.flows.store.places.address import place_of

    changes = {} if seed is None else {"seed": seed}
    report = run_recipe(
        Path(recipe),
        place_of(fspath(workspace)),
        progress_for_terminal(),
        changes=changes,
        runner=runner,
    )
    return open_release(report.release)


def open_release(path: str | PathLike[str], *, verify: bool = True) -> "Release":
    """Open a release for reading.

    Args:
        path: The folder that holds `manifest.json`, or `OWNER/NAME@TAG` on the Hugging Face Hub,
            which is fetched once and then kept in the Hub's cache.
        verify: Compare every file with its checksum now.

    Raises:
        UsageError: There is no such folder, or it is not a release.
        PublishError: The Hub has no such release, or cannot be reached.
        ReleaseError: A file is missing or changed; the message names it.
    """
    from memassay.exports import open_release as opened
    from memassay.flows.publishing.fetching import release_folder

    return opened(release_folder(path), verify=verify)


def score(release: "str | PathLike[str] | Release", predictions: "Predictions") -> "AnswerReport":
    """Score answers on a release, by type, with every metric that fits its questions.

    Args:
        release: An open release, or what `open_release` takes.
        predictions: Answers by id of the question; or rows `{"id", "answer", "retrieved"?,
            "seconds"?}`; or a JSON Lines file of such rows.

    Raises:
        UsageError: A prediction cannot be used, or none is of this release.
    """
    from memassay.flows.evaluation.answers import score_answers

    return score_answers(_open(release), predictions)


def evaluate(
    release: "str | PathLike[str] | Release",
    memory: "str | MemorySystem",
    captions: str | None = None,
) -> "MemoryReport":
    """Give a memory the histories of a release, and score what it writes, keeps and finds.

    What the memory does wrong is in `failures` of the report.

    Args:
        release: An open release, or what `open_release` takes.
        memory: An object with `reset`, `ingest_turn`, `end_session` and `retrieve`, and if it
            shows what it holds `snapshot_memories` and `export_memory_delta`; or what
            `memassay eval --memory` takes: `append-everything` and others of ours, the name of an
            entry point `memassay.memories`, `module:Class`, or a program.
        captions: What it is given as captions of images: `none`, `public` (what the history says
            of them) or `asset` (what can be read in the pixels). By default `public`, and `none`
            for the retrievers of ours.

    Raises:
        UsageError: There is no such memory.
    """
    from memassay.exports.lifecycle.evaluation import evaluate_memory
    from memassay.exports.lifecycle.memories.shapes import Captions

    given = Captions(captions) if captions is not None else None
    return evaluate_memory(_open(release), memory, captions=given)


def hardness(release: "str | PathLike[str] | Release") -> "dict[str, Hardness]":
    """How hard each question of a release is: rounds needed, distance, updates, likeness, pixels.

    Args:
        release: An open release, or what `open_release` takes.

    Returns:
        By id of the question's record.
    """
    from memassay.schemas.queries.hardness import HardnessMeter

    found = {}
    for bundle in _open(release).bundles():
        meter = HardnessMeter(bundle)
        found.update({item.id: meter.measure(item) for item in bundle.questions})
    return found


def cost(workspace: str | PathLike[str] = "workspace") -> "CostReport":
    """What the models of a workspace cost, by stage, model and day.

    Raises:
        UsageError: There is no such workspace.
    """
    from memassay.flows.services.models import cost_in
    from memassay.flows.store.places.address import place_of

    return cost_in(place_of(fspath(workspace)))


def _open(release: "str | PathLike[str] | Release") -> "Release":
    return open_release(release) if isinstance(release, str | PathLike) else release
