"""The demo run: what it prints, what it holds out, how review changes it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.places import REPOSITORY

import memassay
from memassay.cli import main
from memassay.commands.screen import WORST, print_held_out
from memassay.schemas.judgements.review import HeldOut

pytestmark = pytest.mark.slow(seconds=0.5)


def _call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def _document(result: Result) -> Any:
    return json.loads(result.stdout)


def _demo(repository: Path, gates: str) -> str:
    samples = repository / "recipes" / "samples"
    return (
        "sources:\n"
        f"  - {{format: mem-gallery, path: {samples}/mem-gallery, licence: CC-BY-4.0}}\n"
        f"  - {{format: locomo, path: {samples}/locomo, licence: CC-BY-4.0}}\n"
        f"gates: {gates}\n"
        "release: {name: demo}\n"
    )


@pytest.fixture(scope="module")
def demo(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """The result of the demo recipe in a workspace of its own, and the workspace."""
    workspace = tmp_path_factory.mktemp("demo") / "work"
    recipe = repository / "recipes" / "curate-demo.yaml"
    return _call("run", recipe, "--workspace", workspace, "--runner", "plain"), workspace


def test_the_demo_ends_with_its_release(demo: tuple[Result, Path]) -> None:
    """Exit 0 in spite of quarantined items; the last line is the folder of the release."""
    result, workspace = demo
    assert result.exit_code == 0, result.output
    release = Path(result.stdout.splitlines()[-1])
    assert release.parent == workspace / "releases"
    assert (release / "manifest.json").is_file()


def test_a_run_says_what_it_made_and_what_it_kept(
    demo: tuple[Result, Path], repository: Path
) -> None:
    """The first makes every unit; the same again keeps every one."""
    recipe = repository / "recipes" / "curate-demo.yaml"
    stages = _document(_call("run", recipe, "--workspace", demo[1], "--runner", "plain", "--json"))
    assert [stage["made"] for stage in stages["stages"]] == [0] * len(stages["stages"])
    told = _call("run", recipe, "--workspace", demo[1], "--runner", "plain", "--details").stdout
    rows = [line.split() for line in told.splitlines() if line.startswith(" import ")]
    assert rows[0][:3] == ["import", "0", str(stages["stages"][0]["units"])]
    assert "Unchanged: 54 questions" in told


def test_the_package_gives_the_release_of_the_command(
    demo: tuple[Result, Path], repository: Path
) -> None:
    """`memassay.run` goes on in the workspace, and opens what it gives."""
    result, workspace = demo
    release = memassay.run(repository / "recipes" / "curate-demo.yaml", workspace)
    assert str(release.folder) == result.stdout.splitlines()[-1]
    assert memassay.open_release(release.folder).manifest == release.manifest


def test_the_run_ends_with_ten_lines_in_words(demo: tuple[Result, Path]) -> None:
    """The worst findings with their fix, then what was made and held out, as the release counts."""
    result, _ = demo
    findings, _, screen = result.stdout.partition("\n\n")
    lines = screen.splitlines()
    manifest = json.loads((Path(lines[-1]) / "manifest.json").read_text("utf-8"))
    assert findings.count("fix: ") == WORST
    assert "findings.jsonl" in findings.splitlines()[-1]
    assert len(lines) <= 10
    assert lines[0].startswith(f"Made: {manifest['counts']['question']} questions")
    assert f"{manifest['verdicts']['supported']} supported (" in screen
    assert f"Held out of the release: {manifest['counts']['held_out']} with errors;" in screen
    assert "held_out.jsonl" in screen
    assert "ade again" not in result.output
    assert "import: " in result.stderr


def test_details_are_tables(demo: tuple[Result, Path], repository: Path) -> None:
    """With --details come the stages and each held-out record with its rules."""
    recipe = repository / "recipes" / "curate-demo.yaml"
    at = ("--workspace", demo[1], "--runner", "plain", "--details")
    told = _call("run", recipe, *at).stdout
    for words in ("records at the gates", "Held out\n", "dates.contradicts", "29 findings: "):
        assert words in told


def test_another_recipe_makes_nothing_again(demo: tuple[Result, Path], tmp_path: Path) -> None:
    """Units of the same names were made by another recipe; this one runs for the first time."""
    recipe = tmp_path / "other.yaml"
    recipe.write_text(_demo(REPOSITORY, "{}").replace("demo", "other"), "utf-8")
    at = ("--workspace", demo[1], "--runner", "plain", "--json")
    first = _document(_call("run", recipe, *at))
    assert first["review"]["made_again"] == {}
    again = _document(_call("run", recipe, *at, "--seed", "9"))
    assert again["review"]["made_again"]["release"] == 1


def test_demo_runs_a_recipe_that_ships_by_its_name(tmp_path: Path) -> None:
    """With the options of `run`, and with the replies that ship where a model would read."""
    at = ("--workspace", tmp_path, "--seed", "3", "--details")
    result = _call("demo", "curate-read", *at)
    assert result.exit_code == 0, result.output
    for words in ("reading.gold", "4 with findings that people should judge, 2 with errors"):
        assert words in result.stdout
    unknown = _call("demo", "curate-reed")
    assert (unknown.exit_code, "curate-read" in unknown.stderr) == (2, True)


def test_running_again_redoes_nothing(demo: tuple[Result, Path], repository: Path) -> None:
    """The second run of one recipe names the same release."""
    result, workspace = demo
    recipe = repository / "recipes" / "curate-demo.yaml"
    again = _call("run", recipe, "--workspace", workspace, "--runner", "plain", "--json")
    assert again.exit_code == 0
    assert _document(again)["release"] == result.stdout.splitlines()[-1]


def test_another_seed_is_another_experiment(demo: tuple[Result, Path], repository: Path) -> None:
    """--seed takes the place of the recipe's seed, which is part of the release's recipe."""
    result, workspace = demo
    recipe = repository / "recipes" / "curate-demo.yaml"
    other = _call("run", recipe, "--workspace", workspace, "--runner", "plain", "--seed", "8")
    assert other.exit_code == 0
    assert other.stdout.splitlines()[-1] != result.stdout.splitlines()[-1]


def test_strict_refuses_the_demo(repository: Path, tmp_path: Path) -> None:
    """With --strict the planted defects refuse the whole run."""
    recipe = repository / "recipes" / "curate-demo.yaml"
    result = _call("run", recipe, "--workspace", tmp_path, "--runner", "plain", "--strict")
    assert result.exit_code == 2
    assert "strict" in result.stderr


def test_status_shows_stages_and_releases(demo: tuple[Result, Path]) -> None:
    """Status names the run's stages as done, and its release."""
    result, workspace = demo
    status = _document(_call("status", "--workspace", workspace, "--json"))
    stages = status["runs"]["curate-demo"]
    assert [stage["stage"] for stage in stages] == [
        "import",
        "validate",
        "compare",
        "assay",
        "pack",
        "release",
    ]
    assert all(stage["units"] == stage["finished"] for stage in stages)
    assert result.stdout.splitlines()[-1] in status["releases"]
    assert _call("status", "--workspace", workspace).exit_code == 0


def test_what_the_demo_holds_out_is_what_was_planted(
    demo: tuple[Result, Path], repository: Path
) -> None:
    """Every held-out question is a planted defect, and every planted defect is found."""
    result, _ = demo
    release = Path(result.stdout.splitlines()[-1])
    planted = json.loads((repository / "recipes/samples/planted.json").read_text("utf-8"))
    expected = {_question_of(defect["file"], defect["where"]) for defect in planted}
    lines = (release / "held_out.jsonl").read_text("utf-8").splitlines()
    held = {json.loads(line)["record"] for line in lines}
    findings = [
        json.loads(line) for line in (release / "findings.jsonl").read_text("utf-8").splitlines()
    ]
    flagged = {each["target"] for each in findings if each["severity"] != "info"}
    assert held - expected == set()
    assert expected - held - flagged == set()


def _question_of(file: str, where: str) -> str:
    """The record id of the question at a JSON Pointer of a sample."""
    position = next(int(part) for part in where.split("/")[2:] if part.isdigit())
    stem = Path(file).stem
    if "locomo" in file:
        document = json.loads((REPOSITORY / file).read_text("utf-8"))
        stem = document[0]["sample_id"]
    return f"{stem}/Q{position + 1:04d}"


@pytest.fixture
def blocked(repository: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A recipe whose validate gate asks people about errors and blocks, and its workspace."""
    recipe = tmp_path / "blocked.yaml"
    recipe.write_text(_demo(repository, "{validate: {policy: sample, on_warning: pass}}"), "utf-8")
    workspace = tmp_path / "work"
    result = _call("run", recipe, "--workspace", workspace, "--runner", "plain")
    assert result.exit_code == 75
    assert "memassay review show" in result.stderr
    return recipe, workspace


def test_review_until_the_gate_opens(blocked: tuple[Path, Path]) -> None:
    """List, show, decide everything; then the run ends, with what was accepted in the release."""
    recipe, workspace = blocked
    at = ("--workspace", workspace)
    items = _document(_call("review", "list", *at, "--json"))
    assert items
    shown = _document(_call("review", "show", items[0]["item"], *at, "--json"))
    assert shown["question"]["text"]
    assert shown["gold"]["format"]
    assert [each["rule"] for each in shown["findings"]]
    assert all(each["rounds"] for each in shown["evidence"]) or shown["findings"]
    for item in items[:-1]:
        decided = _call("review", "decide", item["item"], "reject", "--reason", "other", *at)
        assert decided.exit_code == 0
    accepted = items[-1]
    assert _call("review", "decide", accepted["item"], "accept", *at).exit_code == 0
    result = _call("run", recipe, *at, "--runner", "plain", "--json")
    assert result.exit_code == 0, result.output
    held = {item["record"]: item["status"] for item in _document(result)["held_out"]}
    assert accepted["record"] not in held
    assert {held[item["record"]] for item in items[:-1]} == {"rejected"}
    release = _document(result)["release"]
    checked = _call("validate", release, "--json")
    assert checked.exit_code == 0, checked.output
    by_people = [
        each for each in _document(checked)["findings"] if "accepted by" in each["message"]
    ]
    assert {each["target"] for each in by_people} == {accepted["record"]}


def test_show_prints_question_gold_evidence_and_findings(blocked: tuple[Path, Path]) -> None:
    """Every open item can be read by a person."""
    at = ("--workspace", blocked[1])
    for item in _document(_call("review", "list", *at, "--json")):
        shown = _call("review", "show", item["item"], *at)
        assert shown.exit_code == 0, shown.output
        for words in (item["record"], "question  ", "gold  ", *item["rules"], "fix: "):
            assert words in shown.stdout


def test_a_decision_stands(blocked: tuple[Path, Path]) -> None:
    """Deciding the same again changes nothing, deciding otherwise is refused."""
    at = ("--workspace", blocked[1])
    item = _document(_call("review", "list", *at, "--json"))[0]["item"]
    reject = ("review", "decide", item, "reject", "--reason", "ambiguous", *at)
    assert [_call(*reject).exit_code, _call(*reject).exit_code] == [0, 0]
    assert _call("review", "decide", item, "accept", *at).exit_code == 2
    assert _call("review", "decide", item, "reject", "--reason", "correct", *at).exit_code == 2
    assert "decided" in _call("review", "show", item, *at).stdout


def test_unknown_items_and_gates(blocked: tuple[Path, Path]) -> None:
    """Items and gates that do not exist are named."""
    at = ("--workspace", blocked[1])
    assert "R0" in _call("review", "show", "R0", *at).stderr
    unknown = _call("review", "list", "--gate", "assey", *at)
    assert unknown.exit_code == 2
    assert "assay" in unknown.stderr
    assert _call("review", "list", "--gate", "validate", *at).exit_code == 0


def test_continue_holds_pending_items_out(repository: Path, tmp_path: Path) -> None:
    """With `on_open: continue` the run ends with 0 and says what waits."""
    recipe = tmp_path / "open.yaml"
    gates = "{validate: {policy: sample, on_warning: pass, on_open: continue}}"
    recipe.write_text(_demo(repository, gates), "utf-8")
    at = ("--workspace", tmp_path / "work")
    result = _call("run", recipe, *at, "--runner", "plain")
    assert result.exit_code == 0, result.output
    named = re.search(r"memassay (review show .+)$", result.stdout, re.MULTILINE)
    assert named is not None
    assert "question  " in _call(*named[1].split()).stdout
    status = _document(_call("status", *at, "--json"))
    assert status["open_reviews"]["validate"] > 0


def test_many_held_out_records_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    """Above a screenful the table has a row for all records of the same reasons."""
    held = [
        HeldOut(id=f"h{n}", record=f"a/Q{n}", kind="question", stage="s", status="x", reasons=["r"])
        for n in range(100)
    ]
    print_held_out(held)
    assert "100" in capsys.readouterr().out
