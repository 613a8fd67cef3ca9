"""`structured: auto`: what a server of one's own takes is found out once, and remembered."""

import logging
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from support.flows_driving import pool, write_all
from support.model_servers.asked import Asked, by_schema
from support.model_servers.own_server import OwnServer
from support.model_servers.running import running

from memassay.flows.calls.recordings import Recordings
from memassay.schemas.contracts.author_sections import ModelSection

SCHEMA, OBJECT, TOOL, PROMPT = "json_schema", "json_object", "tools", "prompt"
TEXTS = ["one", "two", "three"]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def section(address: str, **more: Any) -> ModelSection:
    """A model of a server."""
    fixed: dict[str, Any] = {"provider": "openai", "model": "m"}
    return ModelSection(**fixed, base_url=f"{address}/v1", retry_wait=0.01, **more)


def runs(server: OwnServer, folder: Path, *texts: list[str], **more: Any) -> list[list[str]]:
    """What several runs in one workspace wrote."""
    written = []
    with running(server.app) as address:
        for some in texts:
            with pool(folder, section(address, **more)) as authors:
                written.append(write_all(authors, some))
    return written


@pytest.mark.parametrize(
    ("server", "asked"),
    [
        (OwnServer([SCHEMA], by_schema), [SCHEMA]),
        (OwnServer([OBJECT], by_schema), [SCHEMA, SCHEMA, OBJECT, OBJECT]),
        (OwnServer([OBJECT], by_schema, status=400), [SCHEMA, SCHEMA, OBJECT, OBJECT]),
        (OwnServer([TOOL], by_schema, status=422), [SCHEMA, SCHEMA, OBJECT, TOOL, TOOL]),
        (OwnServer([], by_schema), [SCHEMA, SCHEMA, OBJECT, TOOL, PROMPT, PROMPT]),
        (OwnServer([], by_schema, words="no"), [SCHEMA, SCHEMA, OBJECT, TOOL, PROMPT, SCHEMA]),
        (OwnServer([OBJECT], by_schema, ignores=[SCHEMA]), [SCHEMA, SCHEMA, OBJECT, OBJECT]),
        (OwnServer([], by_schema, ignores=[SCHEMA, OBJECT, TOOL]), [SCHEMA, SCHEMA, OBJECT, TOOL]),
    ],
    ids=["all", "llama", "400", "tools", "nothing", "wordless", "passed over", "all passed over"],
)
def test_a_form_is_found_by_one_probe_and_remembered(
    server: OwnServer, asked: list[str], tmp_path: Path
) -> None:
    """What follows goes out in that form alone, in this run and in a later one."""
    written = runs(server, tmp_path, TEXTS, ["four"])
    assert not any("failed" in one for one in (*written[0], *written[1]))
    assert server.forms[: len(asked)] == asked
    assert len(set(server.forms[len(asked) :])) == 1


def test_a_form_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """One line says what the server refuses, in its own words, and what is done instead."""
    caplog.set_level(logging.INFO, "memassay")
    runs(OwnServer([OBJECT], by_schema), tmp_path, TEXTS, ["four"])
    (line,) = caplog.messages
    assert "refuses json_schema (HTTP 500: " in line
    assert "Input should be 'text' or 'json_object'" in line
    assert "by json_object with the schema" in line


@pytest.mark.parametrize("takes", [[SCHEMA], [OBJECT], [TOOL], []])
def test_replies_have_one_key_in_every_form(takes: list[str], tmp_path: Path) -> None:
    """What one server wrote is found by who asks another; a replay asks nobody at all."""
    kept = Recordings(record=tmp_path / "kept")
    for number, server in enumerate((OwnServer(takes, by_schema), OwnServer([SCHEMA], by_schema))):
        with running(server.app) as address:
            folder = tmp_path / str(number)
            with pool(folder, section(address), recordings=kept) as authors:
                write_all(authors, TEXTS)
    assert len(list((tmp_path / "kept").rglob("*.json"))) == len(TEXTS)
    replay = Recordings(replay=tmp_path / "kept")
    model = section("http://127.0.0.1:9")
    with pool(tmp_path / "replayed", model, recordings=replay) as authors:
        assert not any("failed" in one for one in write_all(authors, TEXTS))


@pytest.mark.parametrize(("structured", "form"), [(True, SCHEMA), (False, OBJECT)])
def test_a_form_that_a_recipe_names_is_kept_to(structured: bool, form: str, tmp_path: Path) -> None:
    """Nobody is asked what the server takes."""
    server = OwnServer([OBJECT], by_schema, status=400)
    runs(server, tmp_path, TEXTS, structured=structured)
    assert set(server.forms) == {form}


def test_auto_is_no_part_of_what_a_stage_or_a_release_rests_on() -> None:
    """It hashes and is written as `true`, what it was before there was a choice."""
    auto, plain = (section("http://h", **more) for more in ({}, {"structured": True}))
    assert auto.choice() == plain.choice()
    assert auto.model_dump(mode="json") == plain.model_dump(mode="json")


def test_a_word_that_is_none_of_the_three_is_refused() -> None:
    """The message has all that may be there; YAML's other words for a truth value are read."""
    with pytest.raises(ValidationError, match="expected 'auto', true or false"):
        section("http://h", structured="maybe")
    assert section("http://h", structured="off").structured is False


def test_a_server_that_changed_is_asked_again(tmp_path: Path) -> None:
    """What was remembered is doubted where the server refuses it, once."""
    server = OwnServer([TOOL], by_schema)
    with running(server.app) as address:
        for takes, text in (({TOOL, PROMPT}, "one"), ({OBJECT, PROMPT}, "two")):
            server.takes = takes
            with pool(tmp_path, section(address)) as authors:
                assert write_all(authors, [text]) != ["failed: rejected"]
    assert server.forms[-3:] == [SCHEMA, OBJECT, OBJECT]


@pytest.mark.parametrize("structured", [False, "auto"])
def test_a_reply_without_a_field_is_asked_for_again(structured: bool | str, tmp_path: Path) -> None:
    """`{}` is a failed attempt, as any reply that breaks the schema is."""

    def answer(asked: Asked) -> Any:
        return {"summary": "yes"} if "Field required" in asked.text else {}

    server = OwnServer([SCHEMA, OBJECT], answer)
    (written,) = runs(server, tmp_path, ["one"], structured=structured)
    assert written == ["yes"]
