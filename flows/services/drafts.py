"""Drafts: the releases that the runs of a recipe ended in, and what changed from one to the next.

A name and a version stand for as many drafts as people decide and recipes change; each is a folder
`NAME-VERSION-HASH` of its own. Which one is newest, no folder tells: that is kept here.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

from pydantic import Field

from memassay.exports.release.reader import open_release
from memassay.flows.store.records import Draft
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import MemassayError
from memassay.schemas.hashing import content_hash

_Key = TypeVar("_Key")


class DraftChanges(Shape):
    """What differs between two drafts, in numbers."""

    conversations: Annotated[int, Field(description="Conversations that only one has.")] = 0
    added: Annotated[int, Field(description="Items that only the newer one has.")]
    removed: Annotated[int, Field(description="Items that only the older one has.")]
    gold: Annotated[int, Field(description="Items in both with another gold answer.")]
    changed: Annotated[int, Field(description="Items in both with the same gold, changed else.")]
    rounds: Annotated[int, Field(description="Rounds of conversations in both that differ.")]
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


class _Contents(NamedTuple):
    """Hashes of what a release holds, by id; rounds and images by conversation, too."""

    gold: dict[str, str]
    items: dict[str, str]
    rounds: dict[tuple[str, str], str]
    images: dict[tuple[str, str], str]
    findings: dict[str, str]
    decisions: dict[str, str]
    recipe: dict[str, object]
    conversations: set[str]


def note_draft(workspace: Workspace, recipe: str, folder: Path) -> None:
    """Keep that a run of a recipe ended in a release; again in the same one, nothing is new."""
    drafts = workspace.store.drafts().get(recipe, [])
    if drafts and drafts[-1].release == folder.name:
        return
    if not drafts and (older := _made_before(workspace, recipe, folder)):
        drafts = [Draft(older, None)]
        workspace.store.add_draft(recipe, drafts[0])
    changes = _changes_if_there(folder.parent / drafts[-1].release, folder) if drafts else None
    kept = None if changes is None else changes.model_dump_json()
    workspace.store.add_draft(recipe, Draft(folder.name, kept))


def _made_before(workspace: Workspace, recipe: str, folder: Path) -> str | None:
    """A release of the recipe from before drafts were kept, where only one can be meant."""
    others = [path.parent.name for path in folder.parent.glob("*/manifest.json")]
    others = [name for name in others if name != folder.name]
    only_one = len(others) == 1 and workspace.store.progress().keys() == {recipe}
    return others[0] if only_one else None


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


def _changes_if_there(before: Path, after: Path) -> DraftChanges | None:
    """What differs; None if the older one was deleted or is of a version that we cannot read."""
    try:
        return changes_between(before, after)
    except MemassayError:
        return None


def changes_between(before: Path, after: Path) -> DraftChanges:
    """What differs between two releases, in numbers.

    Raises:
        MemassayError: One is not there, or cannot be read.
    """
    old, new = _contents(before), _contents(after)
    both = old.items.keys() & new.items.keys()
    gold = {item for item in both if old.gold[item] != new.gold[item]}
    talks = old.conversations & new.conversations
    return DraftChanges(
        conversations=len(old.conversations ^ new.conversations),
        added=len(new.items.keys() - both),
        removed=len(old.items.keys() - both),
        gold=len(gold),
        changed=sum(old.items[item] != new.items[item] for item in both - gold),
        rounds=sum(one in talks for one, _ in _differing(old.rounds, new.rounds)),
        images=sum(one in talks for one, _ in _differing(old.images, new.images)),
        findings=len(_differing(old.findings, new.findings)),
        decisions=len(_differing(old.decisions, new.decisions)),
        recipe=old.recipe != new.recipe,
    )


def _differing(old: Mapping[_Key, str], new: Mapping[_Key, str]) -> list[_Key]:
    return [each for each in old.keys() | new.keys() if old.get(each) != new.get(each)]


def _contents(folder: Path) -> _Contents:
    release = open_release(folder, verify=False)
    found = _Contents(
        gold={},
        items={},
        rounds={},
        images={},
        findings={one.id: content_hash(one) for one in release.findings()},
        decisions={one.id: content_hash(one) for one in release.decisions()},
        recipe={**release.manifest.recipe, "inputs_sha256": ""},
        conversations=set(),
    )
    for bundle in release.bundles():
        found.conversations.add(bundle.id)
        for item in bundle.questions:
            found.gold[item.id] = content_hash(item.answer.model_dump(mode="json"))
            found.items[item.id] = content_hash(item)
        for session in bundle.conversation.sessions:
            for round_ in session.rounds:
                found.rounds[bundle.id, round_.id] = content_hash(round_.model_dump(mode="json"))
        for asset in bundle.assets:
            found.images[bundle.id, asset.id] = str(asset.pixel_sha256 or asset.blob_sha256)
    return found
