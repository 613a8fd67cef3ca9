"""Endpoints that answer nonsense, break off, or grant nothing: each has its one typed end."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import web
from PIL import Image
from support.flows_driving import Summary, pool, task, write_all
from support.model_servers.asked import Asked
from support.model_servers.batches import OpenAIBatchServer
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.odd_replies import good, odd_body

from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.contracts.calls import CallTrace, ShownImage
from memassay.schemas.errors import AuthorError, EndpointError, QuotaError

KINDS = ["openai-chat", "openai-responses", "gemini"]
WIDE = {sign: sign + 0xFEE0 for sign in range(0x21, 0x7F)}
"""Signs of ASCII as those of full width."""
UNPAID = {"message": "none left", "type": "insufficient_quota"}
TEXTS = [f"text {number}" for number in range(12)]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


def section(kind: str, address: str, **more: Any) -> ModelSection:
    """A model of a server."""
    provider, _, api = kind.partition("-")
    given: dict[str, Any] = {"api": api} if api else {}
    base = address if provider == "gemini" else f"{address}/v1"
    fixed = {"model": "m", "retry_wait": 0.01}
    return ModelSection(provider=provider, base_url=base, **{**fixed, **given, **more})


def sending(kind: str, bodies: Iterator[bytes]) -> OpenAIServer | GeminiServer:
    """A server that sends these bodies, one after another."""
    serving = GeminiServer() if kind == "gemini" else OpenAIServer()
    serving.echo = lambda _: web.Response(body=next(bodies), content_type="application/json")
    return serving


def endless(body: Callable[[], bytes]) -> Iterator[bytes]:
    """Bodies without end."""
    while True:
        yield body()


def stored(folder: Path) -> list[tuple[str, str]]:
    """Status and raw text of every reply that a workspace holds."""
    workspace = Workspace(folder)
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT status, raw FROM calls").all()
    workspace.close()
    return [(row[0], row[1]) for row in rows]


@pytest.mark.slow(seconds=0.8)
@pytest.mark.parametrize("kind", KINDS)
def test_odd_bytes_through_the_real_client_fail_one_by_one(kind: str, tmp_path: Path) -> None:
    """Every reply is stored, no record but its own fails, and a second run sends nothing."""
    random = Random(f"endpoint {kind}")
    serving = sending(kind, endless(lambda: odd_body(kind, random)))
    with running(serving.app) as address:
        for _ in range(2):
            with pool(tmp_path, section(kind, address)) as authors:
                written = write_all(authors, TEXTS)
            sent = len(serving.log)
            assert sent == len(stored(tmp_path))
            assert len(written) == len(TEXTS)
    assert sent == len(serving.log) > len(TEXTS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", [b"[" * 500, b"\xff\xfe\x00", b"<html>no</html>"])
def test_bytes_that_are_no_answer_are_stored_and_malformed(
    kind: str, body: bytes, tmp_path: Path
) -> None:
    """Three replies are asked for; each is kept as it came, and the task fails as malformed."""
    serving = sending(kind, endless(lambda: body))
    with running(serving.app) as address, pool(tmp_path, section(kind, address)) as authors:
        assert write_all(authors, TEXTS[:1]) == ["failed: malformed"]
    raw = body.decode("utf-8", "replace")
    assert stored(tmp_path) == [("malformed", raw)] * 3


def test_retrying_asks_again_and_later_runs_find_what_that_brought(tmp_path: Path) -> None:
    """Stored failures are not asked for again, unless that is asked for; then they are found."""
    bad, fine = b"[" * 500, json.dumps(good("openai-chat", '{"summary": "yes"}')).encode()
    serving = sending("openai-chat", iter([bad] * 3 + [bad, fine]))
    with running(serving.app) as address:
        for retry, expected, sent in [
            (False, "failed: malformed", 3),
            (False, "failed: malformed", 3),
            (True, "yes", 5),
            (False, "yes", 5),
        ]:
            model = section("openai-chat", address)
            with pool(tmp_path, model, retry_failed=retry) as authors:
                assert write_all(authors, TEXTS[:1]) == [expected]
            assert len(serving.log) == sent


def test_a_broken_off_reply_is_asked_for_again(tmp_path: Path) -> None:
    """JSON that ends in mid-sentence though the model says it is done goes back for the rest."""

    def answer(asked: Asked) -> Any:
        again = "broken off" in asked.text
        return '{"summary": "a whole sentence."}' if again else '{"summary": "half a sen'

    serving = OpenAIServer(answer=answer)
    trace = CallTrace("tests")
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
    ):
        written = authors.run(authors.write(task("one"), trace))
    assert written == Summary(summary="a whole sentence.")
    assert trace.repaired == []
    assert len(serving.log) == 2


def test_a_reply_that_is_always_broken_off_is_used_and_marked(tmp_path: Path) -> None:
    """After three replies the mended text is used, and the trace of the unit says so."""
    serving = OpenAIServer(answer=lambda _: '{"summary": "half a sen')
    trace = CallTrace("tests")
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
    ):
        authors.run(authors.write(task("one"), trace))
    assert len(serving.log) == 3
    assert ["ada/one" in said for said in trace.repaired] == [True]


def throttling(kind: str, document: Any, headers: dict[str, str]) -> OpenAIServer | GeminiServer:
    """A server that grants nothing."""
    serving = GeminiServer() if kind == "gemini" else OpenAIServer()
    serving.echo = lambda _: web.json_response(document, status=429, headers=headers)
    return serving


_DAY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "PerDay"}],
}
REFUSALS: dict[str, tuple[str, Any, dict[str, str]]] = {
    "an hour": ("openai", {"error": {"message": "later"}}, {"Retry-After": "3600"}),
    "a date": (
        "openai",
        {"error": {"message": "later"}},
        {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"},
    ),
    "a day": ("gemini", {"error": {"code": 429, "message": "none", "details": [_DAY]}}, {}),
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_an_endpoint_that_grants_nothing_is_named_and_stops_the_run(
    refusal: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is said in one line at once; after our patience the run waits for people (exit 75)."""
    kind, document, headers = REFUSALS[refusal]
    serving = throttling(kind, document, headers)
    caplog.set_level(logging.WARNING, "memassay")
    with (
        running(serving.app) as address,
        # Long enough for the first refusal to come on a slow machine.
        pool(tmp_path, section(kind, address, patience=1.0)) as authors,
        pytest.raises(QuotaError, match="`patience`") as caught,
    ):
        write_all(authors, TEXTS)
    assert caught.value.exit_code == 75
    # A slow machine may also say that it still waits.
    assert sum("refuses calls" in line for line in caplog.messages) == 1


@pytest.mark.parametrize("place", ["type", "code"])
@pytest.mark.parametrize(
    "word",
    [
        "insufficient_quota",
        "billing_not_active",
        "credit_balance_exhausted",
        "exceeded_current_quota_error",
    ],
)
def test_an_account_without_credit_ends_the_run_at_once(
    place: str, word: str, tmp_path: Path
) -> None:
    """One call is made, and the run waits for people (exit 75) with what the endpoint said."""
    refusal = {"error": {"message": "none left", "type": None, "code": None, place: word}}
    serving = throttling("openai", refusal, {})
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
        pytest.raises(QuotaError, match=r"openai m: HTTP 429: none left; .*your plan and quota"),
    ):
        write_all(authors, TEXTS[:1])
    assert len(serving.log) == 1


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (402, {"message": "none left", "code": 402}),
        (429, {"message": "see raw", "metadata": {"raw": json.dumps({"error": UNPAID})}}),
    ],
)
def test_no_credit_is_known_in_other_forms_too(
    status: int, error: dict[str, Any], tmp_path: Path
) -> None:
    """By its own status, or passed on by a router as a text inside of its error."""
    serving = OpenAIServer()
    serving.echo = lambda _: web.json_response({"error": error}, status=status)
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
        pytest.raises(QuotaError, match=rf"openai m: HTTP {status}: none left; "),
    ):
        write_all(authors, TEXTS[:1])
    assert len(serving.log) == 1


@pytest.mark.parametrize("structured", [True, False])
@pytest.mark.parametrize("before", ["of the form {json}", 'first idea: {"summary": "wrong"}'])
def test_thinking_before_a_reply_costs_one_call(
    before: str, structured: bool, tmp_path: Path
) -> None:
    """Braces and drafts in it are not taken for the reply."""
    reply = f'<think>\n{before}\n</think>\n\n{{"summary": "yes"}}'
    serving = OpenAIServer(answer=lambda _: reply)
    model = {"structured": structured}
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address, **model)) as authors,
    ):
        assert write_all(authors, TEXTS[:1]) == ["yes"]
    assert len(serving.log) == 1


@pytest.mark.parametrize("hide", ["\u200b".join, lambda key: key.translate(WIDE)])
def test_a_key_that_a_reply_hides_is_never_stored(
    hide: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signs without a width, or of full width, and escapes of them, are read through."""
    monkeypatch.setenv("OPENAI_API_KEY", "Zq81kfT0pWm3Xv77LbYhQe29")
    hidden = json.dumps({"summary": f"I was sent {hide('Zq81kfT0pWm3Xv77LbYhQe29')} by you"})
    serving = OpenAIServer(answer=lambda _: hidden)
    with running(serving.app) as address:
        for _ in range(2):
            with pool(tmp_path, section("openai", address)) as authors:
                assert write_all(authors, TEXTS[:1]) == ["I was sent [key redacted] by you"]
    assert len(serving.log) == 1
    assert "[key redacted]" in stored(tmp_path)[0][1]


@pytest.mark.parametrize("asked", ["nan", "inf", "-5", "soon", "1e999", ""])
def test_a_wait_that_is_no_number_is_passed_over(asked: str, tmp_path: Path) -> None:
    """A nonsensical `Retry-After` neither ends the run nor makes it wait."""
    serving = OpenAIServer()
    fine = json.dumps(good("openai-chat", '{"summary": "yes"}')).encode()
    answers = iter([web.json_response({}, status=429, headers={"Retry-After": asked})])
    serving.echo = lambda _: next(answers, None) or web.Response(body=fine)
    with running(serving.app) as address, pool(tmp_path, section("openai", address)) as authors:
        assert write_all(authors, TEXTS[:1]) == ["yes"]


def test_a_batch_that_is_refused_for_good_stops_the_run(tmp_path: Path) -> None:
    """Batches have the same patience as calls."""
    batches = OpenAIBatchServer(OpenAIServer())
    refused = {"error": {"message": "none", "code": "insufficient_quota"}}

    @web.middleware
    async def refuse(request: web.Request, handler: Any) -> web.StreamResponse:
        assert handler
        return web.json_response(refused, status=429, headers={"X-Path": request.path})

    batches.server.app.middlewares.append(refuse)
    quick = {"batch": True, "batch_poll": 0.01, "batch_gather": 0.05, "patience": 0.3}
    with (
        running(batches.server.app) as address,
        pool(tmp_path, section("openai", address, **quick)) as authors,
        pytest.raises(QuotaError, match="your plan and quota"),
    ):
        write_all(authors, TEXTS[:2])


@pytest.mark.parametrize("kind", KINDS)
def test_a_redirect_is_not_followed(kind: str, tmp_path: Path) -> None:
    """Neither key nor prompt goes to an address that the recipe does not name."""
    other = OpenAIServer()
    reached: list[str] = []
    other.echo = lambda header: web.Response(text=reached.append(header))
    serving = sending(kind, iter([]))
    with running(other.app) as elsewhere, running(serving.app) as address:
        there = {"Location": f"{elsewhere}/v1/chat/completions"}
        serving.echo = lambda _: web.Response(status=307, headers=there)
        with (
            pool(tmp_path / "ws", section(kind, address)) as authors,
            pytest.raises(EndpointError, match=r"HTTP 307.*`base_url`: redirects are not"),
        ):
            write_all(authors, ["one"])
    assert reached == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_reply_beyond_its_room_is_none(kind: str, tmp_path: Path) -> None:
    """Megabytes in one field are kept as they came and shown to no later prompt."""
    long = json.dumps(good(kind, json.dumps({"summary": "bees " * 250_000}))).encode()
    serving = sending(kind, endless(lambda: long))
    with (
        running(serving.app) as address,
        pool(tmp_path, section(kind, address, max_output_tokens=4096)) as authors,
    ):
        assert write_all(authors, ["one"]) == ["failed: malformed"]
    assert {status for status, _ in stored(tmp_path)} == {"malformed"}
    assert {len(raw) for _, raw in stored(tmp_path)} == {len(long)}


def test_a_model_that_reads_text_alone_is_shown_no_image(tmp_path: Path) -> None:
    """A server of text alone refuses images; the error names `image_side: 0`, which helps."""

    def refuse(_: str) -> web.Response | None:
        shown = not isinstance(serving.log[-1]["messages"][-1]["content"], str)
        return web.json_response({}, status=400) if shown else None

    with closing(Workspace(tmp_path)) as workspace, io.BytesIO() as file:
        Image.new("RGB", (8, 8)).save(file, "PNG")
        shown = ShownImage(label="D1:IMG_001", sha256=workspace.blobs.put(file.getvalue()))
    serving, asked, trace = OpenAIServer(), task("one", images=(shown,)), CallTrace("tests")
    serving.echo = refuse
    with running(serving.app) as address:
        with (
            pool(tmp_path, section("openai", address)) as authors,
            pytest.raises(AuthorError, match="it showed 1 images: `image_side: 0`"),
        ):
            authors.run(authors.write(asked, trace))
        with pool(tmp_path, section("openai", address, image_side=0)) as authors:
            assert authors.run(authors.write(asked, trace)).summary
