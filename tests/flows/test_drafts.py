"""Drafts: which release of a recipe is the newest, and what differs from the one before."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import delete
from support.release_builder import bundle, content

from memassay.cli import main
from memassay.exports.release.writer import write_release
from memassay.flows.services.drafts import note_draft
from memassay.flows.store.records import StageProgress
from memassay.flows.store.status import DraftChanges, newest_drafts, status
from memassay.flows.store.tables import DRAFTS
from memassay.flows.store.workspace import Workspace
from memassay.schemas.records.bundle import Bundle


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace of which no recipe was run."""
    opened = Workspace(tmp_path / "work")
    yield opened
    opened.close()


def _note(workspace: Workspace, name: str, *bundles: Bundle) -> None:
    """Keep a release of conversations as a draft of the recipe `tiny`."""
    folder = workspace.releases / name
    if not folder.exists():
        write_release(
            folder,
            replace(content(), bundles=list(bundles), blobs=workspace.blobs, certificates=[]),
        )
    note_draft(workspace, "tiny", folder)


def _bundle(workspace: Workspace, colour: str = "red") -> Bundle:
    return bundle("alex", "Luna", colour, workspace.blobs)  # type: ignore[arg-type]


def test_the_first_draft_has_none_before_it(workspace: Workspace) -> None:
    """There is nothing to compare with."""
    _note(workspace, "a", _bundle(workspace))
    (draft,) = newest_drafts(workspace)
    assert (draft.release, draft.number, draft.before, draft.changes) == ("a", 1, None, None)


def test_what_differs_is_counted(workspace: Workspace) -> None:
    """An item that is gone, one whose gold changed, one changed else."""
    first = _bundle(workspace)
    _gone, other, asked, *rest = first.questions
    gold = other.answer.model_copy(update={"values": ["Nobody"]})
    text = asked.question.model_copy(update={"text": "What, then?"})
    changed = [
        other.model_copy(update={"answer": gold}),
        asked.model_copy(update={"question": text}),
    ]
    _note(workspace, "a", first)
    second = first.model_copy(update={"questions": [*changed, *rest]})
    _note(workspace, "b", second)
    (draft,) = newest_drafts(workspace)
    assert (draft.release, draft.number, draft.before) == ("b", 2, "a")
    assert draft.changes == DraftChanges(added=0, removed=1, gold=1, changed=1, rounds=0, images=0)


def test_a_conversation_that_is_new_has_no_changed_rounds(workspace: Workspace) -> None:
    """It is counted as what it is, with its items."""
    _note(workspace, "a")
    _note(workspace, "b", _bundle(workspace))
    (draft,) = newest_drafts(workspace)
    assert draft.changes is not None
    found = draft.changes
    assert (found.conversations, found.rounds, found.images) == (1, 0, 0)
    assert found.added == len(_bundle(workspace).questions)


def test_findings_decisions_and_the_recipe_are_counted_too(workspace: Workspace) -> None:
    """Where items and histories are the same, it is said what is not."""
    made = replace(content(), bundles=[_bundle(workspace)], blobs=workspace.blobs, certificates=[])
    assert made.findings
    for name, one in {
        "a": made,
        "b": replace(made, findings=made.findings[1:], recipe={**made.recipe, "seed": 99}),
    }.items():
        write_release(workspace.releases / name, one)
        note_draft(workspace, "tiny", workspace.releases / name)
    said = CliRunner().invoke(main, ["status", "--workspace", str(workspace.folder)]).output
    assert "number 2; against a: 1 finding changed, another recipe\n" in said


@pytest.mark.parametrize(("runs", "before"), [(["tiny"], "old"), (["tiny", "other"], None)])
def test_a_release_from_before_drafts_were_kept_is_compared(
    workspace: Workspace, runs: list[str], before: str | None
) -> None:
    """If the workspace has one alone, and no other recipe was run that may have made it."""
    for run in runs:
        workspace.store.record_progress(run, 0, StageProgress("release", 1, 1, {}))
    _note(workspace, "old", _bundle(workspace))
    with workspace.engine.begin() as connection:
        connection.execute(delete(DRAFTS))
    _note(workspace, "new", _bundle(workspace, "blue"))
    (draft,) = newest_drafts(workspace)
    assert draft.before == before
    assert (draft.changes is not None) is (before is not None)


def test_the_same_draft_again_is_no_new_one(workspace: Workspace) -> None:
    """A run that changes nothing says what the last one said; going back to an older one is new."""
    for name in ("a", "a", "b", "a"):
        _note(workspace, name, _bundle(workspace, "red" if name == "a" else "blue"))
    (draft,) = newest_drafts(workspace)
    assert (draft.release, draft.number, draft.before) == ("a", 3, "b")
    assert draft.changes is not None
    assert draft.changes.images > 0


def test_a_draft_that_was_deleted_is_not_compared(workspace: Workspace) -> None:
    """Its numbers are not made up."""
    _note(workspace, "a", _bundle(workspace))
    shutil.rmtree(workspace.releases / "a")
    _note(workspace, "b", _bundle(workspace, "blue"))
    (draft,) = newest_drafts(workspace)
    assert (draft.before, draft.changes) == ("a", None)


def test_status_says_which_is_newest(workspace: Workspace) -> None:
    """For people in a line, for machines as a document."""
    _note(workspace, "z", _bundle(workspace))
    _note(workspace, "b", _bundle(workspace, "blue"))
    said = CliRunner().invoke(main, ["status", "--workspace", str(workspace.folder)]).output
    assert "newest draft of tiny: b, number 2; against z: " in said
    assert [draft.release for draft in status(workspace.folder).drafts] == ["b"]
