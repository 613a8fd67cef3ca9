"""A budget is a cap: whatever an endpoint may bill, the sum of all calls stays below it."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from support.flows_driving import pool, spent, write_all
from support.model_servers.batches import OpenAIBatchServer
from support.model_servers.faults import Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.flows.calls.call_log import _HOST
from memassay.flows.calls.call_tables import RESERVES
from memassay.flows.calls.payments import Price, most_usage, room_for
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.contracts.calls import ModelRequest
from memassay.schemas.errors import BudgetError, StoppedError

PRICES = {"m": Price(input=10, output=10)}
CAP = 300_000_000
TEXTS = [f"text {number}" for number in range(40)]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


def section(kind: str, address: str, **more: Any) -> ModelSection:
    """A model of a server, with 256 tokens of room."""
    provider, _, api = kind.partition("-")
    given = {"api": api} if api else {}
    base = address if provider == "gemini" else f"{address}/v1"
    fixed: dict[str, Any] = {"model": "m", "retry_wait": 0.01, "max_output_tokens": 256}
    return ModelSection(provider=provider, base_url=base, **{**fixed, **given, **more})


@pytest.mark.slow(seconds=0.4)
@pytest.mark.parametrize("kind", ["openai-chat", "openai-responses", "gemini"])
@pytest.mark.parametrize("concurrency", [16, 64])
def test_calls_at_once_never_pass_the_cap(kind: str, concurrency: int, tmp_path: Path) -> None:
    """A server that bills the most of every call is paid no more than the cap, and nearly that."""
    serving = GeminiServer() if kind == "gemini" else OpenAIServer()
    serving.bills_most = True
    with running(serving.app) as address:
        model = section(kind, address, concurrency=concurrency)
        with (
            pool(tmp_path, model, prices=PRICES, cap=CAP) as authors,
            pytest.raises(BudgetError, match="Raise `budget:`"),
        ):
            write_all(authors, TEXTS)
    assert 0.8 * CAP < spent(tmp_path) <= CAP


def test_two_runs_of_a_workspace_share_the_cap(tmp_path: Path) -> None:
    """What one process has set aside or spent, another one in the same workspace counts too."""
    serving = OpenAIServer(Faults(latency=0.02))
    serving.bills_most = True

    def work(texts: list[str]) -> None:
        model = section("openai", address, concurrency=8)
        with (
            pool(tmp_path, model, prices=PRICES, cap=CAP) as authors,
            pytest.raises(BudgetError),
        ):
            write_all(authors, texts)

    with running(serving.app) as address:
        halves = [TEXTS[:20], TEXTS[20:]]
        threads = [threading.Thread(target=work, args=(half,)) for half in halves]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert 0.8 * CAP < spent(tmp_path) <= CAP


def test_what_another_run_has_paid_for_is_not_paid_again(tmp_path: Path) -> None:
    """A run that takes over what another left half done began before that one paid."""
    serving = OpenAIServer()
    with running(serving.app) as address:
        model = section("openai", address)
        with (
            pool(tmp_path, model, prices=PRICES) as one,
            pool(tmp_path, model, prices=PRICES) as other,
        ):
            assert write_all(one, TEXTS[:5]) == write_all(other, TEXTS[:5])
    assert len(serving.log) == 5


def test_a_cap_below_one_call_sends_nothing(tmp_path: Path) -> None:
    """A cap that one call may pass is refused before anything goes out."""
    serving = OpenAIServer()
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address), prices=PRICES, cap=1_000_000) as authors,
        pytest.raises(BudgetError, match=r"expected room for one call, got \$0.0010"),
    ):
        write_all(authors, TEXTS)
    assert serving.log == []


def test_under_a_budget_every_call_has_a_limit(tmp_path: Path) -> None:
    """Without `max_output_tokens` the request goes out with the room that was set aside."""
    serving = OpenAIServer()
    with running(serving.app) as address:
        model = section("openai", address, max_output_tokens=None)
        with pool(tmp_path / "a", model, prices=PRICES, cap=10**10) as authors:
            write_all(authors, TEXTS[:1])
        with pool(tmp_path / "b", model, prices=PRICES) as authors:
            write_all(authors, TEXTS[:1])
    assert [body.get("max_completion_tokens") for body in serving.log] == [8192, None]


def test_a_limit_of_the_budget_is_no_part_of_the_request(tmp_path: Path) -> None:
    """A run with a budget finds the replies of one without: they are not paid for again."""
    serving = OpenAIServer()
    with running(serving.app) as address:
        model = section("openai", address, max_output_tokens=None)
        for cap in (None, 10**10):
            with pool(tmp_path, model, prices=PRICES, cap=cap) as authors:
                write_all(authors, TEXTS[:3])
    assert len(serving.log) == 3


@pytest.mark.slow
def test_a_batch_is_held_to_the_cap(tmp_path: Path) -> None:
    """Lines that do not fit wait for the batches before them; the sum stays below the cap."""
    serving = OpenAIServer()
    with running(OpenAIBatchServer(serving).server.app) as address:
        model = section("openai", address, batch=True, batch_poll=0.01, batch_gather=0.05)
        with (
            pool(tmp_path, model, prices=PRICES, cap=15_000_000) as authors,
            pytest.raises(BudgetError),
        ):
            write_all(authors, TEXTS[:10])
    assert 0 < spent(tmp_path) <= 15_000_000


def _set_aside(folder: Path, owner: str) -> None:
    """All of the cap is set aside by somebody else."""
    workspace = Workspace(folder)
    row = {"key": "0" * 64, "owner": owner, "amount": CAP, "until": 2.0**40}
    with workspace.engine.begin() as connection:
        connection.execute(insert(RESERVES), row)
    workspace.close()


def test_what_a_killed_process_set_aside_is_free(tmp_path: Path) -> None:
    """A run after kill -9 does not wait for calls that nobody makes any more."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    _set_aside(tmp_path, f"{_HOST}-{child.pid}-0")
    with (
        running(OpenAIServer().app) as address,
        pool(tmp_path, section("openai", address), prices=PRICES, cap=CAP) as authors,
    ):
        assert write_all(authors, TEXTS[:1])[0].startswith("word")


def test_a_run_that_ends_waits_for_no_room(tmp_path: Path) -> None:
    """While another machine holds the whole budget, Ctrl-C still ends a run at once."""
    _set_aside(tmp_path, "elsewhere-1-0")
    with (
        running(OpenAIServer().app) as address,
        pool(tmp_path, section("openai", address), prices=PRICES, cap=CAP) as authors,
    ):
        threading.Timer(0.3, authors.stop).start()
        with pytest.raises(StoppedError):
            write_all(authors, TEXTS[:1])


def test_a_reply_that_says_no_usage_costs_what_was_set_aside(tmp_path: Path) -> None:
    """An endpoint that counts nothing, or nonsense, cannot spend beyond the cap unseen."""
    serving = OpenAIServer()
    serving.usage = {"prompt_tokens": -5, "completion_tokens": 10**30}
    with running(serving.app) as address:
        model = section("openai", address)
        with (
            pool(tmp_path, model, prices=PRICES, cap=CAP) as authors,
            pytest.raises(BudgetError),
        ):
            write_all(authors, TEXTS)
    assert 0.8 * CAP < spent(tmp_path) <= CAP


def test_room_grows_with_attempts_and_reasoning() -> None:
    """The room under a budget doubles after a reply that could not be used, and holds thoughts."""

    def request(attempt: int = 0, **parameters: Any) -> ModelRequest:
        return ModelRequest(
            provider="openai",
            api="chat",
            model="m",
            system="é",
            text="",
            schema_name="S",
            response_schema={},
            parameters=parameters,
            attempt=attempt,
        )

    assert room_for(request()) == 8192
    assert room_for(request(2)) == 4 * 8192
    assert room_for(request(reasoning_effort="high")) == 8192 + 24_576
    assert room_for(request(1, max_output_tokens=100)) == 100
    assert most_usage(request()).input == len("é".encode()) + len("{}") + 1024
