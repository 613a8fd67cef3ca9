"""The section `cluster` with a language model as author: keywords by two authors, in a recipe."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.life_replies import LifeWriter
from support.model_runs import cost, model, run, written
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.model_servers.simulated import SimulatedAuthor

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.shapes import Vote
from memassay.cli import main
from memassay.exports import open_release
from memassay.flows.review.assignments import assignment_of
from memassay.flows.review.clusters import WorkspaceClusters
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.records.alteration import AlterationKind

pytestmark = pytest.mark.slow

TALKS = "talks"


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


def recipe_of(folder: Path, repository: Path, address: str, **more: Any) -> Path:
    """A recipe that groups the five dialogues of the sample data."""
    samples = repository / "recipes" / "samples"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / TALKS).exists():
        shutil.copytree(samples / "mem-gallery", folder / TALKS)
    document = {
        "path": "mem-gallery",
        "from": "clusters",
        "sources": [
            {"format": "mem-gallery", "path": TALKS, "licence": "CC-BY-4.0"},
        ],
        "author": model("openai", address),
        "prices": "prices.yaml",
        "cluster": {"least_sessions": 2, "extensions": 1},
        "release": {"name": "lives", "licence": "CC-BY-4.0"},
        **more,
    }
    return written(folder, document)


def beside(address: str, **more: Any) -> dict[str, Any]:
    """Two authors of keywords, side by side."""
    other = {**model("openai", address), "model": "n"}
    return {"roles": ["extractor"], "samples": 1, "models": [other], **more}


def test_keywords_by_two_authors_stand_in_the_clusters(tmp_path: Path, repository: Path) -> None:
    """Both are asked once for each dialogue, a judge keeps one; nothing is paid for again."""
    author = LifeWriter()
    with running(OpenAIServer(answer=author).app) as address:
        best_of = beside(address)
        recipe = recipe_of(tmp_path, repository, address, best_of=best_of)
        report = run(recipe, tmp_path)
        clusters = list(open_release(Path(report["release"])).clusters())
        dialogues = sum(len(one.members) for one in clusters)
        paid = len(author.asked)
        run(recipe, tmp_path)
        # Another clustering of the same dialogues: every reply is known.
        sizes = {"least_sessions": 2, "most_sessions": 9, "extensions": 1}
        run(recipe_of(tmp_path, repository, address, best_of=best_of, cluster=sizes), tmp_path)
    assert len(author.asked) == paid
    assert author.models("dialogue_keywords") == ["m"] * dialogues + ["n"] * dialogues
    assert author.models("best_of_judge") == ["m"] * dialogues
    for cluster in clusters:
        named = [one.word for one in cluster.keywords if one.word.startswith("n ")]
        assert named == [one.word for one in cluster.keywords][: len(named)]
        assert named
    checked = CliRunner().invoke(main, ["validate", report["release"]])
    assert checked.exit_code == 0, checked.output


def test_a_dialogue_without_keywords_goes_on(tmp_path: Path, repository: Path) -> None:
    """A reply that fails is a finding; weighted terms are used, and a retry asks for it alone."""
    author = LifeWriter(failing="dinghy")
    with running(OpenAIServer(answer=author).app) as address:
        recipe = recipe_of(tmp_path, repository, address)
        report = run(recipe, tmp_path)
        failed = [one for one in report["findings"] if one["rule"] == "cluster.keywords"]
        author.failing, author.asked = "", []
        again = run(recipe, tmp_path, "--retry-failed")
    assert failed
    assert all("expected keywords, got none" in one["message"] for one in failed)
    assert len(author.models("dialogue_keywords")) == len(failed)
    assert not [one for one in again["findings"] if one["rule"] == "cluster.keywords"]


def test_what_a_model_reads_leaves_a_dialogue_out(tmp_path: Path, repository: Path) -> None:
    """One prompt for each dialogue and one for their life; both places are quoted."""
    author = LifeWriter(contradict=('["I finally did it', '["Yesterday the hull'))
    with running(OpenAIServer(answer=author).app) as address:
        report = run(recipe_of(tmp_path, repository, address), tmp_path)
    release = open_release(Path(report["release"]))
    (left,) = (one for one in release.alterations() if one.kind is AlterationKind.LEFT_OUT)
    assert left.place == "Wooden_Dinghy_Restoration/D4"
    assert left.reason == (
        "It cannot be both: Wooden_Dinghy_Restoration/D4:1.1 says 'Yesterday the hull got her "
        "second and last coat of enamel.', but Wooden_Dinghy_Restoration/D1:1.1 'I finally did it.'"
    )
    assert len(author.models("life_statements")) == 5
    assert len(author.models("life_contradictions")) == 1


def test_a_reader_looks_for_contradictions_where_the_simulator_writes(
    tmp_path: Path, repository: Path
) -> None:
    """`reader:` asks for statements and pairs alone; the card and the page name the model."""
    reader = LifeWriter(contradict=('["I finally did it', '["Yesterday the hull'))
    with running(OpenAIServer(answer=reader).app) as address:
        more = {"author": "simulator", "reader": model("openai", address)}
        recipe = recipe_of(tmp_path, repository, address, **more)
        guessed = run(recipe, tmp_path, "--estimate")
        report = run(recipe, tmp_path)
    release = open_release(Path(report["release"]))
    left = [one.place for one in release.alterations() if one.kind is AlterationKind.LEFT_OUT]
    assert left == ["Wooden_Dinghy_Restoration/D4"]
    assert {task for task, _ in reader.asked} == {"life_statements", "life_contradictions"}
    assert sum(row["calls"] for row in guessed["rows"]) == len(reader.asked)
    card = (Path(report["release"]) / "README.md").read_text("utf-8")
    assert "looked for by the language model m;" in card
    with open_workspace(tmp_path / "ws") as workspace:
        clusters = WorkspaceClusters(workspace)
        assert clusters.overview(clusters.only_run()).read_by == "m"


def test_a_reader_beside_a_model_as_author_is_refused(tmp_path: Path, repository: Path) -> None:
    """The author's roles say who reads."""
    author = model("openai", "http://127.0.0.1:9")
    recipe = recipe_of(tmp_path, repository, "http://127.0.0.1:9", author=author, reader=author)
    assert "reader: expected none beside a model" in run(recipe, tmp_path, code=2)["error"]


def test_people_choose_between_keywords(tmp_path: Path, repository: Path) -> None:
    """With `by: person` the run waits, a choice shows both lists, and the run goes on with it."""
    author = LifeWriter()
    with running(OpenAIServer(answer=author).app) as address:
        recipe = recipe_of(tmp_path, repository, address, best_of=beside(address, by="person"))
        stopped = run(recipe, tmp_path, code=75)
        assert {task for task, _ in author.asked} == {"dialogue_keywords"}
        with open_workspace(tmp_path / "ws") as workspace:
            desk = ReviewDesk(workspace.queue.engine)
            for item in workspace.queue.items():
                choice = assignment_of(workspace, item)
                (key,) = (one.key for one in choice.candidates if "n " in one.text)
                desk.open_item(item.id, "ada")
                vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT, answer=key)
                desk.submit(item.id, "ada", item.id, vote)
        report = run(recipe, tmp_path)
    assert stopped["error"].startswith("stage cluster: people have yet to choose among drafts")
    (cluster,) = open_release(Path(report["release"])).clusters()
    assert any(one.word.startswith("n ") for one in cluster.keywords)


def test_an_estimate_is_close_to_the_bill(tmp_path: Path, repository: Path) -> None:
    """Keywords, bridges, new sessions, profile and revisions are counted before any call."""
    author = LifeWriter()
    with running(OpenAIServer(answer=author).app) as address:
        recipe = recipe_of(tmp_path, repository, address)
        guessed = run(recipe, tmp_path, "--estimate")
        assert author.asked == []
        run(recipe, tmp_path)
    assert_close(guessed, cost(tmp_path))
    assert {row["role"] for row in guessed["rows"]} == {"auditor", "extractor", "user"}


def test_an_estimate_counts_the_dialogues_too(tmp_path: Path) -> None:
    """What a recipe inside costs is added; lives form of dialogues as the simulator tells them."""
    inner = {
        "path": "m3exam",
        "personas": ["alex-veterinarian", "wei-courier"],
        "sizes": {"sessions": 4, "rounds": 5, "images": 2, "images_a_round": 1, "documents": 0},
        "questions": {"ss": 3},
    }
    offline = {**inner, "seed": 7, "release": {"name": "told", "licence": "CC-BY-4.0"}}
    report = run(written(tmp_path / "told", offline), tmp_path / "told")
    told = open_release(Path(report["release"]))
    author = LifeWriter(others=SimulatedAuthor(list(told.bundles())))
    with running(OpenAIServer(answer=author).app) as address:
        document = {
            "path": "mem-gallery",
            "from": "clusters",
            "seed": 7,
            "dialogues": inner,
            "author": model("openai", address),
            "prices": "prices.yaml",
            "release": {"name": "lives", "licence": "CC-BY-4.0"},
        }
        recipe = written(tmp_path, document)
        guessed = run(recipe, tmp_path, "--estimate")
        assert author.asked == []
        run(recipe, tmp_path)
    assert_close(guessed, cost(tmp_path))


def assert_close(guessed: dict[str, Any], bill: dict[str, Any]) -> None:
    """Calls, tokens read and images are within a third, and the bill is in the range."""
    for kind in ("calls", "input", "images"):
        billed = sum(row[kind] for row in bill["rows"])
        estimated = sum(row[kind] for row in guessed["rows"])
        assert abs(estimated - billed) <= 0.35 * billed, kind
    assert float(guessed["least"]) < float(bill["dollars"]) < float(guessed["most"])
