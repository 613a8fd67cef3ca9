"""Calls that were sent and brought no whole reply: they are counted, waited for and given up."""

import asyncio
import importlib
import json
import logging
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from click.testing import CliRunner
from support.flows_driving import pool, spent, write_all
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.cli import main
from memassay.flows.calls import driver
from memassay.flows.calls.call_log import CallLog
from memassay.flows.calls.limits import Silence
from memassay.flows.calls.payments import Price
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.errors import BudgetError, EndpointError, QuotaError, StoppedError

PRICES = {"m": Price(input=10, output=10)}
CAP = 300_000_000
TEXTS = [f"text {number}" for number in range(40)]
KINDS = ["openai-chat", "openai-responses", "gemini"]
Server = OpenAIServer | GeminiServer


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first call of a process would import these, which is no silence of the endpoint.
    for library in ("openai", "google.genai.types"):
        importlib.import_module(library)
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


@pytest.fixture
def _never_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    # A short patience with refusals is no short patience with a busy machine.
    monkeypatch.setattr(driver, "Silence", lambda _: Silence(60))


def section(kind: str, address: str, **more: Any) -> ModelSection:
    """A model of a server, with 256 tokens of room."""
    provider, _, api = kind.partition("-")
    base = address if provider == "gemini" else f"{address}/v1"
    given: dict[str, Any] = {"api": api} if api else {}
    fixed = {"model": "m", "retry_wait": 0.01, "max_output_tokens": 256}
    return ModelSection(provider=provider, base_url=base, **{**fixed, **given, **more})


def server(kind: str, end: Callable[[int], str]) -> tuple[Server, list[int]]:
    """A server that bills the most of every call, and how much that is, in billionths of a dollar.

    Args:
        kind: Its protocol.
        end: By number of the call how it ends: `whole`, `broken` in the body, or `hung`.
    """
    serving: Server = GeminiServer() if kind == "gemini" else OpenAIServer()
    serving.bills_most = True
    billed: list[int] = []

    @web.middleware
    async def ending(request: web.Request, handler: Any) -> web.StreamResponse:
        answer: web.Response = await handler(request)
        assert isinstance(answer.body, bytes)
        usage = json.loads(answer.body).get("usage" if kind != "gemini" else "usageMetadata", {})
        names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
        counted = (*names, "promptTokenCount", "candidatesTokenCount")
        billed.append(sum(usage.get(name, 0) for name in counted) * 10_000)
        how = end(len(billed))
        if how == "whole":
            return answer
        if how == "hung":
            while request.transport is not None:
                await asyncio.sleep(0.02)
            return answer
        broken = web.StreamResponse(headers={"Content-Length": str(len(answer.body))})
        await broken.prepare(request)
        await broken.write(answer.body[: len(answer.body) // 2])
        assert request.transport is not None
        request.transport.close()
        return broken

    serving.app.middlewares.append(ending)
    return serving, billed


def unanswered(folder: Path) -> tuple[int, int]:
    """Calls without a reply in a workspace, and the most that they cost."""
    workspace = Workspace(folder)
    log = CallLog(workspace.engine)
    try:
        rows = log.unanswered_calls()
        return sum(row["calls"] for row in rows), sum(row["most"] or 0 for row in rows)
    finally:
        log.close()
        workspace.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", ["broken", "hung"])
def test_calls_without_a_reply_keep_the_cap(kind: str, end: str, tmp_path: Path) -> None:
    """Of four calls three break off or time out, and the server bills them all: below the cap."""
    serving, billed = server(kind, lambda number: "whole" if number % 4 == 0 else end)
    with running(serving.app) as address:
        model = section(kind, address, timeout=0.8 if end == "hung" else 60, concurrency=32)
        with (
            pool(tmp_path, model, prices=PRICES, cap=CAP) as authors,
            pytest.raises(BudgetError, match="for calls without a reply"),
        ):
            write_all(authors, TEXTS)
    calls, most = unanswered(tmp_path)
    assert 0.4 * CAP < sum(billed) <= spent(tmp_path) + most <= CAP
    assert calls > len(billed) / 2


@pytest.mark.usefixtures("_never_silent")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [0, 400, 429, 500])
def test_calls_that_were_refused_cost_nothing(kind: str, status: int, tmp_path: Path) -> None:
    """Where nobody listens, or the endpoint refuses the call, no model has written anything."""
    serving, _ = server(kind, lambda _: "whole")
    serving.echo = lambda _: web.json_response({}, status=status)
    with socket.create_server(("127.0.0.1", 0)) as free:
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
    with running(serving.app) as address:
        model = section(kind, address if status else nowhere, patience=0.2)
        with pool(tmp_path, model, prices=PRICES, cap=CAP) as authors:
            try:
                write_all(authors, TEXTS[:1])
            except (EndpointError, QuotaError):
                assert status in {0, 429}
    assert unanswered(tmp_path) == (0, 0)


def test_what_calls_without_a_reply_may_cost_is_shown_apart(tmp_path: Path) -> None:
    """`cost` tells them from the replies; without a budget they are noted, too."""
    serving, _ = server("openai-chat", lambda number: "broken" if number == 1 else "whole")
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address), prices=PRICES) as authors,
    ):
        write_all(authors, TEXTS[:1])
    calls, most = unanswered(tmp_path)
    assert calls == 1
    result = CliRunner().invoke(main, ["cost", "--workspace", str(tmp_path)])
    shown = f"and up to ${most / 10**9:.6f} for 1 calls without a reply"
    assert shown in " ".join(result.output.split())


@pytest.mark.parametrize("kind", KINDS)
def test_an_endpoint_that_takes_calls_and_answers_none_stops_the_run(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said in one line; after our patience the run ends with 75 and counts what it sent."""
    serving, _ = server(kind, lambda _: "hung")
    caplog.set_level(logging.WARNING, "memassay")
    with (
        running(serving.app) as address,
        pool(
            tmp_path, section(kind, address, patience=2.0, structured=True), prices=PRICES
        ) as authors,
        pytest.raises(QuotaError, match=r"answered none of .*`patience`") as caught,
    ):
        write_all(authors, TEXTS[:3])
    assert caught.value.exit_code == 75
    assert ["3 calls wait for the endpoint" in line for line in caplog.messages] == [True]
    assert unanswered(tmp_path)[0] == 3


def test_patience_is_for_waiting_alone() -> None:
    """What lies between two calls is no silence of the endpoint; its answers end one."""
    now = [0.0]
    silence = Silence(10, lambda: now[0])

    async def call(seconds: float, *, answers: bool) -> None:
        now[0] += seconds
        if answers:
            silence.note_answer()

    async def calls() -> None:
        await silence.during(call(6, answers=False))
        now[0] += 100
        await silence.during(call(3, answers=False))
        await silence.during(call(0, answers=True))
        await silence.during(call(9, answers=False))
        await silence.during(call(2, answers=False))
        with pytest.raises(QuotaError):
            await silence.during(call(1, answers=False))

    asyncio.run(calls())


def test_an_interrupted_run_gives_a_hung_call_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After a time of grace the call is broken off and counted, and nobody waits for it."""
    monkeypatch.setattr(driver, "GRACE_SECONDS", 0.1)
    serving, billed = server("openai-chat", lambda _: "hung")
    started = time.monotonic()
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address), prices=PRICES, cap=CAP) as authors,
    ):

        def interrupt() -> None:
            while not billed:
                time.sleep(0.01)
            authors.stop(soon=True)

        threading.Thread(target=interrupt).start()
        with pytest.raises(StoppedError):
            write_all(authors, TEXTS[:1])
    assert time.monotonic() - started < 10
    assert ["replies of 1 calls under way" in line for line in caplog.messages] == [True]
    assert unanswered(tmp_path)[0] == 1


def test_a_reply_without_a_credible_count_costs_what_its_length_lets_guess(tmp_path: Path) -> None:
    """Without a budget nothing was set aside, and still it did not cost nothing."""
    serving = OpenAIServer()
    with running(serving.app) as address:
        for name in ("honest", "nonsense"):
            with pool(tmp_path / name, section("openai", address), prices=PRICES) as authors:
                write_all(authors, TEXTS[:3])
            serving.usage = {"prompt_tokens": -100, "completion_tokens": -5000}
    honest, guessed = spent(tmp_path / "honest"), spent(tmp_path / "nonsense")
    assert honest / 2 < guessed < honest * 2


@pytest.mark.usefixtures("_never_silent")
def test_a_short_wait_that_is_asked_for_again_and_again_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each wait is short, all of them together are not."""
    serving = OpenAIServer()
    serving.echo = lambda _: web.json_response({}, status=429, headers={"Retry-After": "0.1"})
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address, patience=0.5)) as authors,
        pytest.raises(QuotaError),
    ):
        write_all(authors, TEXTS[:1])
    assert ["refuses calls" in line for line in caplog.messages] == [True]
