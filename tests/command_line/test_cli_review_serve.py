"""`memassay review serve`: what it refuses, and that it serves until Ctrl-C."""

import signal
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.review_builder import request, table_on
from support.served_pages import free_port, served_until_interrupted, workers_of_a_killed_server

from memassay.cli import main
from memassay.flows.services import serving as web_serving
from memassay.flows.store.workspace import Workspace


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


@pytest.mark.slow
def test_it_serves_until_an_interrupt(tmp_path: Path) -> None:
    """It says where, answers there, and Ctrl-C ends it in order."""
    Workspace(tmp_path).close()
    arguments = ["review", "serve", "--workspace", str(tmp_path)]
    code, output, page = served_until_interrupted(arguments, tmp_path)
    assert (code, output[:31]) == (0, "review pages: http://127.0.0.1:")
    assert "<h1" in page


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_sigterm_ends_it_as_an_interrupt_does(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], workers: str
) -> None:
    """In order, with a line that says how to go on, and a code that says by what."""
    Workspace(tmp_path).close()
    arguments = ["review", "serve", "--workspace", str(tmp_path), "--workers", workers]
    code, _, page = served_until_interrupted(arguments, tmp_path, signal.SIGTERM)
    said = capfd.readouterr().err
    assert code == 143, said
    assert "<h1" in page
    assert "memassay: terminated; run the same command again" in said


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    """Nothing is announced, and no worker is started again and again for a port it cannot have."""
    Workspace(tmp_path).close()
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        port = str(taken.getsockname()[1])
        for options in ([], ["--workers", "2"]):
            said = _refusal("--workspace", str(tmp_path), "--port", port, *options)
            assert f"expected a free port of 127.0.0.1, got '{port}'" in said
            assert "review pages" not in said


def test_a_foreign_address_is_refused(tmp_path: Path) -> None:
    """What is no address of this machine is named, with what to write instead."""
    Workspace(tmp_path).close()
    said = _refusal("--workspace", str(tmp_path), "--host", "192.0.2.1", "--users")
    assert "expected an address of this machine, got '192.0.2.1'" in said


@pytest.mark.slow
def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """After kill -9 nobody holds the port or writes to the workspace."""
    Workspace(tmp_path).close()
    arguments = ["review", "serve", "--workspace", str(tmp_path), "--workers", "2"]
    assert workers_of_a_killed_server(arguments, tmp_path) == []


def test_rates_that_leave_nothing_to_decide_are_refused(tmp_path: Path) -> None:
    """Controls and repeats are mixed in; something has to be left to mix them into."""
    Workspace(tmp_path).close()
    rates = ("--control-rate", "0.5", "--repeat-rate", "0.5")
    assert "expected less than 1" in _refusal("--workspace", str(tmp_path), *rates)


@pytest.mark.parametrize("option", ["--control-rate", "--repeat-rate"])
def test_a_rate_is_a_share(tmp_path: Path, option: str) -> None:
    """From 0 to 1."""
    assert option in _refusal("--workspace", str(tmp_path), option, "1.5")


def test_the_options_reach_the_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates and workers are what the server is started with."""
    Workspace(tmp_path).close()
    served: list[tuple[float, float, int]] = []

    def take(factory: str, listening: socket.socket, workers: int) -> None:
        del factory, listening
        desk = web_serving.served_app().state.pages.desk
        served.append((desk.control_rate, desk.repeat_rate, workers))

    monkeypatch.setattr(web_serving, "serve_app", take)
    # Set and given back, so that what the command sets does not outlive the test.
    monkeypatch.setenv("MEMASSAY_REVIEW_SERVED", "")
    options = ["--control-rate", "0.1", "--repeat-rate", "0.05", "--workers", "2"]
    options += ["--port", str(free_port())]
    result = CliRunner().invoke(main, ["review", "serve", "--workspace", str(tmp_path), *options])
    assert result.exit_code == 0, result.output
    assert served == [(0.1, 0.05, 2)]


def test_a_decided_item_becomes_a_control(tmp_path: Path) -> None:
    """`review control` shows it to others too; one that waits is refused."""
    workspace = Workspace(tmp_path)
    table = table_on(workspace.queue.engine)
    decided, waiting = table.ask(request("a/Q1"), request("a/Q2"))
    table.vote(decided, "ada")
    workspace.close()
    arguments = ["review", "control", "--workspace", str(tmp_path)]
    assert CliRunner().invoke(main, [*arguments, decided]).exit_code == 0
    refused = CliRunner().invoke(main, [*arguments, waiting])
    assert refused.exit_code == 2
    assert "expected a decided item" in refused.output
