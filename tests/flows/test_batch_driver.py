"""Calls by way of batches: submitted once, found again after a kill, the rest submitted anew."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from support.flows_driving import pool, write_all
from support.model_servers.batches import GeminiBatchServer, OpenAIBatchServer
from support.model_servers.faults import Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.errors import StoppedError

TEXTS = [f"text {number}" for number in range(12)]
KINDS = ["openai-chat", "openai-responses", "gemini"]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


def serving(kind: str, faults: Faults, **more: Any) -> OpenAIBatchServer | GeminiBatchServer:
    """A server with batches."""
    if kind == "gemini":
        return GeminiBatchServer(GeminiServer(faults), **more)
    return OpenAIBatchServer(OpenAIServer(faults), **more)


def section(kind: str, address: str) -> ModelSection:
    """A model that is asked in batches."""
    provider, _, api = kind.partition("-")
    base = address if provider == "gemini" else f"{address}/v1"
    given: dict[str, Any] = {"api": api} if api else {}
    quick = {"batch": True, "batch_poll": 0.01, "batch_gather": 0.05}
    return ModelSection(provider=provider, model="m", base_url=base, **given, **quick)


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_answers_all_its_lines(kind: str, tmp_path: Path) -> None:
    """All calls made together go out as one batch, and every one gets its reply."""
    batches = serving(kind, Faults())
    with running(batches.server.app) as address, pool(tmp_path, section(kind, address)) as authors:
        written = write_all(authors, TEXTS)
    assert all(text.startswith("word") for text in written)
    assert len(batches.batches) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_a_batch_left_is_submitted_again(kind: str, tmp_path: Path) -> None:
    """A batch that ends early is harvested; a second one holds the lines it left, and no others."""
    batches = serving(kind, Faults(), skipped=(4, 1))
    with running(batches.server.app) as address, pool(tmp_path, section(kind, address)) as authors:
        written = write_all(authors, TEXTS)
    assert all(text.startswith("word") for text in written)
    assert len(batches.batches) == 2
    assert len(batches.server.log) == len(TEXTS)


@pytest.mark.slow(seconds=0.8)
@pytest.mark.parametrize("kind", KINDS)
def test_a_line_that_always_fails_is_one_failure(kind: str, tmp_path: Path) -> None:
    """One poisoned line fails with its reason; the others are written."""
    batches = serving(kind, Faults(always={"text 7": "500"}))
    with running(batches.server.app) as address, pool(tmp_path, section(kind, address)) as authors:
        written = write_all(authors, TEXTS)
    assert written[7] == "failed: unreachable"
    assert sum(text.startswith("failed") for text in written) == 1
    assert sum("text 7" in json.dumps(body) for body in batches.server.log) == 4


@pytest.mark.slow(seconds=0.8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("known", [True, False])
def test_a_batch_survives_a_restart(kind: str, known: bool, tmp_path: Path) -> None:
    """A run that ends before its batch leaves it to the next, which submits nothing again.

    Also where the run ended after the endpoint took the batch and before we knew its id.
    """
    batches = serving(kind, Faults(), polls=10**6)
    with running(batches.server.app) as address:
        model = section(kind, address)
        with pool(tmp_path, model) as authors:
            begun = _begin(authors, batches)
        begun.join(timeout=60)
        assert not begun.is_alive()
        if not known:
            _forget_id(tmp_path)
        batches.polls = 1
        with pool(tmp_path, model) as authors:
            written = write_all(authors, TEXTS)
    assert all(text.startswith("word") for text in written)
    assert len(batches.batches) == 1
    assert len(batches.server.log) == len(TEXTS)


def _begin(authors: Any, batches: Any) -> threading.Thread:
    """Let calls begin in a thread, which ends when they are given up.

    Returns when their batch is under way.
    """

    def work() -> None:
        with pytest.raises(StoppedError, match="left to the next run"):
            write_all(authors, TEXTS)

    thread = threading.Thread(target=work)
    thread.start()
    under_way = threading.Event()
    while not any(batch["looked"] for batch in batches.batches.values()):
        under_way.wait(0.01)
    return thread


def _forget_id(folder: Path) -> None:
    import sqlite3

    with sqlite3.connect(folder / "memassay.sqlite") as connection:
        assert connection.execute("UPDATE batches SET batch = NULL").rowcount == 1
    connection.close()
