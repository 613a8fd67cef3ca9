"""A recipe whose author is a language model, from its first call to its release."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.model_runs import RECIPE, cost, model, run, written
from support.model_servers.asked import Asked
from support.model_servers.faults import Faults
from support.model_servers.gemini_server import GeminiServer
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor, task_of

from memassay.cli import main
from memassay.exports import open_release
from memassay.schemas.records.bundle import Bundle

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")
    monkeypatch.setenv("GEMINI_API_KEY", "gm")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """What the simulator tells of the recipe, for the servers to hand out."""
    folder = tmp_path_factory.mktemp("told")
    both = {**RECIPE, "personas": ["wei-courier", "alex-veterinarian"]}
    ended = run(written(folder, both), folder)
    return list(open_release(Path(ended["release"])).bundles())


@dataclass(frozen=True)
class Finished:
    """A workspace in which the recipe was estimated and then run, by the server of a model.

    Attributes:
        folder: The folder of recipe and workspace.
        guessed: The estimate before the run.
        early: Requests before the run.
        report: What the run reported.
        log: Every request.
    """

    folder: Path
    guessed: dict[str, Any]
    early: int
    report: dict[str, Any]
    log: list[Any]


@pytest.fixture(scope="module")
def finished(told: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """The recipe estimated and run, once for all tests that look at what came of it."""
    folder = tmp_path_factory.mktemp("finished")
    server = OpenAIServer(answer=SimulatedAuthor(told))
    with pytest.MonkeyPatch.context() as patch, running(server.app) as address:
        patch.setenv("OPENAI_API_KEY", "sk")
        author = model("openai", address)
        recipe = written(folder, {**RECIPE, "author": author, "prices": "prices.yaml"})
        guessed = run(recipe, folder, "--estimate")
        early = len(server.log)
        report = run(recipe, folder)
    return Finished(folder, guessed, early, report, server.log)


def check_demo(report: dict[str, Any], log: list[Any]) -> None:
    """The items of a run are supported, its images were shown, and it is valid."""
    assert report["verdicts"] == {"supported": 8}
    assert any("image" in json.dumps(body) for body in log)
    checked = CliRunner().invoke(main, ["validate", report["release"]])
    assert checked.exit_code == 0, checked.output


def test_a_demo_runs_through_openais_client_and_validates(finished: Finished) -> None:
    """The dialogue is written by calls, its facts are found in it, and the release is clean."""
    check_demo(finished.report, finished.log)


def test_a_demo_runs_through_geminis_client_and_validates(
    told: list[Bundle], tmp_path: Path
) -> None:
    """The dialogue is written by calls, its facts are found in it, and the release is clean."""
    server = GeminiServer(answer=SimulatedAuthor(told))
    with running(server.app) as address:
        recipe = written(tmp_path, {**RECIPE, "author": model("gemini", address)})
        check_demo(run(recipe, tmp_path), server.log)


def test_what_a_model_wrote_says_so(finished: Finished) -> None:
    """The provenance of the dialogue names the model, the prompts and the requests."""
    path = Path(finished.report["release"]) / "provenance.jsonl"
    made = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    (dialogue,) = [one for one in made if one["stage"] == "dialogue"]
    assert dialogue["author"] == "openai:m"
    assert len(dialogue["request_keys"]) == len(finished.log)
    assert dialogue["prompt_sha256"]


def test_a_finished_run_sends_nothing(finished: Finished) -> None:
    """Run again, it makes no call: its server is gone, and nobody asks for it."""
    again = run(finished.folder / "recipe.yaml", finished.folder)
    kept = [{**stage, "made": 0} for stage in finished.report["stages"]]
    assert again == {**finished.report, "stages": kept}


def test_a_missing_fact_is_asked_for_again(told: list[Bundle], tmp_path: Path) -> None:
    """A turn that leaves out what it must say goes back, and the mended one is kept."""
    honest = SimulatedAuthor(told)

    @dataclass
    class Forgetful:
        mended: list[str] = field(default_factory=list)

        def __call__(self, asked: Asked) -> Any:
            if "mend one message" in asked.system:
                self.mended.append(asked.text)
                return {"text": f"As I noted: {' '.join(asked.data())}"}
            reply = honest(asked)
            vague = "must" in asked.text and "You are Wei" in asked.system
            return {"text": "Some of it, I forget what."} if vague else reply

    answer = Forgetful()
    server = OpenAIServer(answer=answer)
    with running(server.app) as address:
        recipe = written(tmp_path, {**RECIPE, "author": model("openai", address)})
        run(recipe, tmp_path)
    assert answer.mended == [] or all("must state" in text.lower() for text in answer.mended)


def test_a_history_that_fails_fails_alone(told: list[Bundle], tmp_path: Path) -> None:
    """One poisoned history is one failure with its reason and exit 1; the other is released.

    Tried again when the model has recovered, the run is whole and nothing is paid twice.
    """
    server = OpenAIServer(Faults(always={"You are Wei": "500"}), answer=SimulatedAuthor(told))
    both = {**RECIPE, "personas": ["wei-courier", "alex-veterinarian"]}
    with running(server.app) as address:
        recipe = written(tmp_path, {**both, "author": model("openai", address)})
        report = run(recipe, tmp_path, code=1)
        (failure,) = [one for one in report["findings"] if one["rule"] == "author.failed"]
        assert failure["target"] == "wei-courier"
        assert "unreachable" in failure["message"]
        released = open_release(Path(report["release"])).bundles()
        assert [bundle.id for bundle in released] == ["alex-veterinarian"]
        server.faults.always.clear()
        written_for_alex = sum("You are Alex" in json.dumps(body) for body in server.log)
        whole = run(recipe, tmp_path, "--retry-failed")
        assert whole["verdicts"] == {"supported": 16}
    again = sum("You are Alex" in json.dumps(body) for body in server.log)
    assert again == written_for_alex


def test_words_that_were_mended_are_released_with_a_finding(
    told: list[Bundle], tmp_path: Path
) -> None:
    """Replies that always break off are asked for three times; what is used of them is named."""
    honest = SimulatedAuthor(told)

    def broken_off(asked: Asked) -> Any:
        reply = honest(asked)
        own = isinstance(reply, dict) and set(reply) == {"text"} and "You are Wei" in asked.system
        return json.dumps(reply)[:-2] if own else reply

    server = OpenAIServer(answer=broken_off)
    with running(server.app) as address:
        recipe = written(tmp_path, {**RECIPE, "author": model("openai", address)})
        report = run(recipe, tmp_path)
    found = [one for one in report["findings"] if one["rule"] == "author.repaired"]
    assert found
    assert {one["target"] for one in found} == {"wei-courier"}
    lines = (Path(report["release"]) / "findings.jsonl").read_text(encoding="utf-8")
    assert lines.count("author.repaired") == len(found)
    asked = [json.dumps(body) for body in server.log if "You are Wei" in json.dumps(body)]
    assert len(asked) == 3 * len(found)


def test_a_budget_stops_the_run_and_a_higher_one_resumes_it(
    told: list[Bundle], tmp_path: Path
) -> None:
    """At the cap the run ends with 75; with a higher one it pays only for the rest."""
    server = OpenAIServer(answer=SimulatedAuthor(told))
    with running(server.app) as address:
        author = model("openai", address, max_output_tokens=256)
        priced = {**RECIPE, "author": author, "prices": "prices.yaml"}
        recipe = written(tmp_path, {**priced, "budget": 0.25})
        stopped = run(recipe, tmp_path, code=75)
        assert "Raise `budget:`" in json.dumps(stopped)
        spent = float(cost(tmp_path)["dollars"])
        assert 0.05 < spent <= 0.25
        run(written(tmp_path, {**priced, "budget": 50}), tmp_path)
    bill = cost(tmp_path)
    assert sum(row["calls"] for row in bill["rows"]) == len(server.log)
    assert float(bill["dollars"]) > spent


def test_an_estimate_is_close_to_the_bill(finished: Finished) -> None:
    """Before any call, the estimate gives the calls exactly and the tokens within a fifth."""
    guessed, bill = finished.guessed, cost(finished.folder)
    assert finished.early == 0
    assert sum(row["calls"] for row in guessed["rows"]) == len(finished.log)
    for kind in ("input", "output", "images"):
        billed = sum(row[kind] for row in bill["rows"])
        estimated = sum(row[kind] for row in guessed["rows"])
        assert abs(estimated - billed) <= 0.2 * billed, kind
    assert float(guessed["least"]) < float(bill["dollars"]) < float(guessed["most"])


def test_a_budget_needs_prices(tmp_path: Path) -> None:
    """A model without a price cannot be held to a budget; the message says what to do."""
    author = model("openai", "http://127.0.0.1:9")
    recipe = written(tmp_path, {**RECIPE, "author": author, "budget": 1})
    refused = run(recipe, tmp_path, code=2)
    assert "expected a price for m" in json.dumps(refused)


def test_questions_are_worded_by_the_model_where_the_recipe_says(
    told: list[Bundle], tmp_path: Path
) -> None:
    """Its words are released over the queries of the bank; the estimate counted its calls."""
    honest = SimulatedAuthor(told)

    def answer(asked: Asked) -> Any:
        if task_of(asked) != "question_wording":
            return honest(asked)
        items = next(json.loads(one) for one in asked.data() if one.startswith("[{"))
        return {"items": [{"number": int(one["number"]), "drafts": _drafts(one)} for one in items]}

    server = OpenAIServer(answer=answer)
    with running(server.app) as address:
        author = {"author": model("openai", address), "prices": "prices.yaml"}
        recipe = written(tmp_path, {**RECIPE, **author, "question_wording": {"drafts": 2}})
        guessed = run(recipe, tmp_path, "--estimate")
        report = run(recipe, tmp_path)
    assert set(report["verdicts"]) == {"supported"}
    (bundle,) = open_release(Path(report["release"])).bundles()
    texts = [item.question.text for item in bundle.questions]
    assert all(text.endswith(" ?") for text in texts if text.endswith("?"))
    assert any(text.endswith(" ?") for text in texts)
    calls = {row["role"]: row["calls"] for row in guessed["rows"]}
    asked = [body for body in server.log if "You word questions" in json.dumps(body)]
    assert calls["questioner"] == len(asked) == 3


def _drafts(item: dict[str, Any]) -> list[str]:
    """A draft that asks of a second matter, and one that says what the plain wording does."""
    return [f"{item['question']} And why?", item["question"].replace("?", " ?")]
