"""Commands on files: import, validate, audit, rules, export, stats."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memassay.cli import main
from memassay.exports.release.reader import open_release
from memassay.schemas.benchmarks.registry import PAPER_TABLES

LOCOMO = "recipes/samples/locomo/locomo_sample.json"
GALLERY = "recipes/samples/mem-gallery"


def _call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def _document(result: Result) -> Any:
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def release(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of the demo."""
    workspace = tmp_path_factory.mktemp("demo") / "work"
    recipe = repository / "recipes" / "curate-demo.yaml"
    result = _call("run", recipe, "--workspace", workspace, "--runner", "plain", "--json")
    return Path(_document(result)["release"])


@pytest.fixture(scope="module")
def records(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records of the Mem-Gallery sample."""
    out = tmp_path_factory.mktemp("records") / "gallery"
    path = repository / GALLERY
    result = _call("import", "mem-gallery", path, "--licence", "CC-BY-4.0", "--out", out)
    assert result.exit_code == 1, result.output
    return out


def test_import_writes_a_file_per_kind(records: Path) -> None:
    """Records, findings and images lie in one folder; it is named last on standard output."""
    assert {"conversations.jsonl", "questions.jsonl", "assets.jsonl", "findings.jsonl"} <= {
        path.name for path in records.iterdir()
    }
    assert len((records / "questions.jsonl").read_text("utf-8").splitlines()) > 30
    assert len([path for path in (records / "blobs").rglob("*") if path.is_file()]) >= 17


def test_import_refuses_when_strict(repository: Path, tmp_path: Path) -> None:
    """--strict refuses a source with an error and leaves nothing behind."""
    out = tmp_path / "out"
    call = ("import", "locomo", repository / LOCOMO, "--licence", "MIT", "--strict", "--out", out)
    assert _call(*call).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_validate_a_folder_of_records(records: Path) -> None:
    """Rules run over imported records as over the foreign files."""
    result = _call("validate", records, "--json")
    assert result.exit_code == 1
    assert _document(result)["kind"] == "records"
    rules = {finding["rule"] for finding in _document(result)["findings"]}
    assert "duplicates.question" in rules


def test_validate_one_file_of_records(records: Path) -> None:
    """A single stage file is checked against the schema of its kind."""
    result = _call("validate", records / "questions.jsonl")
    assert result.exit_code == 0, result.output
    assert "0 findings" in result.stdout


def test_records_without_their_conversation_are_found(records: Path, tmp_path: Path) -> None:
    """A folder that lost its conversations says so, and drops nothing silently."""
    copy = tmp_path / "copy"
    shutil.copytree(records, copy)
    (copy / "conversations.jsonl").unlink()
    result = _call("validate", copy, "--json")
    assert result.exit_code == 1
    assert "ids.record_conversation" in {each["rule"] for each in _document(result)["findings"]}


@pytest.mark.slow(seconds=1)
def test_validate_a_release(release: Path) -> None:
    """The release of the demo has no error."""
    result = _call("validate", release, "--json")
    errors = [each for each in _document(result)["findings"] if each["severity"] == "error"]
    assert errors == []
    assert result.exit_code == 0


def test_validate_a_release_without_its_manifest(release: Path, tmp_path: Path) -> None:
    """A release that lost its manifest is still checked as one."""
    copy = tmp_path / "copy"
    shutil.copytree(release, copy)
    (copy / "manifest.json").unlink()
    result = _call("validate", copy, "--json")
    assert result.exit_code == 1
    assert "release.manifest" in {each["rule"] for each in _document(result)["findings"]}


def test_a_release_is_no_foreign_file(release: Path, tmp_path: Path) -> None:
    """A release given where a foreign file belongs is named as what it is, and vice versa."""
    for call in (
        ("import", "locomo", release, "--licence", "MIT", "--out", tmp_path / "o"),
        ("validate", release, "--format", "mem-gallery"),
        ("audit", release, "--format", "locomo", "--out", tmp_path / "a.md"),
    ):
        result = _call(*call)
        assert result.exit_code == 2
        assert "release" in result.stderr


@pytest.mark.parametrize(
    "call",
    [
        ["stats"],
        ["export", "--format", "locomo", "--out", "out"],
        ["eval", "--memory", "bm25"],
        ["validate"],
    ],
    ids=lambda call: call[0],
)
@pytest.mark.parametrize("path", [LOCOMO, GALLERY, "nowhere"])
def test_a_foreign_file_is_no_release(call: list[str], path: str, repository: Path) -> None:
    """A foreign file or folder given where a release belongs is refused."""
    result = _call(*call, repository / path)
    assert result.exit_code == 2
    assert "expected a release" in result.stderr


@pytest.mark.parametrize(("format_name", "path"), [("locomo", LOCOMO), ("mem-gallery", GALLERY)])
def test_audit_writes_errata(format_name: str, path: str, repository: Path, tmp_path: Path) -> None:
    """Every finding is in an entry, with its place in a file; nothing names our machine."""
    report = tmp_path / "audit.md"
    result = _call("audit", repository / path, "--format", format_name, "--out", report, "--json")
    assert result.exit_code == 1
    text = report.read_text("utf-8")
    assert text.startswith("# Errata of ")
    errata = json.loads((tmp_path / "audit.json").read_text("utf-8"))
    places = [place for entry in errata["errata"] for place in entry["places"]]
    said = [(one["rule"], place["record"]) for place in places for one in place["statements"]]
    findings = _document(result)["findings"]
    assert sorted(said) == sorted((each["rule"], each["target"]) for each in findings)
    assert all(place["at"]["file"].endswith(".json") for place in places)
    # That nobody stated a licence to the audit is no defect of theirs.
    assert "assets.licence" not in {each["rule"] for each in findings}
    assert str(repository) not in text + str(errata)


def test_an_audit_is_repeatable(repository: Path, tmp_path: Path) -> None:
    """Two audits of the same files write the same bytes; a patch that went stale is gone."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / "it.patch").write_text("old", encoding="utf-8")
        _call("audit", repository / LOCOMO, "--format", "locomo", "--out", folder / "it.md")
    for name in ("it.md", "it.json", "it.patch"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
    assert (first / "it.patch").read_bytes() != b"old"


def test_an_audit_never_writes_over_the_data(repository: Path, tmp_path: Path) -> None:
    """Nor into its folder, whose JSON files are read the next time; nor under another ending."""
    data = tmp_path / "sample.json"
    shutil.copyfile(repository / LOCOMO, data)
    before = data.read_bytes()
    outs = [(data, out) for out in (tmp_path / "sample.md", data, tmp_path / "it.patch")]
    for path, out in (*outs, (tmp_path, tmp_path / "it.md")):
        result = _call("audit", path, "--format", "locomo", "--out", out)
        assert result.exit_code == 2
        assert "expected" in result.stderr
    assert data.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["sample.json"]


def test_rules_have_severity_meaning_and_source() -> None:
    """Every rule is listed once, sorted, with all four things said."""
    result = _call("rules", "--json")
    rules = _document(result)
    assert result.exit_code == 0
    assert [rule["id"] for rule in rules] == sorted({rule["id"] for rule in rules})
    assert all(rule["what"] and rule["source"] and rule["found_by"] for rule in rules)
    text = _call("rules").stdout
    assert all(rule["id"] in text for rule in rules)


@pytest.mark.parametrize("format_name", ["locomo", "mem-gallery"])
def test_export_writes_a_layout(format_name: str, release: Path, tmp_path: Path) -> None:
    """An export can be read as its format; what did not fit is listed, and counted by kind."""
    out = tmp_path / "out"
    result = _call("export", release, "--format", format_name, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    report = _document(result)
    assert json.loads((out / "unfit.json").read_text("utf-8")) == report["unfit"]
    lost = [each for each in report["unfit"] if "reason" in each]
    assert all(each["type"] and each["what"] and each["why"] and each["fix"] for each in lost)
    assert report["of"] - report["questions"] == len(lost)
    assert sum(row["number"] for row in report["questions_left_out"]) == len(lost)
    kinds = report["parts_without_a_place"]
    assert sum(row["number"] for row in kinds) == len(report["unfit"]) - len(lost)
    read = _document(_call("validate", out, "--format", format_name, "--json"))
    assert read["records"]["conversation"] == report["conversations"]
    assert read["records"]["question"] == report["questions"]
    assert "import.key_missing" not in {each["rule"] for each in read["findings"]}


def test_an_export_tells_lost_questions_first(release: Path, tmp_path: Path) -> None:
    """Questions by type and reason, then one line for each kind of part."""
    result = _call("export", release, "--format", "locomo", "--out", tmp_path / "out")
    told = result.stdout
    assert result.stderr == ""
    assert 0 < told.index("Questions left out") < told.index("Parts without a place")
    assert len(told.splitlines()) < 60


def test_stats_put_the_paper_beside_ours(release: Path) -> None:
    """Each collection has its sizes and types, ours and the paper's."""
    result = _call("stats", release, "--json")
    assert result.exit_code == 0
    stats = {each["collection"]: each for each in _document(result)}
    gallery = stats["mem-gallery"]
    assert gallery["conversations"][-1]["paper"]["rounds"] == 3962
    assert gallery["conversations"][0]["ours"]["rounds"] == 45
    assert {row["code"] for row in gallery["types"]} >= {"FR", "AR"}
    assert "45 / " in _call("stats", release).stdout


def test_every_printed_scenario_finds_its_file(real_data: Path) -> None:
    """The paper's Table 5 has a row for every scenario at hand."""
    printed = PAPER_TABLES["mem-gallery"].conversations
    titles = {title.replace(", ", "_").replace(" ", "_") for title in printed}
    names = {path.stem for path in (real_data / "mem-gallery" / "dialog").glob("*.json")}
    assert names - titles == set()


def test_eval_scores_a_reader_by_type(release: Path) -> None:
    """The oracle finds all evidence; the table has a row per type."""
    result = _call("eval", release, "--reader", "oracle", "--json")
    assert result.exit_code == 0, result.output
    best = _document(result)["scores"][-1]
    assert best["recall"]["overall"]["mean"] == 1.0
    text = _call("eval", release, "--reader", "bm25").stdout
    assert "mem-gallery/FR" in text
    assert "recall" in text


def test_eval_says_where_its_page_is(release: Path, tmp_path: Path) -> None:
    """Who asks for a page finds it."""
    said = _call("eval", release, "--memory", "oracle", "--out", tmp_path / "out").stderr
    assert str(tmp_path / "out" / "report.html") in said
    assert (tmp_path / "out" / "report.html").is_file()


def test_eval_scores_predictions(release: Path, tmp_path: Path) -> None:
    """Right answers score 1, missing ones are named."""
    file = tmp_path / "predictions.jsonl"
    gold = {"id": "sample-1/Q0001", "answer": "nothing at all", "seconds": 0.5}
    file.write_text(json.dumps(gold) + "\n", "utf-8")
    result = _call("eval", release, "--predictions", file, "--json")
    assert result.exit_code == 1, result.output
    report = _document(result)
    assert report["answered"] == 1
    assert len(report["missing"]) == report["questions"] - 1
    said = _call("eval", release, "--predictions", file).output
    assert f"{len(report['missing'])} of {report['questions']} items have no answer" in said


def test_eval_of_unknown_ids_is_no_success(release: Path, tmp_path: Path) -> None:
    """Exit code 1 beside known ones, 2 where no id is known."""
    file = tmp_path / "predictions.jsonl"
    ids = [item.id for item in open_release(release).questions()]
    lines = [json.dumps({"id": name, "answer": "x"}) for name in [*ids, "nobody/Q0001"]]
    file.write_text("\n".join(lines), "utf-8")
    result = _call("eval", release, "--predictions", file)
    assert (result.exit_code, "1 answer with an id that" in result.output) == (1, True)
    file.write_text(lines[-1], "utf-8")
    assert _call("eval", release, "--predictions", file).exit_code == 2


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ([], "--memory"),
        (["--reader", "bm26"], "bm26"),
        (["--reader", "bm25", "--predictions", "p.jsonl"], "--memory"),
        (["--predictions", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_eval_of_nothing_that_exists(options: list[str], word: str, release: Path) -> None:
    """Unknown readers, missing files and both ways at once are refused."""
    result = _call("eval", release, *options)
    assert result.exit_code == 2
    assert word in result.stderr
