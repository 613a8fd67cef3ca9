"""Imported conversations are extended by sessions of their own life (Mem-Gallery acceptance)."""

from pathlib import Path
from statistics import median
from typing import Any

import pytest
import yaml
from support.engine_builder import SilentProgress

from memassay.exports.release.reader import Release, open_release
from memassay.flows.publishing.extending import ExtendReport, extend_release
from memassay.flows.services.runs import run_recipe
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.records.conversation import Session

SESSIONS, QUESTIONS = 2, 10


@pytest.fixture(scope="module")
def recipe(repository: Path) -> dict[str, Any]:
    """Our own sample scenario and conversation, taken in."""
    samples = repository / "recipes" / "samples"
    talk = samples / "locomo" / "locomo_sample.json"
    sources = [
        {"format": "mem-gallery", "path": str(samples / "mem-gallery"), "licence": "CC-BY-4.0"},
        {"format": "locomo", "path": str(talk), "licence": "CC-BY-4.0"},
    ]
    return {"path": "curate", "seed": 7, "sources": sources, "release": {"name": "taken-in"}}


@pytest.fixture(scope="module")
def before(recipe: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The release that is extended."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
    made = run_recipe(folder / "recipe.yaml", folder / "work", SilentProgress(), runner="plain")
    return open_release(Path(str(made.release)))


@pytest.fixture(scope="module")
def report(
    before: Release, recipe: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> ExtendReport:
    """It, with two sessions and ten questions more."""
    folder = tmp_path_factory.mktemp("longer")
    more = {"extend": {"sessions": SESSIONS, "questions": QUESTIONS}}
    (folder / "longer.yaml").write_text(yaml.safe_dump({**recipe, **more}), encoding="utf-8")
    return extend_release(
        before.folder, folder / "longer.yaml", folder / "work", SilentProgress(), runner="plain"
    )


@pytest.fixture(scope="module")
def after(report: ExtendReport) -> Release:
    """The longer release."""
    return open_release(Path(report.run.release))


class _Killer(SilentProgress):
    """Ends the process, as far as a run can tell, when a stage begins."""

    def begin(self, stage: str, total: int) -> None:
        """Interrupt it."""
        if stage == "assay":
            raise KeyboardInterrupt
        super().begin(stage, total)


def _records(release: Release) -> dict[str, str]:
    return {
        f"{type(record).__name__} {record.id}": content_hash(record)
        for bundle in release.bundles()
        for record in bundle.records()
    }


def _new(sessions: list[Session]) -> list[Session]:
    return [one for one in sessions if (one.origin or "").startswith("extension")]


def test_nothing_that_was_taken_in_is_touched(before: Release, after: Release) -> None:
    """Every record but the conversations is the same; those have sessions more at their end."""
    old, new = _records(before), _records(after)
    other = {name for name in old if new.get(name) != old[name]}
    assert {name.partition(" ")[0] for name in other} == {"Conversation"}
    for told in before.conversations():
        longer = after.bundle(told.id).conversation
        assert longer.sessions[: len(told.sessions)] == told.sessions
        assert len(longer.sessions) == len(told.sessions) + SESSIONS


def test_old_golds_hold_and_changes_are_listed(
    before: Release, after: Release, report: ExtendReport
) -> None:
    """No verdict of an old question changes, nothing of it is held, and all new is listed."""
    verdicts = {one.item: one.verdict for one in after.certificates()}
    assert {one.item: one.verdict for one in before.certificates()}.items() <= verdicts.items()
    assert (report.held, report.touched) == ([], 0)
    listed = {one.id for one in report.diff.differences if one.aspect == "item"}
    old = {one.id for one in before.questions()}
    assert listed == {one.id for one in after.questions()} - old


def test_new_questions_are_supported_and_of_many_types(before: Release, after: Release) -> None:
    """Ten over all types that can be asked; text that came from elsewhere proves nothing."""
    old = {one.id for one in before.questions()}
    verdicts = {one.item: one.verdict for one in after.certificates()}
    for bundle in after.bundles():
        new = [one for one in bundle.questions if one.id not in old]
        assert {verdicts[one.id] for one in new} == {Verdict.SUPPORTED}
        codes = {str(one.benchmark_type) for one in new}
        if bundle.conversation.collection == "mem-gallery":
            assert len(new) == QUESTIONS
            assert codes == {"FR", "VS", "TR", "VR", "MR", "KR", "CD", "AR"}


def test_new_sessions_are_of_that_life(before: Release, after: Release) -> None:
    """They speak of what others spoke of, are about as long, and show one image a round."""
    for told in before.conversations():
        said = " ".join(turn.text for turn in told.turns())
        usual = median(len(one.rounds) for one in told.sessions)
        for session in _new(after.bundle(told.id).conversation.sessions):
            assert abs(len(session.rounds) - usual) <= 0.5 * usual + 2
            for one in session.rounds:
                assert sum(len(turn.attachments) for turn in one.turns) <= 1
        reasons = [one for one in after.alterations() if one.id.startswith(f"{told.id}/")]
        things = {one.reason.partition("tells of the ")[2].partition(" ")[0] for one in reasons}
        assert things - {""}
        assert all(thing in said for thing in things)


@pytest.mark.slow(seconds=6)
def test_killed_and_run_again_it_is_the_same(
    before: Release, recipe: dict[str, Any], after: Release, tmp_path: Path
) -> None:
    """Interrupted while it checks what is new, it goes on where it was."""
    more = {"extend": {"sessions": SESSIONS, "questions": QUESTIONS}}
    path = tmp_path / "longer.yaml"
    path.write_text(yaml.safe_dump({**recipe, **more}), encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        extend_release(before.folder, path, tmp_path / "work", _Killer(), runner="plain")
    again = extend_release(before.folder, path, tmp_path / "work", SilentProgress(), runner="plain")
    made = {one.stage: one.made for one in again.run.stages}
    assert made["new-sessions"] == 0
    assert open_release(Path(again.run.release)).manifest == after.manifest
