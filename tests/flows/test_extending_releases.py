"""A release is extended: conversations, sessions and types come, and nothing else moves."""

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently
from support.hub_login import log_in
from support.hub_server import Repository, hub_server
from support.made_history import RECIPE, copy_made
from support.release_builder import content

from memassay.cli import main
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.writer import write_release
from memassay.flows.engine.units import COLLECTION
from memassay.flows.publishing.extending import ExtendReport, extend_release
from memassay.flows.publishing.fetching import release_folder
from memassay.flows.recipes.extensions import extending, with_release_of
from memassay.flows.recipes.loading import load_recipe, read_recipe
from memassay.flows.recipes.plans import setting_of
from memassay.flows.services.checks import validate_path
from memassay.flows.stages.extending.kept import KeptStage, Parent
from memassay.schemas.errors import RecipeError, ReleaseError, UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity

MORE: dict[str, Any] = {
    "personas": ["wei-courier", "lin-bike-repair"],
    "questions": {**RECIPE["questions"], "fm": 3},
    "sizes": {"sessions": 2, "rounds": 5, "images": 1, "documents": 0},
    "extend": {"sessions": 2},
    "release": {**RECIPE["release"], "version": "0.2.0"},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one history."""
    folder = copy_made(tmp_path_factory, tmp_path_factory.mktemp("extending") / "made")
    (path,) = (folder / "workspace" / "releases").iterdir()
    return path


def test_no_layout_loses_a_question_silently(made: Path, tmp_path: Path) -> None:
    """Each is written, or listed with the reason: documents have no place in most."""
    assert lost_silently(made, tmp_path) == {}


@pytest.fixture(scope="module")
def report(made: Path) -> ExtendReport:
    """It, with another persona, two sessions, and images to find."""
    return _extended(made, made.parents[2] / "longer", **MORE)


def _extended(from_: Path, folder: Path, **changes: Any) -> ExtendReport:
    folder.mkdir(exist_ok=True)
    recipe = folder / "longer.yaml"
    recipe.write_text(yaml.safe_dump({**RECIPE, **changes}), encoding="utf-8")
    return extend_release(from_, recipe, folder / "work", SilentProgress(), runner="plain")


def _records(release: Release) -> dict[str, str]:
    return {
        f"{type(record).__name__} {record.id}": content_hash(record)
        for bundle in release.bundles()
        for record in bundle.records()
    }


def test_nothing_of_the_release_is_touched(made: Path, report: ExtendReport) -> None:
    """Every record is in the longer release as it was; the conversation has more sessions."""
    before, after = open_release(made), open_release(report.run.release)
    old, new = _records(before), _records(after)
    assert {name for name in old if new.get(name) != old[name]} == {"Conversation wei-courier"}
    told, longer = before.bundle("wei-courier"), after.bundle("wei-courier")
    sessions = longer.conversation.sessions
    assert sessions[: len(told.conversation.sessions)] == told.conversation.sessions
    assert len(sessions) == len(told.conversation.sessions) + 2
    assert (report.held, report.touched) == ([], 0)


def test_the_difference_is_additions(report: ExtendReport) -> None:
    """Of items a persona's, those of the sessions, and those of the new type."""
    data = [one for one in report.diff.differences if one.aspect != "recipe"]
    assert {one.change for one in data} == {"added"}
    items = {one.id.rpartition("-")[0] for one in data if one.aspect == "item"}
    assert items >= {"wei-courier/fm", "wei-courier/extension1-ss", "lin-bike-repair/ss"}


def test_the_longer_release_is_sound(made: Path, report: ExtendReport) -> None:
    """No rule of records or of releases finds an error; it says what it extends."""
    found = validate_path(Path(report.run.release), quick=True).findings
    assert [one.message for one in found if one.severity is Severity.ERROR] == []
    named = open_release(report.run.release).manifest.recipe["extends"]
    assert isinstance(named, dict)
    assert named["content_sha256"] == open_release(made).manifest.content_sha256


def test_what_waited_for_people_still_does(made: Path, report: ExtendReport) -> None:
    """Nothing that the release held out is forgotten, and nothing of it is asked again."""
    old = {one.record for one in open_release(made).held_out()}
    new = {one.record for one in open_release(report.run.release).held_out()}
    assert old <= new
    assert {one.partition("/")[0] for one in new - old} <= {"lin-bike-repair", "wei-courier"}
    kept = {item.id for item in open_release(made).questions()}
    assert kept <= {item.id for item in open_release(report.run.release).questions()}


def test_again_is_nothing_new(made: Path, report: ExtendReport) -> None:
    """The same release, and no unit of work."""
    again = _extended(made, made.parents[2] / "longer", **MORE)
    assert again.run.release == report.run.release
    assert sum(one.made for one in again.run.stages) == 0


def test_new_sessions_have_the_types_of_their_path(report: ExtendReport) -> None:
    """They are asked by M3Exam's codes, five a session at most, and counted with the others."""
    release = open_release(report.run.release)
    items = [item for item in release.questions() if "/extension" in item.id]
    assert {item.benchmark_type for item in items} >= {"ss", "mr", "tr"}
    assert 5 <= len(items) <= 10
    counted = {one.id: (one.wanted, one.kept) for one in release.bank()}
    asked = sum(item.benchmark_type == "ss" for item in items)
    assert counted["wei-courier/bank-ss"] == (4 + asked, 4 + asked)


def test_what_was_found_in_what_is_held_out_is_kept(tmp_path: Path) -> None:
    """It is the reason still; what rules found in items of the release, they find again."""
    said = [
        Finding.make("answers.present", Severity.ERROR, name, "/answer", "expected one", "add it")
        for name in ("alex/Q0005", "alex/Q0001")
    ]
    write_release(tmp_path / "tiny", content(findings=said))
    stage = KeptStage(Parent(open_release(tmp_path / "tiny")))
    records = stage.run([], SimpleNamespace(shard=COLLECTION))
    assert [one.target for one in records if isinstance(one, Finding)] == ["alex/Q0005"]


def test_what_a_recipe_leaves_out_of_its_release_is_kept(made: Path) -> None:
    """Name, licence and layouts; a layout more comes behind them."""
    said = {**RECIPE, "release": {"version": "0.2.0", "formats": ["locomo"]}}
    release = with_release_of(read_recipe(said), Parent(open_release(made))).release
    assert (release.name, release.version, release.licence) == ("made", "0.2.0", "CC-BY-4.0")
    assert release.formats == ["parquet", "locomo"]


@pytest.mark.slow(seconds=12)
def test_a_longer_release_of_the_hub_is_extended_again(
    report: ExtendReport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that another machine published; nothing that it holds is touched, and it is sound."""
    with hub_server() as hub:
        log_in(monkeypatch, hub, tmp_path / "cache")
        hub.repositories["you/made"] = Repository.of(Path(report.run.release), "v0.2.0")
        folder = release_folder("you/made@v0.2.0")
    changes = {"extend": {"sessions": 1}, "release": {"version": "0.3.0"}}
    again = _extended(folder, tmp_path / "again", **{**MORE, **changes})
    old, new = _records(open_release(folder)), _records(open_release(again.run.release))
    others = {name.partition(" ")[0] for name in old if new.get(name) != old[name]}
    assert (others, again.held, again.touched) == ({"Conversation"}, [], 0)
    found = validate_path(Path(again.run.release), quick=True).findings
    assert [one.message for one in found if one.severity is Severity.ERROR] == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions": {"mr": 20, "ss": 4}}, "questions.mr: expected at most 10"),
        ({"cluster": {}}, "cluster: expected a recipe and a release without it"),
    ],
)
def test_what_cannot_be_added_is_refused(made: Path, changes: dict[str, Any], said: str) -> None:
    """More of a type that is there, and lives of dialogues."""
    recipe, parent = read_recipe({**RECIPE, **changes}), Parent(open_release(made))
    with pytest.raises(RecipeError, match=said):
        extending(recipe, parent, setting_of(made, made))


def test_a_recipe_of_another_path_is_refused(made: Path, repository: Path, tmp_path: Path) -> None:
    """With what it should be; alone, a recipe that extends is refused too."""
    recipe = load_recipe(repository / "recipes" / "curate-demo.yaml")
    with pytest.raises(RecipeError, match="path: expected m3exam"):
        extending(recipe, Parent(open_release(made)), setting_of(made, made))
    said = ["--runner", "plain", "--workspace", str(tmp_path / "work"), "--json"]
    alone = tmp_path / "alone.yaml"
    alone.write_text(yaml.safe_dump({**RECIPE, **MORE}), encoding="utf-8")
    assert CliRunner().invoke(main, ["run", str(alone), *said]).exit_code == 2


def test_a_release_that_was_changed_is_refused(made: Path, tmp_path: Path) -> None:
    """Whether its checksums show it or its rules do."""
    changed = Path(shutil.copytree(made, tmp_path / "changed"))
    log = changed / "certificates.jsonl"
    log.write_bytes(log.read_bytes() + b"\n")
    with pytest.raises((ReleaseError, UsageError), match=r"certificates\.jsonl"):
        _extended(changed, tmp_path)
