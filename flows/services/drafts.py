"""Drafts: the releases that the runs of a recipe ended in, and what changed from one to the next.

A name and a version stand for as many drafts as people decide and recipes change; each is a folder
`NAME-VERSION-HASH` of its own. Which one is newest, no folder tells: that is kept here.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import Field

from memassay.exports.release.reader import open_release
from memassay.flows.store.records import Draft
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Shape
from memassay.schemas.errors import MemassayError
from memassay.schemas.hashing import content_hash


class DraftChanges(Shape):
    """What differs between two drafts, in numbers."""

    added: Annotated[int, Field(description="Items that only the newer one has.")]
    removed: Annotated[int, Field(description="Items that only the older one has.")]
    gold: Annotated[int, Field(description="Items in both with another gold answer.")]
    changed: Annotated[int, Field(description="Items in both with the same gold, changed else.")]
    rounds: Annotated[int, Field(description="Rounds that are new, gone or changed.")]
    images: Annotated[int, Field(description="Images that are new, gone or changed.")]


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


def note_draft(workspace: Workspace, recipe: str, folder: Path) -> None:
    """Keep that a run of a recipe ended in a release; again in the same one, nothing is new."""
    drafts = workspace.store.drafts().get(recipe, [])
    if drafts and drafts[-1].release == folder.name:
        return
    changes = _changes(folder.parent / drafts[-1].release, folder) if drafts else None
    kept = None if changes is None else changes.model_dump_json()
    workspace.store.add_draft(recipe, Draft(folder.name, kept))


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


def _changes(before: Path, after: Path) -> DraftChanges | None:
    """What differs; None if the older one was deleted or is of a version that we cannot read."""
    try:
        old = _contents(before)
    except MemassayError:
        return None
    new = _contents(after)
    both = old.items.keys() & new.items.keys()
    gold = {item for item in both if old.gold[item] != new.gold[item]}
    return DraftChanges(
        added=len(new.items.keys() - both),
        removed=len(old.items.keys() - both),
        gold=len(gold),
        changed=sum(old.items[item] != new.items[item] for item in both - gold),
        rounds=_differing(old.rounds, new.rounds),
        images=_differing(old.images, new.images),
    )


def _differing(old: Mapping[tuple[str, str], str], new: Mapping[tuple[str, str], str]) -> int:
    return sum(old.get(each) != new.get(each) for each in old.keys() | new.keys())


def _contents(folder: Path) -> _Contents:
    found = _Contents({}, {}, {}, {})
    for bundle in open_release(folder, verify=False).bundles():
        for item in bundle.questions:
            found.gold[item.id] = content_hash(item.answer.model_dump(mode="json"))
            found.items[item.id] = content_hash(item)
        for session in bundle.conversation.sessions:
            for round_ in session.rounds:
                found.rounds[bundle.id, round_.id] = content_hash(round_.model_dump(mode="json"))
        for asset in bundle.assets:
            found.images[bundle.id, asset.id] = str(asset.pixel_sha256 or asset.blob_sha256)
    return found
