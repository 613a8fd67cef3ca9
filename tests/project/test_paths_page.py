"""The page on paths: its package is installed and run as the page says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.places import REPOSITORY

PAGE = REPOSITORY / "docs" / "paths.md"
FILE = re.compile(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page, and the package installed below `site`."""
    folder = tmp_path_factory.mktemp("harvest")
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", "site")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "./harvest-path"],
        cwd=folder,
        check=True,
        timeout=120,
    )
    return folder


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memassay", *words, "--json"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "site")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _call(folder: Path, *words: str, code: int = 0) -> Any:
    done = _run(folder, *words)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow(seconds=20)
def test_the_path_of_the_page_runs_from_recipe_to_scores(built: Path) -> None:
    """Commands `run`, `review`, `stats`, `validate` and `eval` do what the page says."""
    run = ("run", "harvest.yaml", "--workspace", "work", "--runner", "plain")
    _call(built, *run, code=75)
    waiting = _call(built, "review", "list", "--workspace", "work")
    assert waiting
    for one in waiting:
        _call(built, "review", "decide", one["item"], "accept", "--workspace", "work")
    made = _call(built, *run)
    (stats,) = _call(built, "stats", made["release"])
    assert [(one["code"], one["name"]) for one in stats["types"]] == [
        ("all", "All crops"),
        ("none", "Not sold"),
        ("one", "One crop"),
        ("price", "Price"),
    ]
    assert stats["figures"][0]["title"] == "Harvest: what was picked"
    assert _call(built, "validate", made["release"])["findings"] == []
    lines = Path(built, made["release"], "certificates.jsonl").read_text("utf-8").splitlines()
    answers = [{"id": json.loads(line)["item"], "answer": "none"} for line in lines]
    text = "".join(f"{json.dumps(one)}\n" for one in answers)
    (built / "answers.jsonl").write_text(text, encoding="utf-8")
    _call(built, "eval", made["release"], "--reader", "bm25")
    scores = _call(built, "eval", made["release"], "--predictions", "answers.jsonl")
    assert scores["answers"]["harvest"]["number-named"]["overall"]["mean"] == 0.0
    # Without the package, what cannot be said is named.
    shutil.rmtree(built / "site")
    for words in (("stats",), ("eval", "--reader", "bm25")):
        said = _run(built, *words, made["release"]).stderr
        assert said.startswith("path harvest is not installed here: ")
    (found,) = _call(built, "validate", made["release"], "--quick", code=1)["findings"]
    assert found["message"].endswith("expected a path that is installed, got 'harvest'")
