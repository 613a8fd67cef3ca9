"""`memassay review clusters` does on the command line what the page does."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from support.clustered import FIRST, SECOND, noted

from memassay.cli import main
from memassay.flows.store.workspace import open_workspace


def _said(folder: Path, *arguments: str) -> Any:
    call = ["review", "clusters", *arguments, "--workspace", str(folder), "--json"]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_every_operation_is_a_command(tmp_path: Path) -> None:
    """Split, move, merge, drop, name, lock, unlock, undo; the list says what came of them."""
    with open_workspace(tmp_path, create=True) as workspace:
        noted(workspace)
    _said(tmp_path, "split", FIRST, "ann/D3")
    (part,) = (
        one["id"] for one in _said(tmp_path, "list")["clusters"] if one["members"] == ["ann/D3"]
    )
    _said(tmp_path, "move", part, "ann/D2", "bob/D3")
    _said(tmp_path, "merge", SECOND, part)
    _said(tmp_path, "drop", "bob/D1")
    _said(tmp_path, "name", FIRST, "Ann")
    _said(tmp_path, "lock", FIRST, "--closed")
    found = _said(tmp_path, "list")
    first, second = found["clusters"]
    assert (first["members"], first["name"], first["closed"]) == (["ann/D1"], "Ann", True)
    assert second["members"] == ["ann/D2", "ann/D3", "bob/D2", "bob/D3"]
    assert (found["left_over"], found["waiting"]) == (["bob/D1"], 6)
    _said(tmp_path, "unlock", FIRST)
    for _ in range(7):
        _said(tmp_path, "undo")
    assert [len(one["members"]) for one in _said(tmp_path, "list")["clusters"]] == [3, 2]


def test_the_list_says_that_no_model_looked_for_contradictions(tmp_path: Path) -> None:
    """People who see the list know that texts were not compared."""
    with open_workspace(tmp_path, create=True) as workspace:
        noted(workspace)
    call = ["review", "clusters", "list", "--workspace", str(tmp_path)]
    shown = CliRunner().invoke(main, call)
    assert "No model looked whether the dialogues of a cluster contradict" in shown.output
    assert _said(tmp_path, "list")["read_by"] == ""
