"""`memassay review stats, invite, export, import`, and votes on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.engine_builder import FlawsIn, SourceOf, finish

from memassay.annotation.storage.reviewers import ReviewerAccounts
from memassay.cli import main
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.judgements.finding import Severity


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace where one question waits for two votes."""
    workspace = Workspace(tmp_path / "work")
    gate = GateSection(policy="sample", on_open="continue", votes=2)
    stages = [SourceOf({"alex": "red"}), FlawsIn({"alex/Q0001": Severity.ERROR})]
    finish(workspace, stages, {"check": gate})
    workspace.close()
    return tmp_path / "work"


def _call(folder: Path, *arguments: object) -> Result:
    given = ["review", *map(str, arguments), "--workspace", str(folder)]
    return CliRunner().invoke(main, given)


def _json(folder: Path, *arguments: object) -> Any:
    result = _call(folder, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_votes_that_differ_are_settled_by_a_third(folder: Path) -> None:
    """The item is open, then disputed, then decided; stats tell who said what."""
    (item,) = [one["item"] for one in _json(folder, "list")]
    first = ("decide", item, "accept", "--reviewer", "ada")
    assert "others decide with you" in _call(folder, *first).stdout
    no = ("reject", "--reason", "ambiguous")
    assert _json(folder, "decide", item, *no, "--reviewer", "eve")["state"] == "disputed"
    assert [one["state"] for one in _json(folder, "list")] == ["disputed"]
    assert "disputed" in _call(folder, "list").stdout
    settled = _json(folder, "decide", item, *no, "--reviewer", "judge")
    assert (settled["state"], settled["reviewer"]) == ("decided", "judge")
    stats = _json(folder, "stats", "--log")
    assert stats["states"] == {"decided": 1}
    assert stats["agreement"]["ruling"]["percent"] == 0.0
    assert [line["action"] for line in stats["log"]] == ["vote", "vote", "adjudication"]
    shown = _call(folder, "stats").stdout
    for words in ("ada", "Agreement", f"{item}  decided", "eve: reject"):
        assert words in shown


def test_somebody_is_shut_out_and_let_in_again(folder: Path) -> None:
    """By a command; a name that nobody has is wrong use."""
    token = _json(folder, "invite")["token"]
    with Workspace(folder).engine.connect() as connection:
        ReviewerAccounts(connection.engine).join(token, "ada", "a long password")
    assert _json(folder, "people", "--shut-out", "ada")[0]["disabled"] is True
    assert "ada" in _call(folder, "people").stdout
    assert _json(folder, "people", "--let-in", "ada")[0]["disabled"] is False
    assert _call(folder, "people", "--shut-out", "bob").exit_code == 2


def test_an_invitation_is_shown_once(folder: Path) -> None:
    """With where to open it."""
    made = _json(folder, "invite", "--role", "adjudicator")
    assert made["role"] == "adjudicator"
    assert len(made["token"]) > 20
    assert "/join" in _call(folder, "invite").stdout
    assert _call(folder, "invite", "--role", "king").exit_code == 2


@pytest.mark.parametrize("tool", ["label-studio", "argilla"])
def test_out_and_back(folder: Path, tmp_path: Path, tool: str) -> None:
    """Items go to a folder; what comes back without a vote changes nothing."""
    out = tmp_path / "out"
    assert _json(folder, "export", "--tool", tool, "--out", out)["items"] == 1
    back = out / "tasks.json" if tool == "label-studio" else out
    assert _json(folder, "import", back, "--tool", tool)["applied"] == 0
    assert _call(folder, "export", "--tool", tool, "--out", out).exit_code == 2
    assert "0 votes taken" in _call(folder, "import", back, "--tool", tool).stdout


def test_a_vote_that_is_refused_is_exit_code_1(folder: Path, tmp_path: Path) -> None:
    """The message names the reviewer and the item."""
    _call(folder, "export", "--tool", "label-studio", "--out", tmp_path / "out")
    (task,) = json.loads((tmp_path / "out" / "tasks.json").read_text("utf-8"))
    task["data"]["item"] = "R0"
    ruling = {"from_name": "ruling", "value": {"choices": ["accept"]}}
    task["annotations"] = [{"completed_by": 4, "result": [ruling]}]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps([task]), "utf-8")
    result = _call(folder, "import", path, "--tool", "label-studio")
    assert result.exit_code == 1
    assert "label-studio-4: review item R0: not in the queue" in result.stderr
