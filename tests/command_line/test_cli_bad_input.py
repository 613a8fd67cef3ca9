"""Bad input ends with exit code 2 and one clear line, whatever the command."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memassay.cli import main

SAMPLE = "recipes/samples"
GOLDEN = "tests/golden/release_v1"
RECIPE = "sources:\n  - {format: %s, path: %s, licence: CC-BY-4.0}\n"


def _call(arguments: list[str]) -> Result:
    return CliRunner().invoke(main, arguments)


def _is_one_clear_line(result: Result, *words: str) -> bool:
    line = result.stderr.strip().splitlines()[-1] if result.stderr.strip() else ""
    assert result.exit_code == 2, (result.exit_code, result.output)
    assert "Traceback" not in result.output
    assert "unexpected" not in line
    assert result.stderr.count("memassay: ") == 1
    assert all(word in line for word in words), line
    return True


def _json_file(folder: Path, text: str | bytes, name: str = "locomo.json") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def _big(folder: Path) -> Path:
    path = folder / "locomo.json"
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
    return path


BAD_FILES: dict[str, tuple[Callable[[Path], Path], str]] = {
    "no-such-file": (lambda folder: folder / "nope.json", "nope.json"),
    "empty-folder": (lambda folder: folder, ""),
    "300-mb-of-nothing": (_big, "UTF-8"),
    "utf-16": (lambda folder: _json_file(folder, "[]".encode("utf-16")), "UTF-8"),
    "latin-1": (lambda folder: _json_file(folder, '["é"]'.encode("latin-1")), "UTF-8"),
    "not-json": (lambda folder: _json_file(folder, "[{"), "JSON"),
    "empty-file": (lambda folder: _json_file(folder, ""), "JSON"),
    "scalar": (lambda folder: _json_file(folder, "3"), ""),
    "nan": (lambda folder: _json_file(folder, "[NaN]"), "NaN"),
    "deep": (lambda folder: _json_file(folder, "[" * 5000 + "]" * 5000), "nesting"),
}


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("format_name", ["mem-gallery", "locomo"])
@pytest.mark.parametrize("command", ["import", "validate", "audit", "run"])
def test_a_bad_foreign_file(name: str, format_name: str, command: str, tmp_path: Path) -> None:
    """Every command that reads foreign files says in one line what is wrong with this one."""
    prepare, word = BAD_FILES[name]
    folder = tmp_path / "data"
    folder.mkdir()
    path = prepare(folder)
    recipe = _json_file(tmp_path, RECIPE % (format_name, path), "recipe.yaml")
    licensed = ["--licence", "MIT", "--out", f"{tmp_path}/out"]
    arguments = {
        "import": ["import", format_name, str(path), *licensed],
        "validate": ["validate", str(path), "--format", format_name],
        "audit": ["audit", str(path), "--format", format_name, "--out", f"{tmp_path}/audit.md"],
        "run": ["run", str(recipe), "--workspace", f"{tmp_path}/work", "--runner", "plain"],
    }
    assert _is_one_clear_line(_call(arguments[command]), word)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "audit.md").exists()


@pytest.mark.parametrize("value", ["[]", "{}", "[1, 2]", '"text"'])
def test_a_list_where_an_object_belongs(value: str, tmp_path: Path) -> None:
    """A Mem-Gallery scenario that is no object with sessions is refused in one line."""
    folder = tmp_path / "data" / "dialog"
    folder.mkdir(parents=True)
    _json_file(folder, value, "Scenario.json")
    result = _call(["validate", str(tmp_path), "--format", "mem-gallery"])
    assert result.exit_code in (1, 2)
    assert "Traceback" not in result.output
    assert "Scenario" in result.output


def test_a_link_out_of_the_folder(repository: Path, tmp_path: Path) -> None:
    """An image that is a link to a file elsewhere is not read."""
    copy = tmp_path / "copy"
    shutil.copytree(repository / SAMPLE / "mem-gallery", copy)
    image = next(copy.rglob("D1_IMG_001.png"))
    moved = tmp_path / "secret.png"
    image.rename(moved)
    image.symlink_to(moved)
    result = _call(["validate", str(copy), "--format", "mem-gallery"])
    assert _is_one_clear_line(result, "D1_IMG_001.png")


@pytest.mark.parametrize("format_name", ["mem-gallery", "locomo"])
def test_a_file_that_is_a_link_out(format_name: str, repository: Path, tmp_path: Path) -> None:
    """A data file in the folder that is a link to a file elsewhere is not read."""
    copy = tmp_path / "copy"
    shutil.copytree(repository / SAMPLE / format_name, copy)
    file = next(copy.rglob("*.json"))
    file.rename(tmp_path / "secret.json")
    file.symlink_to(tmp_path / "secret.json")
    result = _call(["validate", str(copy), "--format", format_name])
    assert _is_one_clear_line(result, file.name)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sources:\n  - {fromat: locomo, path: x, licence: MIT}\n", "did you mean 'format'"),
        ("sauces: []\n", "did you mean 'sources'"),
        ("", "expected keys and values"),
        ("- a\n", "expected keys and values"),
        ("sources: [\n", "YAML"),
        ("seed: 1\nseed: 2\n", "twice"),
        (RECIPE % ("locomo", "x") + "gates: {assey: {policy: auto}}\n", "`gates()` names it"),
        (RECIPE % ("locomo", "x") + "thresholds: {balance.yesno: 1}\n", "balance.yesno"),
        (RECIPE % ("lokomo", "x"), "lokomo"),
        (RECIPE % ("locomo", "missing.json"), "missing.json"),
        (RECIPE % ("locomo", "x") + "gates: {assay: {polcy: auto}}\n", "did you mean 'policy'"),
        (RECIPE % ("locomo", "x") + "release: {formats: [loco]}\n", ""),
    ],
)
def test_a_bad_recipe(text: str, word: str, tmp_path: Path) -> None:
    """A recipe that cannot be meant is refused, and the likely key is named."""
    recipe = _json_file(tmp_path, text, "recipe.yaml")
    result = _call(["run", str(recipe), "--workspace", f"{tmp_path}/w", "--runner", "plain"])
    assert _is_one_clear_line(result, word)


def test_a_recipe_in_another_encoding(tmp_path: Path) -> None:
    """A recipe that is not UTF-8 is refused."""
    recipe = _json_file(tmp_path, b"\xff\xfe\x00", "recipe.yaml")
    assert _is_one_clear_line(_call(["run", str(recipe)]), "UTF-8")


def test_a_workspace_that_is_a_file(repository: Path, tmp_path: Path) -> None:
    """A file cannot be a workspace."""
    path = _json_file(tmp_path, "x", "work")
    recipe = str(repository / "recipes/curate-demo.yaml")
    for arguments in (["run", recipe, "--runner", "plain"], ["status"], ["review", "list"]):
        assert _is_one_clear_line(_call([*arguments, "--workspace", str(path)]), "work")


@pytest.mark.parametrize("good_head", [0, 4096])
def test_a_damaged_database(good_head: int, repository: Path, tmp_path: Path) -> None:
    """A database that is none, or is damaged behind its first page, is named with the fix."""
    recipe = str(repository / "recipes/curate-demo.yaml")
    database = tmp_path / "memassay.sqlite"
    if good_head:
        from memassay.flows.store.workspace import Workspace

        Workspace(tmp_path).close()
    head = database.read_bytes()[:good_head] if good_head else b""
    database.write_bytes(head + b"garbage" * 10_000)
    for arguments in (["run", recipe, "--runner", "plain"], ["status"]):
        result = _call([*arguments, "--workspace", str(tmp_path)])
        assert _is_one_clear_line(result, "memassay.sqlite", "move it away")


def test_unknown_names(repository: Path) -> None:
    """Formats, runners and reasons that do not exist are named with those that do."""
    path = str(repository / SAMPLE / "locomo/locomo_sample.json")
    assert _is_one_clear_line(_call(["validate", path, "--format", "lokomo"]), "lokomo", "locomo")
    assert _is_one_clear_line(_call(["import", "x", path, "--licence", "MIT"]), "'x'", "locomo")
    assert _is_one_clear_line(_call(["run", "r.yaml", "--runner", "airflow"]), "plain")
    decide = ["review", "decide", "R1", "accept", "--reason", "because"]
    assert _is_one_clear_line(_call(decide), "because")
    assert _is_one_clear_line(_call(["review", "decide", "R1", "reject"]), "--reason")


def test_a_foreign_file_without_its_format(repository: Path) -> None:
    """`validate` asks for --format where it cannot know it."""
    path = repository / SAMPLE / "locomo/locomo_sample.json"
    assert _is_one_clear_line(_call(["validate", str(path)]), "--format")
    assert _is_one_clear_line(_call(["validate", str(path.parent)]), "--format")
    assert _is_one_clear_line(_call(["validate", "nowhere"]), "nowhere")


def test_an_output_folder_in_use(repository: Path, tmp_path: Path) -> None:
    """Nothing is written into a folder that holds something else."""
    path = str(repository / SAMPLE / "locomo/locomo_sample.json")
    _json_file(tmp_path, "mine", "mine.txt")
    call = ["import", "locomo", path, "--licence", "MIT", "--out", str(tmp_path)]
    assert _is_one_clear_line(_call(call), "--out")
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("licence", [" ", "yes", "free to use"])
def test_a_licence_that_is_none(licence: str, repository: Path, tmp_path: Path) -> None:
    """Data is imported under a licence that SPDX knows, or one of its owner's."""
    path = str(repository / SAMPLE / "locomo/locomo_sample.json")
    call = ["import", "locomo", path, "--licence", licence, "--out", f"{tmp_path}/o"]
    assert _is_one_clear_line(_call(call), "licence")


@pytest.mark.parametrize("content", [b"\xff\xfe{}", b"x" * 10])
def test_a_bad_file_of_records(content: bytes, tmp_path: Path) -> None:
    """A stage file must be named after its kind; bytes that are no text are refused."""
    path = _json_file(tmp_path, content, "notes.jsonl")
    assert _is_one_clear_line(_call(["validate", str(path)]), "questions.jsonl")


def test_lines_that_are_no_records(tmp_path: Path) -> None:
    """Broken lines of a stage file are findings with their line, not a refusal."""
    path = _json_file(tmp_path, '{"id": "a/Q1"}\n{oops\n', "questions.jsonl")
    result = _call(["validate", str(path), "--json"])
    found = json.loads(result.stdout)["findings"]
    assert result.exit_code == 1
    assert any(each["target"] == "questions.jsonl:2" for each in found)
    assert all(each["rule"] == "schema.fits" for each in found)


def test_a_line_without_end(tmp_path: Path) -> None:
    """A stage file of 300 MB without a line break is refused before it fills the memory."""
    path = _big(tmp_path).rename(tmp_path / "questions.jsonl")
    assert _is_one_clear_line(_call(["validate", str(path)]), "MiB")


def test_a_release_that_somebody_changed(
    repository: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A run hands out no release that is not as its manifest says: it says so, and mends it."""
    recipe = str(repository / "recipes/curate-demo.yaml")
    call = ["run", recipe, "--runner", "plain", "--workspace", str(tmp_path)]
    release = Path(_call(call).stdout.splitlines()[-1])
    changed = release / "findings.jsonl"
    before = changed.read_bytes()
    changed.write_bytes(before + b"mine")
    result = _call(call)
    assert result.exit_code == 0, result.output
    assert "findings.jsonl is missing or damaged; it is written again" in caplog.text
    assert changed.read_bytes() == before


@pytest.mark.parametrize("command", ["validate", "stats"])
def test_the_end_of_a_releases_name_is_found(tmp_path: Path, command: str) -> None:
    """Whoever leaves out the hash in a folder's name is told the whole name."""
    whole = tmp_path / "demo-0.1.0-b587252b"
    whole.mkdir()
    result = _call([command, str(tmp_path / "demo-0.1.0")])
    assert _is_one_clear_line(result, f"did you mean {whole}?")


def test_another_document_is_no_manifest(tmp_path: Path) -> None:
    """A manifest that is something else is named as a file, with what to do."""
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    result = _call(["stats", str(tmp_path)])
    assert _is_one_clear_line(result, "manifest.json: expected the manifest", "fetch the release")


_TAKES_RELEASES = {
    "validate": [],
    "eval": ["--memory", "bm25"],
    "stats": [],
    "export": ["--format", "locomo", "--out", "OUT"],
    "report": ["--out", "OUT"],
    "publish": ["a/b"],
    "diff": [GOLDEN],
}


@pytest.mark.parametrize("command", _TAKES_RELEASES)
@pytest.mark.parametrize("place", ["pipe", "device", "large", "deep"])
def test_what_is_no_release_is_refused_at_once(command: str, place: str, tmp_path: Path) -> None:
    """A pipe is not waited for, a device not read, a manifest of 300 MB not decoded."""
    release = tmp_path / "release"
    if place in ("pipe", "device"):
        (os.mkfifo if place == "pipe" else _link_to_zero)(release)
        words = [str(release)]
    else:
        shutil.copytree(GOLDEN, release)
        manifest = release / "manifest.json"
        manifest.write_bytes(b"[" * 100_000)
        if place == "large":
            os.truncate(manifest, 300 * 2**20)
        words = ["manifest.json", "of at most 32 MiB, got 300 MiB" if place == "large" else "deep"]
    more = [f"{tmp_path}/out" if each == "OUT" else each for each in _TAKES_RELEASES[command]]
    assert _is_one_clear_line(_call([command, str(release), *more]), *words)


def _link_to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32-le"])
def test_a_manifest_is_utf_8(encoding: str, tmp_path: Path) -> None:
    """Python would read others too; a release whose manifest has another encoding is damaged."""
    shutil.copytree(GOLDEN, tmp_path / "release")
    manifest = tmp_path / "release" / "manifest.json"
    manifest.write_bytes(manifest.read_text("utf-8").encode(encoding))
    result = _call(["validate", str(manifest.parent), "--json"])
    assert result.exit_code == 1
    rules = [each["rule"] for each in json.loads(result.stdout)["findings"]]
    assert rules.count("release.manifest") == 1
    assert _call(["stats", str(manifest.parent)]).exit_code == 1


def test_a_question_without_an_answer_is_wrong_use(tmp_path: Path) -> None:
    """Standard input has ended, and nobody interrupted anything."""
    result = _call(["init", f"{tmp_path}/mine.yaml"])
    assert result.exit_code == 2
    assert "expected an answer on standard input, got its end" in result.stderr


def test_a_release_without_its_manifest_is_one_finding(tmp_path: Path) -> None:
    """It is not one for each file that no manifest lists."""
    shutil.copytree(GOLDEN, tmp_path / "release")
    (tmp_path / "release" / "manifest.json").write_bytes(b"{")
    result = _call(["validate", f"{tmp_path}/release", "--json"])
    rules = [each["rule"] for each in json.loads(result.stdout)["findings"]]
    assert rules.count("release.manifest") == 1
    assert "release.file_listed" not in rules


def test_control_characters_reach_no_terminal(tmp_path: Path) -> None:
    """They are printed as escapes."""
    result = _call(["validate", f"{tmp_path}/a\x1b[2J\x07"])
    assert _is_one_clear_line(result, r"a\x1b[2J\x07")


def test_an_unknown_reader_is_told_the_names() -> None:
    """Names stand as one writes them."""
    result = _call(["eval", GOLDEN, "--reader", "nope"])
    assert _is_one_clear_line(
        result, "expected one of append-everything, bm25, captions-only, dense,"
    )


def test_predictions_that_are_not_there() -> None:
    """A file that does not exist is named."""
    result = _call(["eval", GOLDEN, "--predictions", "nope.jsonl"])
    assert _is_one_clear_line(result, "expected a file of predictions, got no such file")


_READ = ["validate", GOLDEN, "--reader", "reader.yaml"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ([*_READ, "--budget", "inf"], "--budget: expected dollars such as 5, got inf"),
        ([*_READ, "--workspace", f"{GOLDEN}/work"], "--workspace: expected a folder outside of"),
        (["validate", GOLDEN, "--recipe-folder", "nope"], "--recipe-folder: expected the folder"),
        (["validate", GOLDEN, "--items", ""], "--items: expected --reader beside it"),
    ],
)
def test_options_of_reading_and_sources_are_refused(call: list[str], said: str) -> None:
    """Nothing is read, paid for or written into the release."""
    assert _is_one_clear_line(_call(call), said)
