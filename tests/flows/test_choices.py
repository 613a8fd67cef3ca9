"""People choose among drafts: the run waits for them, and goes on with what they chose."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from support.model_servers.asked import Asked
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor, task_of

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.shapes import Vote
from memassay.cli import main
from memassay.exports import open_release
from memassay.flows.review.assignments import answers, assignment_of
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.judgements.assignment import Assignment
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.records.bundle import Bundle

pytestmark = pytest.mark.slow

RECIPE = {
    "path": "m3exam",
    "seed": 7,
    "personas": ["wei-courier"],
    "sizes": {"sessions": 2, "rounds": 7, "images": 4, "documents": 1},
    "questions": {"ss": 1},
    "release": {"name": "demo", "licence": "CC-BY-4.0"},
}
BOTH = {**RECIPE, "personas": ["wei-courier", "alex-veterinarian"]}
CHOICES = 2


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """What the simulator tells of the two people, for the server to hand out."""
    folder = tmp_path_factory.mktemp("told")
    ended = run(written(folder, BOTH), folder)
    return list(open_release(Path(ended["release"])).bundles())


def written(folder: Path, document: dict[str, Any]) -> Path:
    """A recipe in a folder."""
    path = folder / "recipe.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def by_person(folder: Path, address: str, recipe: dict[str, Any] = RECIPE, **more: Any) -> Path:
    """The recipe with two drafts of every turn of the user, and a person to choose."""
    author = {"provider": "openai", "model": "m", "base_url": f"{address}/v1", "retry_wait": 0.01}
    best_of = {"roles": ["user"], "samples": 2, "by": "person", **more}
    return written(folder, {**recipe, "author": author, "best_of": best_of})


def run(recipe: Path, folder: Path, code: int = 0) -> dict[str, Any]:
    """The report of a run that ends with a code."""
    call = ["run", str(recipe), "--workspace", str(folder / "ws"), "--runner", "plain", "--json"]
    ended = CliRunner().invoke(main, call)
    assert ended.exit_code == code, ended.output
    report: dict[str, Any] = json.loads(ended.stdout)
    return report


def drafts(told: list[Bundle]) -> Any:
    """A server whose drafts of Wei's first turns differ; all others are alike."""
    honest, drawn = SimulatedAuthor(told), dict[str, int]()

    def answer(asked: Asked) -> Any:
        reply = honest(asked)
        wanted = task_of(asked).startswith("user_turn") and "You are Wei" in asked.system
        if wanted and (asked.text in drawn or len(drawn) < CHOICES):
            drawn[asked.text] = drawn.get(asked.text, 0) + 1
            return {"text": f"{reply['text']} Draft {drawn[asked.text]}."}
        return reply

    return answer


def choose(folder: Path, draft: str | None) -> list[Assignment]:
    """Decide every open choice for a draft, or for none; gives the choices."""
    with open_workspace(folder / "ws") as workspace:
        desk, found = ReviewDesk(workspace.queue.engine), []
        for item in workspace.queue.items():
            choice = assignment_of(workspace, item)
            found.append(choice)
            vote = Vote(Ruling.REJECT, ReasonCode.UNREADABLE, "both are dull")
            if draft is not None:
                (key,) = (one.key for one in choice.candidates if draft in one.text)
                vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT, answer=key)
            desk.open_item(item.id, "ada")
            desk.submit(item.id, "ada", item.id, vote)
    return found


def test_a_run_waits_for_the_choice_and_goes_on_with_it(told: list[Bundle], tmp_path: Path) -> None:
    """Exit 75 until people chose; then the chosen draft is in the release, nothing is paid twice.

    The other history is written meanwhile, and the losers stay in the log of calls.
    """
    server = OpenAIServer(answer=drafts(told))
    with running(server.app) as address:
        recipe = by_person(tmp_path, address, BOTH)
        for _ in range(CHOICES):
            stopped = run(recipe, tmp_path, 75)
            said = "stage dialogue: people have yet to choose among drafts for wei-courier;"
            assert stopped["error"].startswith(said)
            assert any("You are Alex" in json.dumps(body) for body in server.log)
            sent = len(server.log)
            run(recipe, tmp_path, 75)
            assert len(server.log) == sent
            assert len(choose(tmp_path, "Draft 2.")) == 1
        report = run(recipe, tmp_path)
        paid = len(server.log)
        kept = [{**stage, "made": 0} for stage in report["stages"]]
        assert run(recipe, tmp_path) == {**report, "stages": kept}
    assert len(server.log) == paid
    bundles = {one.id: one for one in open_release(Path(report["release"])).bundles()}
    turns = [turn.text for turn in bundles["wei-courier"].conversation.turns()]
    assert {text[-8:] for text in turns if "Draft" in text} == {"Draft 2."}
    lines = (Path(report["release"]) / "provenance.jsonl").read_text(encoding="utf-8").splitlines()
    made = [json.loads(line) for line in lines]
    chosen = [one for each in made for one in each["extras"].get("best_of", [])]
    assert {one["by"] for one in chosen} == {"person"}
    with open_workspace(tmp_path / "ws") as workspace:
        decided = answers(workspace)
    assert [one.text[-8:] for one in decided] == ["Draft 2."] * CHOICES


def test_a_choice_hides_who_wrote_what_and_shows_the_request(
    told: list[Bundle], tmp_path: Path
) -> None:
    """The prompt is there to judge by; who wrote a draft stands beside it."""
    server = OpenAIServer(answer=drafts(told))
    with running(server.app) as address:
        run(by_person(tmp_path, address), tmp_path, 75)
    with open_workspace(tmp_path / "ws") as workspace:
        (item,) = workspace.queue.items("dialogue")
        choice = assignment_of(workspace, item)
    assert (item.kind, item.type, item.votes_needed) == ("assignment", "choose", 1)
    assert [part.label for part in choice.shown] == ["What the model was told", "The request"]
    assert {one.author for one in choice.candidates} == {"openai:m #0", "openai:m #1"}
    assert not any("openai:m" in one.text for one in choice.candidates)
    assert (choice.about, choice.group) == ("wei-courier/D1_1", "user_turn")


def test_rejected_drafts_are_a_failure_of_their_history(told: list[Bundle], tmp_path: Path) -> None:
    """None of them will do: that history fails alone with the reason, the other is released."""
    server = OpenAIServer(answer=drafts(told))
    with running(server.app) as address:
        recipe = by_person(tmp_path, address, BOTH)
        run(recipe, tmp_path, 75)
        choose(tmp_path, None)
        report = run(recipe, tmp_path, 1)
    (failure,) = [one for one in report["findings"] if one["rule"] == "author.failed"]
    assert failure["target"].startswith("wei-courier")
    assert "people kept none of 2 drafts (unreadable: both are dull)" in failure["message"]
    released = open_release(Path(report["release"])).bundles()
    assert [bundle.id for bundle in released] == ["alex-veterinarian"]


def test_other_drafts_are_another_choice(told: list[Bundle], tmp_path: Path) -> None:
    """Another sampling seed draws anew; the open choice among the old drafts is stale."""
    server = OpenAIServer(answer=drafts(told))
    with running(server.app) as address:
        recipe = by_person(tmp_path, address)
        run(recipe, tmp_path, 75)
        document = yaml.safe_load(recipe.read_text(encoding="utf-8"))
        document["author"]["sampling_seed"] = 8
        run(written(tmp_path, document), tmp_path, 75)
    with open_workspace(tmp_path / "ws") as workspace:
        states = [one.state for one in workspace.queue.items("dialogue", ("open", "stale"))]
    assert sorted(states) == ["open", "stale"]


def test_more_drafts_than_keys_are_refused(tmp_path: Path) -> None:
    """Nine at most, and the message says what to lower."""
    refused = run(by_person(tmp_path, "http://127.0.0.1:9", samples=10), tmp_path, 2)
    assert "expected at most 9 drafts for a person to choose from, got 10" in refused["error"]
