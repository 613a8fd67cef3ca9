"""What a run tells the processes that share its units, and what they report."""

from dataclasses import dataclass
from pathlib import Path

from memassay.flows.store.places.address import Place
from memassay.schemas.contracts.recipes import PathRecipe


@dataclass(frozen=True)
class RunMessage:
    """All that a process needs to make the plan of a run; sent once.

    Attributes:
        recipe: The recipe.
        name: Name under which the workspace remembers the run.
        folder: What the recipe's paths are relative to.
        workspace: Where the workspace lives.
        parent: Folder of the release that the recipe extends, if any.
        path: Where modules are found.
        ran_before: Whether the workspace knew this recipe when the run began.
    """

    recipe: PathRecipe
    name: str
    folder: Path
    workspace: Place
    parent: Path | None
    path: list[str]
    ran_before: bool


@dataclass(frozen=True)
class Ready:
    """A process has made the plan and begins.

    Attributes:
        owner: The name under which it holds leases.
    """

    owner: str


@dataclass(frozen=True)
class Failed:
    """A process could not do a unit, which ends the run.

    Attributes:
        error: What was raised.
    """

    error: Exception
