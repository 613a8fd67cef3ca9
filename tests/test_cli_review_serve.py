"""`memassay review serve`: what it refuses, and that it serves until Ctrl-C."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from served_pages import served_until_interrupted

from memassay.cli import main
from memassay.flows.workspace import Workspace


def _refusal(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["review", "serve", *arguments])
    assert result.exit_code == 2, result.output
    return result.output


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.com"])
def test_an_address_that_others_reach_needs_users(tmp_path: Path, host: str) -> None:
    """Beyond the loopback nobody works without a login."""
    Workspace(tmp_path).close()
    said = _refusal("--workspace", str(tmp_path), "--host", host)
    assert "expected --users" in said


def test_a_folder_that_is_no_workspace_is_refused(tmp_path: Path) -> None:
    """The workspace has to exist: serving makes none."""
    assert "expected a workspace" in _refusal("--workspace", str(tmp_path / "none"))


def test_a_port_out_of_range_is_refused(tmp_path: Path) -> None:
    """Ports go from 1 to 65535."""
    assert "--port" in _refusal("--workspace", str(tmp_path), "--port", "70000")


def test_it_serves_until_an_interrupt(tmp_path: Path) -> None:
    """It says where, answers there, and Ctrl-C ends it in order."""
    Workspace(tmp_path).close()
    arguments = ["review", "serve", "--workspace", str(tmp_path)]
    code, output, page = served_until_interrupted(arguments, tmp_path)
    assert (code, output[:31]) == (0, "review pages: http://127.0.0.1:")
    assert "<h1" in page
