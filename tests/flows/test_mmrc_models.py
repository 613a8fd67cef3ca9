"""Dialogues of MMRC by models: ten worded from plans and ten chatted, through both protocols."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.forked_runs import Forks, Strike, forks
from support.model_runs import cost, model, run, written
from support.model_servers.asked import Asked
from support.model_servers.chatting import ChattingAuthor
from support.model_servers.faults import Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import task_of

from memassay.cli import main
from memassay.exports import open_release
from memassay.schemas.records.bundle import Bundle
from memassay.synth.paths.mmrc.deck import card_of

pytestmark = pytest.mark.slow(seconds=10)

TEN: dict[str, Any] = {
    "path": "mmrc",
    "seed": 5,
    "dialogues": 10,
    "prices": "prices.yaml",
    "release": {"name": "demo", "licence": "CC-BY-4.0"},
}
PAPER: dict[str, Any] = {
    **TEN,
    "mode": "paper",
    "gates": {"questions": {"policy": "sample", "on_open": "continue"}},
}
MODES = {"ledger-first": TEN, "paper": PAPER}
MARKER = "replied"
"""File that a server puts into a workspace at the moment a run is to be struck."""
AT_ONCE = 4


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


@dataclass(frozen=True)
class Finished:
    """Ten dialogues, estimated and then made.

    Attributes:
        mode: How they were written.
        guessed: The estimate.
        report: What the run reported.
        bill: What it cost.
        asked: Number of requests.
        early: Number of requests before the run.
        bundles: What was released.
    """

    mode: str
    guessed: dict[str, Any]
    report: dict[str, Any]
    bill: dict[str, Any]
    asked: int
    early: int
    bundles: list[Bundle]


@pytest.fixture(scope="module", params=[(m, k) for m in MODES for k in ("openai", "gemini")])
def finished(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Ten dialogues of a mode by the server of a protocol."""
    mode, kind = request.param
    folder = tmp_path_factory.mktemp("ten")
    server = (GeminiServer if kind == "gemini" else OpenAIServer)(answer=ChattingAuthor())
    with pytest.MonkeyPatch.context() as patch, running(server.app) as address:
        patch.setenv("OPENAI_API_KEY", "sk")
        patch.setenv("GEMINI_API_KEY", "gm")
        recipe = written(folder, {**MODES[mode], "author": model(kind, address)})
        guessed = run(recipe, folder, "--estimate")
        early = len(server.log)
        report = run(recipe, folder)
    bundles = list(open_release(Path(report["release"])).bundles())
    return Finished(mode, guessed, report, cost(folder), len(server.log), early, bundles)


def test_an_estimate_is_close_to_the_bill(finished: Finished) -> None:
    """Nobody is asked for an estimate, and the bill lies within a quarter of it."""
    assert finished.early == 0
    for kind in ("calls", "input", "dollars"):
        billed = sum(float(row[kind]) for row in finished.bill["rows"])
        guessed = sum(float(row[kind]) for row in finished.guessed["rows"])
        assert abs(guessed - billed) <= 0.25 * billed, (kind, guessed, billed)
    least, most = (float(finished.guessed[end]) for end in ("least", "most"))
    assert least < float(finished.bill["dollars"]) < most


def test_ten_dialogues_are_released(finished: Finished) -> None:
    """All ten are there, what a model wrote is supported, and the release is valid."""
    assert len(finished.bundles) == TEN["dialogues"]
    assert set(finished.report["verdicts"]) == {"supported"}
    checked = CliRunner().invoke(main, ["validate", finished.report["release"]])
    assert checked.exit_code == 0, checked.output


def test_every_ability_of_a_card_is_asked(finished: Finished) -> None:
    """Questions are released or wait for people: in paper mode those that no query proves."""
    waiting = [one["record"] for one in finished.report["held_out"] if one["status"] == "pending"]
    released = [item for bundle in finished.bundles for item in bundle.questions]
    assert len(released) + len(waiting) == sum(len(card_of(at).asked) for at in range(10))
    assert all(item.query is not None for item in released)
    assert bool(waiting) == (finished.mode == "paper")


def test_what_a_model_said_is_in_the_release(finished: Finished) -> None:
    """Every turn is the model's, and every mention is at its words."""
    first = "Well, " if finished.mode == "ledger-first" else "I had another look"
    for bundle in finished.bundles:
        turns = {turn.id: turn for turn in bundle.conversation.turns()}
        assert all(one.text.startswith(first) for one in turns.values() if one.speaker == "user")
        facts = {fact.id: fact for fact in bundle.facts}
        spans = [one for one in bundle.mentions if one.span is not None]
        assert spans
        for one in spans:
            said = turns[one.turn or ""].text[slice(*(one.span or ()))]
            assert facts[one.fact].value.text.casefold().removeprefix("my ") in said.casefold()


def test_a_dialogue_that_leaves_its_plan_is_held_out_alone(tmp_path: Path) -> None:
    """What a model never says is a finding after three times; the other dialogue is released."""
    honest, forgetful = ChattingAuthor(), "I forget what it was."
    victims: list[str] = []

    def answer(asked: Asked) -> Any:
        if task_of(asked) == "turn_repair":
            return {"text": asked.data()[1]}
        domain = json.loads(asked.data()[0])["domain"]
        victims.append(domain)
        must = "State each of these" in asked.text and domain == victims[0]
        return {"text": forgetful} if must else honest(asked)

    server = OpenAIServer(answer=answer)
    with running(server.app) as address:
        recipe = written(tmp_path, {**TEN, "dialogues": 2, "author": model("openai", address)})
        report = run(recipe, tmp_path)
    found = [one for one in report["findings"] if one["rule"] == "wording.off_plan"]
    held = {one["record"] for one in report["held_out"]}
    released = {one.id for one in open_release(Path(report["release"])).bundles()}
    assert found
    assert {one["target"] for one in found} <= held
    assert released == {"mmrc-00001", "mmrc-00002"} - held
    assert released


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forks]:
    """A process that forks runs."""
    with forks(written(tmp_path_factory.mktemp("rehearsed"), {**TEN, "dialogues": 1})) as process:
        yield process


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_paid_twice_after_a_kill(mode: str, warm: Forks, tmp_path: Path) -> None:
    """Killed and run again, only calls that were under way go out again; then none does."""
    workspace, chatting, answered = tmp_path / "ws", ChattingAuthor(), 0

    def answer(asked: Asked) -> Any:
        nonlocal answered
        answered += 1
        if answered == 90:
            (workspace / MARKER).touch()
            server.faults.latency = 0.5  # so that it is not done before it is killed
        return chatting(asked)

    server = OpenAIServer(Faults(latency=0.005), answer=answer)
    with running(server.app) as address:
        author = model("openai", address, concurrency=AT_ONCE)
        recipe = written(tmp_path, {**MODES[mode], "author": author})
        assert warm.run(recipe, workspace, Strike(seen=MARKER)).codes == [-9]
        server.faults.latency = 0.0
        resumed = warm.run(recipe, workspace)
        assert resumed.codes == [0], resumed.output
        sent = len(server.log)
        assert warm.run(recipe, workspace).codes == [0]
    assert len(server.log) == sent
    bodies = Counter(json.dumps(body, sort_keys=True) for body in server.log)
    again = sum(bodies.values()) - len(bodies)
    assert again <= AT_ONCE
    assert sum(row["calls"] for row in cost(tmp_path)["rows"]) >= len(bodies)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"author": "simulator"}, "mode: expected ledger-first with the simulator as author"),
        ({"gates": {"questions": {"policy": "auto"}}}, "gates.questions: expected policy sample"),
        (
            {"mode": "ledger-first", "author": "simulator", "best_of": {"roles": ["user"]}},
            "best_of: expected a language model",
        ),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    """Paper mode needs a model and people; the message says what was expected."""
    author = model("openai", "http://127.0.0.1:9")
    recipe = written(tmp_path, {**PAPER, "author": author, **change})
    assert message in json.dumps(run(recipe, tmp_path, code=2))
