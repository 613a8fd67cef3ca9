"""A path is one folder, a format one folder, a family of rules one file; nothing else changes."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDERS = (
    "annotation",
    "exports",
    "flows",
    "memassay",
    "recipes",
    "schemas",
    "synth",
    "validators",
)
ADDED = Path("tests/support/extensions")
ADDED_PATH = Path("tests/support/toy_path")
RECIPE = """\
path: curate
sources:
  - {format: toy, path: data, licence: CC0-1.0}
release: {name: toys, version: 0.1.0, licence: CC0-1.0, formats: [parquet, toy]}
"""
OF_PATH = """\
path: toy
people: [Ann]
household: {animal: geese}
gates: {tell: {policy: all}}
release: {name: geese, formats: [toy]}
"""
DRIVER = """\
import json, sys
from click.testing import CliRunner
from memassay.cli import main

def call(*words, code=0):
    result = CliRunner().invoke(main, [*words, "--json"])
    assert result.exit_code == code, (result.output, result.exception)
    return json.loads(result.stdout)

made = call("run", "toys.yaml", "--workspace", "work", "--runner", "plain")
rules = {rule["id"]: rule["found_by"] for rule in call("rules")}
call("run", "geese.yaml", "--workspace", "work", "--runner", "plain", code=75)
waiting = call("review", "list", "--workspace", "work")
for one in waiting:
    call("review", "decide", one["item"], "accept", "--workspace", "work")
geese = call("run", "geese.yaml", "--workspace", "work", "--runner", "plain")
with open("answers.jsonl", "w") as file:
    print(json.dumps({"id": "Ann/q-0001", "answer": "She has geese."}), file=file)
misspelt = CliRunner().invoke(main, ["run", "misspelt.yaml", "--workspace", "work"])
print(json.dumps({
    "geese": geese,
    "waiting": waiting,
    "geese_findings": call("validate", geese["release"])["findings"],
    "found": call("eval", geese["release"], "--reader", "bm25"),
    "answered": call("eval", geese["release"], "--predictions", "answers.jsonl"),
    "geese_stats": call("stats", geese["release"]),
    "misspelt": [misspelt.exit_code, misspelt.stderr],
    "release": made["release"],
    "rules": {name: rules[name] for name in ("toy.polite", "import.toy_empty", "toy.quiet")},
    "stats": call("stats", made["release"]),
    "help": CliRunner().invoke(main, ["import", "--help"]).output,
    "findings": [one["rule"] for one in call("validate", made["release"])["findings"]],
}))
"""


def _in_tree(repository: Path, tmp_path: Path) -> Path:
    """A copy of the source with a folder and a file more."""
    tree = tmp_path / "tree"
    for name in FOLDERS:
        # What is compiled goes along: compiling all of it again takes most of the time.
        shutil.copytree(repository / name, tree / name, symlinks=True)
    shutil.copytree(repository / ADDED, tree / "exports" / "formats" / "toy")
    (tree / "exports" / "formats" / "toy" / "toy_rules.py").unlink()
    shutil.copy(repository / ADDED / "toy_rules.py", tree / "validators" / "items")
    shutil.copytree(repository / ADDED_PATH, tree / "synth" / "paths" / "toy")
    return tree


def _installed(repository: Path, tmp_path: Path) -> Path:
    """An installed package beside the source, with entry points."""
    site = tmp_path / "site"
    shutil.copytree(repository / ADDED, site / "toy_benchmark")
    shutil.copytree(repository / ADDED_PATH, site / "toy_path")
    about = site / "toy_benchmark-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-benchmark\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[memassay.formats]\ntoy = toy_benchmark.layout:FORMAT\n"
        "[memassay.rules]\ntoy = toy_benchmark.toy_rules\n"
        "[memassay.paths]\ntoy = toy_path.path:PATH\n"
    )
    return site


def _driven(tmp_path: Path, first: Path) -> Any:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ann.toy").write_text(
        "I keep bees.\n\nThey sleep.\nQ: What does Ann keep?\nA: bees\n", encoding="utf-8"
    )
    (tmp_path / "toys.yaml").write_text(RECIPE, encoding="utf-8")
    (tmp_path / "geese.yaml").write_text(OF_PATH, encoding="utf-8")
    misspelt = OF_PATH.replace("animal:", "animla:")
    (tmp_path / "misspelt.yaml").write_text(misspelt, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(first)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("place", [_in_tree, _installed])
def test_what_is_added_is_found_without_any_other_change(
    repository: Path, tmp_path: Path, place: Any
) -> None:
    """From recipe over review to scores, in the source tree and as an installed package."""
    seen = _driven(tmp_path, place(repository, tmp_path))
    assert seen["rules"] == {
        "toy.polite": ["rules"],
        "import.toy_empty": ["toy"],
        "toy.quiet": ["synthesis"],
    }
    assert seen["findings"] == ["toy.polite"]
    assert "toy" in json.dumps(seen["stats"])
    assert "|toy|" in "".join(seen["help"].split())
    release = Path(seen["release"])
    text = (release / "formats" / "toy" / "ann.toy").read_text(encoding="utf-8")
    assert text == "I keep bees.\nThey sleep.\nQ: What does Ann keep?\nA: bees\n"
    (finding,) = [
        json.loads(line)
        for line in (release / "findings.jsonl").read_text(encoding="utf-8").splitlines()
        if "import.toy_empty" in line
    ]
    assert finding["target"] == "ann"
    geese = seen["geese"]
    assert (geese["questions"], geese["held_out"]) == (1, [])
    assert geese["stages"][0]["stage"] == "tell"
    assert {one["rule"] for one in geese["findings"]} >= {"toy.quiet"}
    assert [one["record"] for one in seen["waiting"]] == ["Ann", "Ann/q-0001"]
    assert [one["severity"] for one in seen["geese_findings"]] == ["info"]
    assert seen["answered"]["answers"]["toy"]["named"]["by_benchmark_type"]["keep"]["mean"] == 1.0
    assert set(seen["found"]["scores"][0]["recall"]["by_benchmark_type"]) == {"keep"}
    (collection,) = seen["geese_stats"]
    (kept,) = collection["types"]
    assert (collection["collection"], kept["code"], kept["name"]) == ("toy", "keep", "Kept")
    assert collection["figures"][0] == {"title": "Toy: animals", "rows": [{"animal": "geese"}]}
    code, said = seen["misspelt"]
    assert code == 2
    assert "household.animla: unknown key; did you mean 'animal'?" in said


@pytest.mark.slow(seconds=0.6)
@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ("[memassay.rules]\nbroken = broken_benchmark\n", ["rules"]),
        (
            "[memassay.formats]\nbroken = broken_benchmark:FORMAT\n",
            ["validate", "x", "--format", "broken"],
        ),
    ],
)
def test_a_broken_package_is_named_in_one_line(
    tmp_path: Path, entry: str, command: list[str]
) -> None:
    """Whatever its module raises: wrong use, not a fault of ours."""
    (tmp_path / "broken_benchmark.py").write_text("1 / 0\n", encoding="utf-8")
    about = tmp_path / "broken_benchmark-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-benchmark\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(entry)
    done = subprocess.run(
        [sys.executable, "-m", "memassay", *command],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "ZeroDivisionError" in done.stderr
    assert "uninstall that package" in done.stderr
    assert len(done.stderr.splitlines()) == 1
