"""How far the runs of a workspace are, and the newest draft of each recipe."""

from typing import Annotated

from pydantic import Field

from memassay.flows.store.places.address import Place
from memassay.flows.store.records import StageProgress
from memassay.flows.store.workspace import Workspace, open_workspace
from memassay.schemas.base import Shape


class StageReport(Shape):
    """How far a stage is, and where records stand at its gate."""

    stage: str
    units: int
    finished: int
    gate: dict[str, int]
    held: Annotated[int, Field(description="Units that living processes have now.")] = 0
    rate: Annotated[float, Field(description="Units a second, while it goes.")] = 0.0
    left: Annotated[
        float | None, Field(description="Seconds that the rest will take; null if nobody knows.")
    ] = None
    memory: Annotated[int, Field(description="Bytes of the largest process, while it goes.")] = 0


class DraftChanges(Shape):
    """What differs between two drafts, in numbers."""

    conversations: Annotated[
        int, Field(description="Conversations that differ, their sessions apart.")
    ] = 0
    added: Annotated[int, Field(description="Items that only the newer one has.")]
    removed: Annotated[int, Field(description="Items that only the older one has.")]
    withdrawn: Annotated[int, Field(description="Of these, those that an erratum names.")] = 0
    gold: Annotated[int, Field(description="Items in both with another gold answer.")]
    changed: Annotated[int, Field(description="Items in both with the same gold, changed else.")]
    sessions: Annotated[
        int, Field(description="Sessions of conversations in both that differ, their rounds apart.")
    ] = 0
    rounds: Annotated[int, Field(description="Rounds of sessions in both that differ.")]
    images: Annotated[int, Field(description="Images of conversations in both that differ.")]
    findings: Annotated[int, Field(description="Findings that are new, gone or changed.")] = 0
    decisions: Annotated[int, Field(description="Decisions that are new, gone or changed.")] = 0
    recipe: Annotated[bool, Field(description="Whether the recipe says something else.")] = False


class DraftReport(Shape):
    """The newest draft of a recipe."""

    recipe: str
    release: Annotated[str, Field(description="Name of its folder.")]
    number: Annotated[int, Field(description="Which draft of the recipe it is, from 1.")]
    before: Annotated[str | None, Field(description="Name of the draft before it, if any.")]
    changes: Annotated[
        DraftChanges | None,
        Field(description="Against the one before; null if that is gone or cannot be read."),
    ]


class StatusReport(Shape):
    """How far the runs of a workspace are."""

    workspace: str
    runs: dict[str, list[StageReport]]
    open_reviews: Annotated[dict[str, int], Field(description="Items that wait, by gate.")]
    releases: list[str]
    drafts: Annotated[list[DraftReport], Field(description="The newest of each recipe.")]


def stage_report(progress: StageProgress, held: int = 0) -> StageReport:
    """How far a stage is, and how fast it goes while somebody holds units of it."""
    report = StageReport(
        stage=progress.stage,
        units=progress.total,
        finished=progress.finished,
        gate=progress.gate,
    )
    if not held or progress.pace is None:
        return report
    return report.model_copy(update={**vars(progress.pace), "held": held})


def _count_held(workspace: Workspace, progress: StageProgress) -> int:
    """Units of a stage that living processes have."""
    if progress.gate or progress.finished >= progress.total:
        return 0
    holders = workspace.store.holders(progress.stage)
    return sum(not workspace.owners.is_dead(one) for one in holders)


def newest_drafts(workspace: Workspace) -> list[DraftReport]:
    """The newest draft of each recipe that was run, by name of the recipe."""
    return [
        DraftReport(
            recipe=recipe,
            release=drafts[-1].release,
            number=len(drafts),
            before=drafts[-2].release if len(drafts) > 1 else None,
            changes=(
                DraftChanges.model_validate_json(drafts[-1].changes) if drafts[-1].changes else None
            ),
        )
        for recipe, drafts in sorted(workspace.store.drafts().items())
    ]


def status(place: Place) -> StatusReport:
    """How far the runs of a workspace are.

    Raises:
        UsageError: There is no workspace.
    """
    with open_workspace(place) as workspace:
        waiting: dict[str, int] = {}
        for item in workspace.queue.items():
            waiting[item.gate] = waiting.get(item.gate, 0) + 1
        found = [str(path.parent) for path in sorted(workspace.releases.glob("*/manifest.json"))]
        if workspace.shared is not None:
            found += [workspace.shared.url(name) for name in workspace.shared.names()]
        return StatusReport(
            workspace=str(workspace.place),
            runs={
                name: [stage_report(one, _count_held(workspace, one)) for one in stages]
                for name, stages in workspace.store.progress().items()
            },
            open_reviews=dict(sorted(waiting.items())),
            releases=found,
            drafts=newest_drafts(workspace),
        )
