"""An endpoint that sends our key back: it stands in nothing that a run writes or says."""

import json
import urllib.parse
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web
from click.testing import CliRunner
from support.flows_driving import pool, write_all
from support.model_runs import RECIPE, model, written
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.cli import main
from memassay.flows.calls.recordings import Recordings
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.values.redaction import holds_secret

KEY = "tk-Hw3_xK9+v/2Pd7-Qz5Jn8Gf4Lb6"

DRESSES: dict[str, Callable[[str], str]] = {
    "plain": str,
    "quoted": lambda key: urllib.parse.quote(key, safe=""),
    "base64": lambda key: b64encode(f"user:{key}".encode()).decode(),
    "lines": lambda key: f"{key[:12]}\n{key[12:]}",
}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)


def _error(status: int, dress: str) -> Callable[[str], web.Response]:
    def echo(header: str) -> web.Response:
        said = f"You sent {DRESSES[dress](header.removeprefix('Bearer '))}, which is wrong"
        return web.json_response({"error": {"message": said, "code": status}}, status=status)

    return echo


def _leaks(folder: Path) -> list[str]:
    forms = {dress(KEY).encode() for dress in DRESSES.values()}
    forms |= {json.dumps(form.decode())[1:-1].encode() for form in forms}
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return [str(file) for file in files if any(form in file.read_bytes() for form in forms)]


@pytest.mark.parametrize("dress", DRESSES)
@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_an_echo_in_an_answer_is_stored_nowhere(kind: str, dress: str, tmp_path: Path) -> None:
    """Neither the log of calls nor a recording nor the text that comes back holds the key."""
    serving = GeminiServer() if kind == "gemini" else OpenAIServer()

    def echo(header: str) -> web.Response:
        text = json.dumps({"summary": DRESSES[dress](header.removeprefix("Bearer "))})
        chat = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
        parts = {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]}
        return web.json_response(parts if kind == "gemini" else chat)

    serving.echo = echo
    with running(serving.app) as address:
        base = address if kind == "gemini" else f"{address}/v1"
        section = ModelSection(provider=kind, model="m", base_url=base)
        recordings = Recordings(record=tmp_path / "replies")
        with pool(tmp_path / "ws", section, recordings=recordings) as authors:
            (text,) = write_all(authors, ["one"])
    assert "[key redacted]" in text
    assert not holds_secret(text)
    assert _leaks(tmp_path) == []


@pytest.mark.parametrize(("status", "code"), [(400, 1), (401, 2)])
def test_an_echo_in_an_error_leaves_the_run_nowhere(status: int, code: int, tmp_path: Path) -> None:
    """Terminal, JSON, database, findings and held-out records of a failed run hold no key."""
    serving = OpenAIServer()
    serving.echo = _error(status, "plain")
    with running(serving.app) as address:
        recipe = written(tmp_path, {**RECIPE, "author": model("openai", address)})
        call = ["run", str(recipe), "--workspace", str(tmp_path / "ws"), "--runner", "plain"]
        ended = CliRunner().invoke(main, [*call, "--json", "--debug"])
    assert ended.exit_code == code, ended.output
    assert "[key redacted]" in ended.output
    assert KEY not in ended.output
    assert _leaks(tmp_path) == []
