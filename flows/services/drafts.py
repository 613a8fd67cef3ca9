"""Drafts: the releases that the runs of a recipe ended in, and what changed from one to the next.

A name and a version stand for as many drafts as people decide and recipes change; each is a folder
`NAME-VERSION-HASH` of its own. Which one is newest, no folder tells: that is kept here.
"""

from pathlib import Path

from memassay.exports.differences.compare import Difference, ReleaseDiff, compare
from memassay.exports.differences.entries import Aspect
from memassay.exports.release.reader import open_release
from memassay.flows.store.records import Draft
from memassay.flows.store.status import DraftChanges
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import MemassayError


def note_draft(workspace: Workspace, recipe: str, folder: Path) -> None:
    """Keep that a run of a recipe ended in a release; again in the same one, nothing is new."""
    drafts = workspace.store.drafts().get(recipe, [])
    if drafts and drafts[-1].release == folder.name:
        return
    if not drafts and (older := _made_before(workspace, recipe, folder)):
        drafts = [Draft(older, None)]
        workspace.store.add_draft(recipe, drafts[0])
    changes = _changes_if_there(workspace, drafts[-1].release, folder) if drafts else None
    kept = None if changes is None else changes.model_dump_json()
    workspace.store.add_draft(recipe, Draft(folder.name, kept))


def _made_before(workspace: Workspace, recipe: str, folder: Path) -> str | None:
    """A release of the recipe from before drafts were kept, where only one can be meant."""
    others = [path.parent.name for path in folder.parent.glob("*/manifest.json")]
    others = [name for name in others if name != folder.name]
    only_one = len(others) == 1 and workspace.store.progress().keys() == {recipe}
    return others[0] if only_one else None


def _changes_if_there(workspace: Workspace, before: str, after: Path) -> DraftChanges | None:
    """What differs; None if the older one was deleted or is of a version that we cannot read."""
    try:
        return changes_between(workspace.release(before), after)
    except MemassayError:
        return None


def changes_between(before: Path, after: Path) -> DraftChanges:
    """What differs between two releases, in numbers.

    Raises:
        MemassayError: One is not there, or cannot be read.
    """
    diff = compare(open_release(before, verify=False), open_release(after, verify=False))
    return changes_of(diff)


def changes_of(diff: ReleaseDiff) -> DraftChanges:
    """The numbers of all that differs."""
    by_aspect: dict[Aspect, list[Difference]] = {aspect: [] for aspect in Aspect}
    for one in diff.differences:
        by_aspect[one.aspect].append(one)
    gold = {one.id for one in by_aspect[Aspect.GOLD]}
    parts = (Aspect.ITEM, Aspect.QUESTION, Aspect.EVIDENCE)
    changed = {one.id for part in parts for one in by_aspect[part] if one.change == "changed"}
    rounds = {one.id for one in by_aspect[Aspect.ROUND]}
    rounds |= {one.id.rpartition(".")[0] for one in by_aspect[Aspect.TURN]}
    images = {one.id for each in (Aspect.IMAGE, Aspect.ASSET) for one in by_aspect[each]}
    return DraftChanges(
        conversations=len(by_aspect[Aspect.CONVERSATION]),
        added=diff.of(Aspect.ITEM, "added"),
        removed=diff.of(Aspect.ITEM, "removed"),
        withdrawn=diff.withdrawn,
        gold=len(gold),
        changed=len(changed - gold),
        sessions=len(by_aspect[Aspect.SESSION]),
        rounds=len(rounds),
        images=len(images),
        findings=len(by_aspect[Aspect.FINDING]),
        decisions=len(by_aspect[Aspect.DECISION]),
        recipe=bool(by_aspect[Aspect.RECIPE]),
    )
