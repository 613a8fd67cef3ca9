"""The replies that ship beside the sample: a reading runs from them without a key."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from memassay.cli import main


def _command(repository: Path) -> list[str]:
    """The command of the documentation."""
    page = (repository / "docs" / "reader.md").read_text(encoding="utf-8")
    (line,) = [
        one for one in page.splitlines() if "--replay recipes/samples/replies/curate-read" in one
    ]
    return shlex.split(line)[1:]


def test_the_sample_is_read_without_a_key(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command of the page: planted errors that no rule can prove wait for people."""
    shutil.copytree(repository / "recipes", tmp_path / "recipes")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ended = CliRunner().invoke(main, [*_command(repository), "--runner", "plain", "--json"])
    report = json.loads(ended.stdout)
    read = {one["record"]: one["reasons"] for one in report["held_out"] if one["stage"] == "read"}
    assert read == {
        "sample-1/Q0008": ["reading.gold"],
        "sample-1/Q0013": ["reading.gold"],
        "sample-1/Q0019": ["reading.gold"],
        "sample-1/Q0020": ["reading.evidence"],
    }
    rules = [one["rule"] for one in report["findings"]]
    assert "reading.unread" not in rules
    assert rules.count("reading.whole") == 1


def test_the_recipe_and_the_page_say_who_replied(repository: Path) -> None:
    """Nobody takes the replies for those of a model server."""
    recipe = (repository / "recipes" / "curate-read.yaml").read_text(encoding="utf-8")
    readme = (repository / "recipes" / "samples" / "README.md").read_text(encoding="utf-8")
    page = (repository / "docs" / "reader.md").read_text(encoding="utf-8")
    for text in (recipe, readme, page):
        assert "no model server was asked" in " ".join(text.replace("#", "").split())
