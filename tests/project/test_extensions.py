"""A format is one folder and a family of rules one file; nothing else changes for them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FOLDERS = ("annotation", "exports", "flows", "memassay", "schemas", "synth", "validators")
ADDED = Path("tests/support/extensions")
RECIPE = """\
path: curate
sources:
  - {format: toy, path: data, licence: CC0-1.0}
release: {name: toys, version: 0.1.0, licence: CC0-1.0, formats: [parquet, toy]}
"""
DRIVER = """\
import json, sys
from click.testing import CliRunner
from memassay.cli import main

def call(*words):
    result = CliRunner().invoke(main, [*words, "--json"])
    assert result.exit_code == 0, (result.output, result.exception)
    return json.loads(result.stdout)

made = call("run", "toys.yaml", "--workspace", "work", "--runner", "plain")
rules = {rule["id"]: rule["found_by"] for rule in call("rules")}
print(json.dumps({
    "release": made["release"],
    "rules": {name: rules[name] for name in ("toy.polite", "import.toy_empty")},
    "stats": call("stats", made["release"]),
    "help": CliRunner().invoke(main, ["import", "--help"]).output,
    "findings": [one["rule"] for one in call("validate", made["release"])["findings"]],
}))
"""


def _in_tree(repository: Path, tmp_path: Path) -> Path:
    """A copy of the source with a folder and a file more."""
    tree = tmp_path / "tree"
    for name in FOLDERS:
        shutil.copytree(
            repository / name,
            tree / name,
            symlinks=True,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copytree(repository / ADDED, tree / "exports" / "formats" / "toy")
    (tree / "exports" / "formats" / "toy" / "toy_rules.py").unlink()
    shutil.copy(repository / ADDED / "toy_rules.py", tree / "validators" / "items")
    return tree


def _installed(repository: Path, tmp_path: Path) -> Path:
    """An installed package beside the source, with entry points."""
    site = tmp_path / "site"
    shutil.copytree(repository / ADDED, site / "toy_benchmark")
    about = site / "toy_benchmark-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-benchmark\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[memassay.formats]\ntoy = toy_benchmark.layout:FORMAT\n"
        "[memassay.rules]\ntoy = toy_benchmark.toy_rules\n"
    )
    return site


def _driven(tmp_path: Path, first: Path) -> Any:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "ann.toy").write_text(
        "I keep bees.\n\nThey sleep.\nQ: What does Ann keep?\nA: bees\n", encoding="utf-8"
    )
    (tmp_path / "toys.yaml").write_text(RECIPE, encoding="utf-8")
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


@pytest.mark.parametrize("place", [_in_tree, _installed])
def test_a_format_and_a_rule_are_found_without_any_other_change(
    repository: Path, tmp_path: Path, place: Any
) -> None:
    """From recipe to statistics, in the source tree and as an installed package."""
    seen = _driven(tmp_path, place(repository, tmp_path))
    assert seen["rules"] == {"toy.polite": ["rules"], "import.toy_empty": ["toy"]}
    assert seen["findings"] == ["toy.polite"]
    assert "toy" in json.dumps(seen["stats"])
    assert "|toy]" in seen["help"]
    release = Path(seen["release"])
    text = (release / "formats" / "toy" / "ann.toy").read_text(encoding="utf-8")
    assert text == "I keep bees.\nThey sleep.\nQ: What does Ann keep?\nA: bees\n"
    (finding,) = [
        json.loads(line)
        for line in (release / "findings.jsonl").read_text(encoding="utf-8").splitlines()
        if "import.toy_empty" in line
    ]
    assert finding["target"] == "ann"


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
