"""Tasks that never get a usable reply, each for another history of one run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from support.model_runs import model, run, written
from support.model_servers.asked import Asked
from support.model_servers.faults import Fault, Faults
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor, task_of

from memassay.exports import open_release
from memassay.schemas.records.bundle import Bundle

FOUL: Final = "That moron again."
POISONED: Final[Mapping[str, tuple[str, Fault, str]]] = {
    "Alex": ("event_repair", "malformed", "malformed"),
    "Wei": ("turn_repair", "cut", "cut_off"),
    "Claire": ("questions_ss", "refusal", "refused"),
}
"""By user, the task, its fault, and the reason that the failure gives; Carl is well."""
PERSONAS: Final = {
    "alex-veterinarian": "Alex",
    "wei-courier": "Wei",
    "claire-cat-cafe": "Claire",
    "carl-pilot": "Carl",
}
RECIPE: Final[dict[str, Any]] = {
    "path": "m3exam",
    "personas": list(PERSONAS),
    "sizes": {"sessions": 2, "rounds": 4, "images": 0, "documents": 0},
    "questions": {"ss": 1},
    "release": {"name": "demo", "licence": "CC-BY-4.0"},
}
PAPER: Final[dict[str, Any]] = {
    **RECIPE,
    "mode": "paper",
    "sizes": {"sessions": 2, "rounds": 4},
    "gates": {"questions": {"policy": "sample", "on_open": "continue"}},
}


def user_of(asked: Asked) -> str:
    """Whose history a request is about."""
    return next((one for one in PERSONAS.values() if one in asked.system + asked.text), "")


@dataclass
class Poison(Faults):
    """Meets the poisoned task of each history with its fault, every time.

    Attributes:
        tasks: By user, the task and its fault.
    """

    tasks: Mapping[str, tuple[str, Fault, str]] = field(default_factory=lambda: POISONED)

    def meet(self, body: str) -> Fault:
        """The fault of a request."""
        system, user = (one["content"] for one in json.loads(body))
        asked = Asked("m", system, user, 0, "", {})
        task, fault, _ = self.tasks.get(user_of(asked), ("", "none", ""))
        return fault if task_of(asked) == task else "none"


def answers(told: list[Bundle]) -> Any:
    """What the simulator told, with foul words in Alex's events and in Wei's talk."""
    honest = SimulatedAuthor(told)

    def answer(asked: Asked) -> Any:
        reply, place = honest(asked), (user_of(asked), task_of(asked))
        if place == ("Alex", "event_line"):
            reply["events"][0]["query"] += f" {FOUL}"
        if place == ("Wei", "assistant_turn"):
            reply["text"] += f" {FOUL}"
        return reply

    return answer


@pytest.mark.slow
def test_a_task_without_a_usable_reply_fails_its_history_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for in a repair or not, it is one failure with task, reason and raw text; exit 1."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    told = run(written(tmp_path, RECIPE), tmp_path / "told")
    bundles = list(open_release(Path(told["release"])).bundles())
    server = OpenAIServer(Poison(), answers(bundles))
    with running(server.app) as address:
        recipe = written(tmp_path, {**PAPER, "author": model("openai", address)})
        report = run(recipe, tmp_path, code=1)
    failed = [one for one in report["findings"] if one["rule"] == "author.failed"]
    assert sorted(PERSONAS[one["target"]] for one in failed) == sorted(POISONED)
    for one in failed:
        task, _, reason = POISONED[PERSONAS[one["target"]]]
        assert f"task {task}, openai:m: " in one["message"]
        assert f"({reason}). It wrote: " in one["message"]
    released = [bundle.id for bundle in open_release(Path(report["release"])).bundles()]
    assert released == ["carl-pilot"]
    held = {one["record"].partition("/")[0] for one in report["held_out"]}
    assert {one["target"] for one in failed} <= held
    # What the rules found before the repair is told as well.
    assert {"timeline.offensive", "audit.offensive"} <= {one["rule"] for one in report["findings"]}
