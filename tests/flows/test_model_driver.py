"""The driver meets the faults of a server that speaks the real protocol."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.flows_driving import pool, spent, task, write_all
from support.model_servers.faults import Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.flows.calls.payments import Price
from memassay.flows.calls.recordings import Recordings
from memassay.schemas.contracts.author_sections import ModelSection
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.errors import AuthorError, BudgetError, EndpointError

TEXTS = [f"text {number}" for number in range(40)]
Server = OpenAIServer | GeminiServer


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-one")
    monkeypatch.setenv("GEMINI_API_KEY", "gm-secret-one")


def section(kind: str, address: str, **more: Any) -> ModelSection:
    """The model of a server, by the name of its protocol and endpoint."""
    provider, _, api = kind.partition("-")
    base = address if provider == "gemini" else f"{address}/v1"
    given = {"api": api} if api else {}
    return ModelSection(
        provider=provider, model="m", base_url=base, retry_wait=0.01, **given, **more
    )


def server(kind: str, faults: Faults) -> Server:
    """A server that speaks a protocol."""
    return GeminiServer(faults) if kind == "gemini" else OpenAIServer(faults)


KINDS = ["openai-chat", "openai-responses", "gemini"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_protocol_gives_validated_replies(kind: str, tmp_path: Path) -> None:
    """The unmodified clients get a structured reply from each endpoint."""
    serving = server(kind, Faults())
    with running(serving.app) as address, pool(tmp_path, section(kind, address)) as authors:
        written = write_all(authors, TEXTS[:3])
    assert len(written) == 3
    assert all(text.startswith("word") for text in written)
    assert len(serving.log) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_scattered_faults_leave_no_bad_row(kind: str, tmp_path: Path) -> None:
    """Throttling, server errors, dropped connections, cut and malformed replies are got over."""
    shares = dict.fromkeys(["429", "500", "drop"], 0.05)
    shares |= dict.fromkeys(["malformed", "schema", "cut", "empty"], 0.02)
    serving = server(kind, Faults(rates=shares, retry_after=0.01))
    with running(serving.app) as address, pool(tmp_path, section(kind, address)) as authors:
        written = write_all(authors, TEXTS)
    assert all(text.startswith("word") for text in written)
    assert len(serving.log) > len(TEXTS)


@pytest.mark.slow(seconds=3)
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_drips_is_given_up(kind: str, tmp_path: Path) -> None:
    """An answer that never ends, though every read of it is in time, takes no longer than told."""
    serving = server(kind, Faults(always={"text 1": "drip"}))
    with (
        running(serving.app) as address,
        pool(tmp_path, section(kind, address, timeout=0.5)) as authors,
    ):
        written = write_all(authors, TEXTS[:3])
    assert written[1] == "failed: unreachable"
    assert [text.startswith("word") for text in written] == [True, False, True]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("fault", "reason", "calls"),
    [
        ("500", "unreachable", 5),
        ("schema", "malformed", 3),
        ("cut", "cut_off", 3),
        ("refusal", "refused", 1),
        ("empty", "empty", 3),
    ],
)
def test_a_poisoned_record_fails_alone(
    kind: str, fault: Any, reason: str, calls: int, tmp_path: Path
) -> None:
    """One record that always fails is one failure with its reason; the others are written."""
    serving = server(kind, Faults(always={"text 7": fault}))
    with (
        running(serving.app) as address,
        pool(tmp_path, section(kind, address)) as authors,
    ):
        written = write_all(authors, TEXTS[:10])
    assert written[7] == f"failed: {reason}"
    assert [text for text in written if text.startswith("failed")] == [written[7]]
    assert sum("text 7" in json.dumps(body) for body in serving.log) == calls


def test_a_finished_request_is_never_sent_again(tmp_path: Path) -> None:
    """A second run in the workspace gives the same replies and sends nothing."""
    serving = OpenAIServer(Faults(rates={"malformed": 0.2}))
    with running(serving.app) as address:
        with pool(tmp_path, section("openai", address)) as authors:
            first = write_all(authors, TEXTS)
        sent = len(serving.log)
        with pool(tmp_path, section("openai", address)) as authors:
            assert write_all(authors, TEXTS) == first
    assert len(serving.log) == sent


def test_equal_requests_at_the_same_time_are_sent_once(tmp_path: Path) -> None:
    """What is asked for twice at once is paid for once."""
    serving = OpenAIServer(Faults(latency=0.05))
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
    ):
        written = write_all(authors, ["same"] * 8)
    assert len(set(written)) == 1
    assert len(serving.log) == 1


def test_another_draw_is_another_request(tmp_path: Path) -> None:
    """Samples of one task are asked for one by one."""
    serving = OpenAIServer()
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
    ):
        trace = CallTrace("tests")
        list(authors.each(range(3), lambda draw: authors.write(task("x", draw=draw), trace)))
    assert len(serving.log) == 3


def test_a_rejected_request_is_not_repeated(tmp_path: Path) -> None:
    """A request that the endpoint finds wrong fails at once."""
    serving = OpenAIServer(Faults(always={"text 1": "400"}))
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
    ):
        assert write_all(authors, TEXTS[:3])[1] == "failed: rejected"
    assert len(serving.log) == 3


def test_a_refused_key_stops_the_run_without_naming_it(tmp_path: Path) -> None:
    """Wrong credentials end the run at once; the message holds no key."""
    serving = OpenAIServer()
    serving.valid_keys = {"another"}
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address)) as authors,
        pytest.raises(EndpointError, match="401") as caught,
    ):
        write_all(authors, TEXTS[:3])
    assert "sk-secret-one" not in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_that_is_not_there_stops_the_run(kind: str, tmp_path: Path) -> None:
    """A misspelt model is one clear error, not one failure a record."""
    serving = server(kind, Faults())
    serving.models = {"another"}
    with (
        running(serving.app) as address,
        pool(tmp_path, section(kind, address)) as authors,
        pytest.raises(EndpointError, match=r"404.*name of the model"),
    ):
        write_all(authors, TEXTS[:3])


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_at_the_address_stops_the_run(kind: str, tmp_path: Path) -> None:
    """Where nothing ever answered, the run ends after the tries of one request."""
    with (
        pool(tmp_path, section(kind, "http://127.0.0.1:9")) as authors,
        pytest.raises(EndpointError, match="`base_url`"),
    ):
        write_all(authors, TEXTS[:1])


def test_a_key_file_can_be_replaced_while_a_run_goes_on(tmp_path: Path) -> None:
    """The key of the next call is the one that stands in the file then."""
    file = tmp_path / "key"
    file.write_text("first\n")
    serving = OpenAIServer()
    with running(serving.app) as address:
        model = section("openai", address, key_file=str(file))
        with pool(tmp_path / "ws", model) as authors:
            write_all(authors, ["one"])
            file.write_text("second\n")
            write_all(authors, ["two"])
    assert serving.keys == ["first", "second"]


def test_an_endpoint_that_is_down_ends_the_run(tmp_path: Path) -> None:
    """Nobody answering for longer than our patience is one clear error, not one per record."""
    serving = OpenAIServer(Faults(rates={"500": 1.0}))
    with (
        running(serving.app) as address,
        pool(tmp_path, section("openai", address, patience=1)) as authors,
        pytest.raises(EndpointError, match="failures in a row"),
    ):
        write_all(authors, TEXTS)


def test_a_cap_on_spending_is_kept_and_nearly_used(tmp_path: Path) -> None:
    """No call begins that could pass the cap; a higher cap goes on from there."""
    prices = {"m": Price(input=10, output=10)}
    serving = OpenAIServer(Faults(latency=0.01))
    with running(serving.app) as address:
        model = section("openai", address, concurrency=4, max_output_tokens=64)
        with (
            pool(tmp_path, model, prices=prices, cap=60_000_000) as authors,
            pytest.raises(BudgetError, match="Raise `budget:`"),
        ):
            write_all(authors, TEXTS)
        assert 30_000_000 < spent(tmp_path) <= 60_000_000
        with pool(tmp_path, model, prices=prices) as authors:
            write_all(authors, TEXTS)
    assert len(serving.log) == len(TEXTS)


def test_recorded_replies_run_without_a_server(tmp_path: Path) -> None:
    """What one run recorded, another in a fresh workspace replays to the same words."""
    folder = tmp_path / "replies"
    serving = OpenAIServer(Faults(rates={"malformed": 0.2}))
    with running(serving.app) as address:
        model = section("openai", address)
        with pool(tmp_path / "a", model, recordings=Recordings(record=folder)) as authors:
            first = write_all(authors, TEXTS)
    with pool(tmp_path / "b", model, recordings=Recordings(replay=folder)) as authors:
        assert write_all(authors, TEXTS) == first
        trace = CallTrace("tests")
        with pytest.raises(AuthorError, match="record again"):
            list(authors.each(["new"], lambda text: authors.write(task(text), trace)))


def test_no_secret_is_stored(tmp_path: Path) -> None:
    """Keys stand in no file of the workspace and in no recording."""
    serving = OpenAIServer(Faults(rates={"500": 0.3}))
    with running(serving.app) as address:
        recordings = Recordings(record=tmp_path / "replies")
        with pool(tmp_path / "ws", section("openai", address), recordings=recordings) as authors:
            write_all(authors, TEXTS[:5])
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if b"sk-secret-one" in path.read_bytes()]
