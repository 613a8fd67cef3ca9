"""What the command line asks of runs and workspaces; every answer is a plain shape."""

import os
import pickle
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from memassay.annotation.voting.proposals import HistoryPolicy
from memassay.flows.calls.recordings import Recordings
from memassay.flows.edits.history_edits import settle_edits
from memassay.flows.engine.failures import AUTHOR_FAILED
from memassay.flows.engine.run import Run
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.plans import make_plan
from memassay.flows.review.applied import ReviewReport, review_of
from memassay.flows.review.released_errata import ERRATA, note_errata_file
from memassay.flows.runners.progress import ProgressReporter
from memassay.flows.services.drafts import note_draft
from memassay.flows.services.starting import is_shipped
from memassay.flows.stages.extending.kept import Parent
from memassay.flows.stages.releasing.release_stage import ReleaseStage
from memassay.flows.store.blob_folder import write_durably
from memassay.flows.store.leases import Owner
from memassay.flows.store.places.address import Place
from memassay.flows.store.status import DraftReport, StageReport, newest_drafts, stage_report
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.flows.workers.elsewhere import do_units, leave
from memassay.flows.workers.messages import RunMessage
from memassay.flows.workers.processes import processes
from memassay.schemas.base import Shape
from memassay.schemas.contracts.recipes import ExtendSection, PathRecipe
from memassay.schemas.errors import RecordError, ReleaseError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.judgements.review import HeldOut
from memassay.synth.clusters.keywords import NOT_NAMED
from memassay.validators.check import RULES
from memassay.validators.reading.reading_rules import UNREAD

if TYPE_CHECKING:
    from memassay.flows.runners.dask_cluster import Cluster
    from memassay.flows.services.estimates import EstimateReport

Driver = Callable[[Run, ProgressReporter], None]

RUNNERS: Final = ("prefect", "plain", "prefect-dask")
"""Names of the drivers; they give the same release."""
SCHEDULER: Final = "MEMASSAY_SCHEDULER"
"""Environment variable with the address of a Dask scheduler."""


class RunStageReport(StageReport):
    """What a run did in a stage."""

    made: Annotated[int, Field(description="Units it did; the others were kept from before.")]


class RunReport(Shape):
    """What a finished run gave."""

    release: Annotated[str, Field(description="Folder of the release.")]
    shared: Annotated[
        str | None, Field(description="URL where every machine finds it, if that is no folder.")
    ] = None
    draft: DraftReport
    contact_sheet: Annotated[str, Field(description="Page with samples to look at.")]
    stages: list[RunStageReport]
    questions: int
    counts: Annotated[dict[str, int], Field(description="Records of the release, by kind.")]
    verdicts: dict[str, int]
    findings: list[Finding]
    held_out: list[HeldOut]
    review: Annotated[ReviewReport, Field(description="What it made of people's work.")]


def run_recipe(
    path: Path,
    place: Place,
    progress: ProgressReporter,
    *,
    changes: Mapping[str, Any] | None = None,
    runner: str | Driver = "prefect",
    recordings: Recordings | None = None,
    retry_failed: bool = False,
    parent: Parent | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> RunReport:
    """Run or resume a recipe in a workspace.

    Args:
        path: The recipe.
        place: The workspace; it is made if it is not there.
        progress: Who shows how far the run is.
        changes: Keys and values in place of the recipe's: `{"seed": 8}`.
        runner: One of `RUNNERS`, or what drives a run.
        recordings: Where replies of models are recorded to or replayed from.
        retry_failed: Do units again in which a model failed.
        parent: The release that the recipe extends, if any.
        workers: Processes at once, this one among them; a run with models has one.
        scheduler: Address of the scheduler of a Dask cluster, for `prefect-dask`; None for the
            one in `MEMASSAY_SCHEDULER`, or for processes of its own.

    Raises:
        UsageError: Recipe, sources or workspace cannot be used, or something else is where
            the release should go.
        WaitingError: A gate blocks until people decide.
    """
    from memassay.flows.services.models import models_of

    recipe = load_recipe(path, changes)
    _refuse_runner(runner, scheduler)
    if parent is not None and recipe.extend is None:
        recipe = recipe.model_copy(update={"extend": ExtendSection()})
    with open_workspace(place, create=True) as workspace:
        plan = make_plan(recipe, path.stem, path.parent, workspace, parent)
        if recipe.errata is not None or not is_shipped(path):
            note_errata_file(workspace, plan.name, path.parent / (recipe.errata or ERRATA))
        votes = max((gate.votes for gate in plan.gates.values()), default=1)
        conflicts = settle_edits(workspace, plan.name, HistoryPolicy(recipe.history_edits, votes))
        if retry_failed:
            for failed in (AUTHOR_FAILED, NOT_NAMED, RULES[UNREAD]):
                workspace.store.forget_found(failed.id)
        owner = Owner(workspace.owners)
        try:
            models = models_of(
                recipe,
                path.parent,
                workspace,
                recordings or Recordings(),
                path.stem,
                retry_failed=retry_failed,
            )
            message = _message(recipe, path, workspace, parent)
            with models as authors:
                # Calls of models stay in one process, which keeps their limits and their cap.
                cluster = None
                if runner == "prefect-dask" and authors is None:
                    cluster = _cluster(message, scheduler, workers)
                others = workers - 1 if authors is None and cluster is None else 0
                with processes(others, workspace, message) as team:
                    run = Run(workspace, plan, owner, authors, team, ran_before=message.ran_before)
                    _driver(runner, cluster)(run, progress)
        except ReleaseError as error:
            # What is where the release should go is the user's to move, not a finding.
            raise UsageError(str(error)) from error
        finally:
            owner.close()
        return _report(run, conflicts)


def _message(
    recipe: PathRecipe, path: Path, workspace: Workspace, parent: Parent | None
) -> RunMessage:
    return RunMessage(
        recipe=recipe,
        name=path.stem,
        folder=path.parent.resolve(),
        workspace=workspace.place,
        parent=parent.release.folder.resolve() if parent is not None else None,
        path=[*sys.path],
        ran_before=path.stem in workspace.store.progress(),
    )


def _refuse_runner(runner: str | Driver, scheduler: str | None) -> None:
    """Refuse a name that is no runner's, before anything is read."""
    if isinstance(runner, str) and runner not in RUNNERS:
        raise UsageError(f"runner: expected one of {', '.join(RUNNERS)}, got {runner!r}")
    if scheduler is not None and runner != "prefect-dask":
        raise UsageError(
            f"scheduler: expected none with runner {runner}, got {scheduler!r}; "
            "write --runner prefect-dask"
        )


def _cluster(message: RunMessage, scheduler: str | None, workers: int) -> "Cluster":
    from memassay.flows.runners.dask_cluster import Cluster, dask_runner

    work = partial(do_units, pickle.dumps(message))
    found = scheduler or os.environ.get(SCHEDULER)
    return Cluster(work, leave, dask_runner(found, workers))


def _driver(runner: str | Driver, cluster: "Cluster | None") -> Driver:
    if not isinstance(runner, str):
        return runner
    if runner == "plain":
        from memassay.flows.runners.plain_runner import run_plain

        return run_plain
    from memassay.flows.runners.prefect_runner import run_with_prefect

    return partial(run_with_prefect, cluster=cluster)


def _report(run: Run, conflicts: list[str]) -> RunReport:
    kinds = ("finding", "held_out", "manifest")
    headers = [header for header in run.stream.values() if header.kind in kinds]
    headers.sort(key=lambda header: natural_key(header.id))
    records = run.workspace.store.get_all([header.sha256 for header in headers])
    manifests = [record for record in records if isinstance(record, Manifest)]
    if len(manifests) != 1:
        raise RecordError(f"release: expected 1 manifest, got {len(manifests)}")
    reached = run.workspace.store.progress().get(run.plan.name, [])
    writers = [stage for stage in run.plan.stages if isinstance(stage, ReleaseStage)]
    folder = writers[-1].release_folder(manifests[0])
    shared = run.workspace.shared.put(folder) if run.workspace.shared else None
    note_draft(run.workspace, run.plan.name, folder)
    drafts = {draft.recipe: draft for draft in newest_drafts(run.workspace)}
    return RunReport(
        release=str(folder),
        shared=shared,
        draft=drafts[run.plan.name],
        contact_sheet=str(_contact_sheet(run.workspace, folder)),
        stages=[
            RunStageReport(**stage_report(progress).model_dump(), made=run.made[progress.stage])
            for progress in reached
        ],
        questions=manifests[0].counts.get("question", 0),
        counts=manifests[0].counts,
        verdicts=manifests[0].verdicts,
        findings=[record for record in records if isinstance(record, Finding)],
        held_out=[record for record in records if isinstance(record, HeldOut)],
        review=review_of(run, conflicts),
    )


def _contact_sheet(workspace: Workspace, release: Path) -> Path:
    """Write the page of samples beside the releases, unless it is there already."""
    from memassay.exports import open_release
    from memassay.exports.reports.contact_sheet import contact_sheet

    page = workspace.folder / "contact-sheets" / f"{release.name}.html"
    if not page.is_file():
        write_durably(page, contact_sheet(open_release(release)).encode("utf-8"))
    return page


def estimate(path: Path) -> "EstimateReport":
    """What a recipe's models will cost.

    Raises:
        UsageError: The recipe cannot be read, or asks no model.
    """
    from memassay.flows.services.estimates import estimate as estimate_of

    return estimate_of(load_recipe(path), path.parent)
