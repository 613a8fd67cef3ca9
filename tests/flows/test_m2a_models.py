"""Guests by a language model, from recipe to release: people, bills, recordings."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.guest_replies import GuestWriter
from support.model_runs import cost, model, run, written
from support.model_servers.faults import Faults
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running

from memassay.cli import main
from memassay.exports import open_release

pytestmark = pytest.mark.slow

DATES = ("1:56 pm on 8 May, 2023", "9:05 am on 28 June, 2023")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


def _recipe(folder: Path, kind: str, address: str, **more: Any) -> Path:
    """A recipe whose host is one conversation of two sessions."""
    talk: dict[str, Any] = {"speaker_a": "Ann", "speaker_b": "Bo"}
    for number, date in enumerate(DATES, start=1):
        said = [("Ann", "Hello."), ("Bo", "Hi, Ann.")]
        talk[f"session_{number}_date_time"] = date
        talk[f"session_{number}"] = [
            {"speaker": name, "dia_id": f"D{number}:{at}", "text": text}
            for at, (name, text) in enumerate(said, start=1)
        ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hosts.json").write_text(
        json.dumps([{"sample_id": "conv-1", "conversation": talk, "qa": []}])
    )
    document = {
        "path": "m2a",
        "sources": [{"format": "locomo", "path": "hosts.json", "licence": "CC-BY-4.0"}],
        "author": model(kind, address),
        "gates": {"inject": {"policy": "sample", "on_open": "continue"}},
        "prices": "prices.yaml",
        "guests": {"visual": 4},
        "release": {"name": "guests", "licence": "CC-BY-4.0"},
        **more,
    }
    return written(folder, document)


def _cli(*call: str, code: int = 0) -> Any:
    ended = CliRunner().invoke(main, [*call, "--json"])
    assert ended.exit_code == code, ended.output
    return json.loads(ended.stdout)


def test_guests_by_openai(tmp_path: Path) -> None:
    """One call, one for a question; pictures are shown; people see all; replies can be replayed."""
    author = GuestWriter("evidence off by one")
    server = OpenAIServer(answer=author)
    with running(server.app) as address:
        recipe = _recipe(tmp_path, "openai", address)
        report = run(recipe, tmp_path, "--record", str(tmp_path / "replies"))
    assert author.tasks == ["concept_session", "guest_questions"]
    pending = [one for one in report["held_out"] if one["status"] == "pending"]
    assert {one["kind"] for one in pending} == {"question"}
    assert len(pending) == 20
    assert {rule for one in pending for rule in one["reasons"]} == {"questions.unproven"}
    (bundle,) = open_release(Path(report["release"])).bundles()
    shown = [item.asset for _, item in bundle.conversation.attachments()]
    assert bundle.concepts
    assert sorted(shown) == sorted(name for one in bundle.concepts for name in one.shown)
    assert report["verdicts"] == {"supported": 4}
    assert json.dumps(server.log[0]).count("image_url") >= len(shown)
    replayed = run(recipe, tmp_path / "elsewhere", "--replay", str(tmp_path / "replies"))
    assert Path(replayed["release"]).name == Path(report["release"]).name


def test_what_people_accept_is_released(tmp_path: Path) -> None:
    """A failed call costs no other; no query proves a question: a person vouches for it."""
    author = GuestWriter("evidence of no turn")
    server = OpenAIServer(Faults(always={"Questions that stay": "400"}), author)
    workspace = ("--workspace", str(tmp_path / "ws"))
    with running(server.app) as address:
        recipe = _recipe(tmp_path, "openai", address, guests={"questions": 1, "visual": 0})
        (guessed,) = run(recipe, tmp_path, "--estimate")["rows"]
        failed = run(recipe, tmp_path, code=1)
        assert [one["record"] for one in failed["held_out"]] == ["conv-1"]
        (billed,) = cost(tmp_path)["rows"]
        assert guessed["role"] == "guests"
        assert (guessed["calls"], guessed["images"]) == (billed["calls"], billed["images"])
        assert abs(guessed["input"] - billed["input"]) < 0.35 * billed["input"]
        server.faults.always.clear()
        run(recipe, tmp_path, "--retry-failed")
        for item in _cli("review", "list", *workspace):
            _cli("review", "decide", item["item"], "accept", *workspace)
        report = run(recipe, tmp_path)
    assert author.tasks.count("concept_session") == 1
    assert report["verdicts"] == {"doubtful": 1}


def test_sessions_that_are_never_right_hold_their_host(tmp_path: Path) -> None:
    """The finding says what is wrong with them; no guest and no half of one comes in."""
    author = GuestWriter("speaker 2")
    server = OpenAIServer(answer=author)
    with running(server.app) as address:
        recipe = _recipe(tmp_path, "openai", address, guests={"questions": 3, "repairs": 0})
        report = run(recipe, tmp_path)
    assert author.tasks == ["concept_session"]
    found = [one for one in report["findings"] if one["rule"] == "m2a.guest_sessions"]
    assert ["got 'Speaker 2'" in one["message"] for one in found] == [True]
    (held,) = report["held_out"]
    assert (held["record"], held["status"]) == ("conv-1", "pending")
    assert "guest" not in held["content"]


def test_people_decide_about_questions_of_models(tmp_path: Path) -> None:
    """A gate that asks nobody is refused, and so are several draws of a simulator."""
    recipe = _recipe(tmp_path, "openai", "http://127.0.0.1:9", gates={"inject": {"policy": "auto"}})
    assert "gates.inject: expected policy sample" in json.dumps(run(recipe, tmp_path, code=2))
    best = {"roles": ["guests"]}
    recipe = _recipe(tmp_path, "openai", "", author="simulator", gates={}, best_of=best)
    assert "best_of: expected a language model" in json.dumps(run(recipe, tmp_path, code=2))
