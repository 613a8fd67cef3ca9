"""`memassay extend`: a release becomes a longer one, and nothing that it holds is touched."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from memassay.exports.differences.compare import Difference, ReleaseDiff, compare
from memassay.exports.differences.entries import Aspect
from memassay.exports.release.reader import open_release
from memassay.flows.runners.progress import ProgressReporter
from memassay.flows.services.checks import validate_path
from memassay.flows.services.runs import Driver, RunReport, run_recipe
from memassay.flows.stages.extending.kept import Parent
from memassay.flows.store.places.address import Place
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Severity

_OLD = (Aspect.ITEM, Aspect.QUESTION, Aspect.GOLD, Aspect.EVIDENCE, Aspect.TURN, Aspect.IMAGE)


class ExtendReport(Shape):
    """What an extension gave."""

    run: RunReport
    diff: Annotated[ReleaseDiff, Field(description="From the release to the longer one.")]
    held: Annotated[
        list[Difference], Field(description="Items of the release that the new part changes.")
    ]
    touched: Annotated[int, Field(description="What else of the release is no longer as it was.")]


def extend_release(
    folder: Path,
    recipe: Path,
    workspace: Place,
    progress: ProgressReporter,
    *,
    runner: str | Driver,
) -> ExtendReport:
    """Run or resume a recipe that adds to a release.

    Args:
        folder: The release.
        recipe: The recipe: its own one, with more in it.
        workspace: Where the run lives; it is made if it is not there.
        progress: Who shows how far the run is.
        runner: Who drives it: a name, or a function.

    Raises:
        UsageError: The release has errors or cannot be extended by this recipe.
        ReleaseError: A file of the release is damaged.
        WaitingError: A gate blocks until people decide.
    """
    release = open_release(folder)
    errors = [
        finding
        for finding in validate_path(folder, quick=True).findings
        if finding.severity is Severity.ERROR
    ]
    if errors:
        raise UsageError(
            f"{folder}: expected a release without errors, got {len(errors)}, first "
            f"{errors[0].rule}: {errors[0].message}; `memassay validate` lists them"
        )
    run = run_recipe(recipe, workspace, progress, runner=runner, parent=Parent(release))
    diff = compare(release, open_release(run.release))
    held = [one for one in diff.differences if (one.aspect, one.change) == (Aspect.ITEM, "removed")]
    return ExtendReport(
        run=run, diff=diff, held=held, touched=diff.count_touched(*_OLD) - len(held)
    )
