"""docs/python.md does what it says: every script runs as it is."""

import re
from pathlib import Path

import pytest
from support.release_builder import content

from memassay.exports.release.writer import write_release
from memassay.flows.store.workspace import open_workspace

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SCRIPTS = BLOCK.findall(Path(__file__).parents[2].joinpath("docs", "python.md").read_text("utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the scripts name."""
    folder = tmp_path_factory.mktemp("scripts")
    write_release(folder / "path" / "to" / "release", content())
    with open_workspace(folder / "workspace", create=True):
        return folder


@pytest.mark.parametrize("script", SCRIPTS, ids=[f"script-{at}" for at in range(len(SCRIPTS))])
def test_a_script_runs(
    script: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each script runs in a folder with a release and a workspace, and prints something."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(folder / "cache"))
    exec(compile(script, "docs/python.md", "exec"), {"__name__": "script"})
    assert capsys.readouterr().out
