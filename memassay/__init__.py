"""Build and curate multimodal long-term-memory data sets, and prove every gold answer.

    >>> import memassay
    >>> release = memassay.run("recipes/demo.yaml")
    >>> release = memassay.open_release("workspace/releases/demo-0.1.0-84253974")
    >>> release = memassay.open_release("you/demo@v0.1.0")
    >>> release.to_pandas("questions")

What these need is loaded when they are called.
"""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memassay.exports import Release

__all__ = ["__version__", "open_release", "run"]

__version__: str


def __getattr__(name: str) -> str:
    """The version of the installed package, looked up when somebody asks for it."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version(__name__)


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
        workspace: Folder where runs live; it is made if it is not there.
        seed: In place of the recipe's.
        runner: `plain`, in this process, or `prefect`; the release is the same.

    Raises:
        UsageError: Recipe, sources or workspace cannot be used.
        WaitingError: A gate blocks until people decide.
        BudgetError: The models would cost more than the recipe allows.
    """
    from memassay.flows.runners.progress import progress_for_terminal
    from memassay.flows.services.runs import run_recipe

    report = run_recipe(
        Path(recipe), Path(workspace), progress_for_terminal(), seed=seed, runner=runner
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
