"""Questions that people write, answered by a model before they are kept."""

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.engine_builder import SilentProgress
from support.fixtures import item
from support.model_servers.asked import Asked
from support.model_servers.openai_server import OpenAIServer
from support.model_servers.running import running
from support.places import SAMPLES

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.shapes import Vote
from memassay.exports import open_release
from memassay.flows.calls.answerer import answer_score, open_answerer, read_answerer
from memassay.flows.edits.record_edits import ReviewEdits
from memassay.flows.edits.written_questions import WrittenQuestions
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.records.question import AnswerFormat, QAItem

CURATED: dict[str, Any] = {
    "path": "curate",
    "sources": [{"format": "mem-gallery", "path": "samples/mem-gallery", "licence": "CC-BY-4.0"}],
    "gates": {"validate": {"policy": "sample", "rate": 0.9, "on_open": "continue"}},
    "release": {"name": "tiny", "formats": ["parquet"]},
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")


def _run(folder: Path) -> Path:
    report = run_recipe(folder / "tiny.yaml", folder / "work", SilentProgress(), runner="plain")
    return Path(str(report.release))


def _named(folder: Path, address: str, **more: Any) -> Path:
    path = folder / "answerer.yaml"
    section = {"provider": "openai", "model": "m", "base_url": f"{address}/v1", **more}
    path.write_text(yaml.safe_dump(section), encoding="utf-8")
    return path


def _knows(gold: str) -> Any:
    """A model that finds an answer in the evidence alone."""

    def answer(asked: Asked) -> Any:
        seen = '"round":"D1:1"' in asked.text.replace('": "', '":"')
        return {"answer": gold if seen else "Not mentioned.", "sure": seen}

    return answer


def _question(workspace: Workspace) -> tuple[str, dict[str, Any]]:
    """An item of the queue, and a question of a person's about its conversation."""
    item = workspace.queue.items()[0]
    records = ReviewEdits(workspace).records(item.id)
    shown = next(one for one in records if isinstance(one, QAItem) and one.answerable)
    document = shown.model_dump(mode="json", exclude={"id", "origin", "query"})
    document["question"] = {"text": "Which word opened the first talk of all?", "attachments": []}
    document["answer"] |= {"format": "free", "values": ["Kestrel"], "options": []}
    document["evidence"] = {"groups": [["D1:1"]], "canonical": ["D1:1"], "facts": []}
    return item.id, document | {"modalities": ["text"], "format_prompt": None}


def _accepted(workspace: Workspace, record: str) -> None:
    """Somebody else lets a question pass."""
    (waiting,) = [one.id for one in workspace.queue.items() if one.record == record]
    desk = ReviewDesk(workspace.engine)
    desk.open_item(waiting, "bob")
    desk.submit(waiting, "bob", "t", Vote(Ruling.ACCEPT, ReasonCode.CORRECT))


@pytest.mark.slow
def test_probes_stay_with_a_question_up_to_the_release(tmp_path: Path) -> None:
    """A model answers under every condition; the certificate that is released says what."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(CURATED), encoding="utf-8")
    _run(tmp_path)
    server = OpenAIServer(answer=_knows("Kestrel"))
    workspace = Workspace(tmp_path / "work")
    with running(server.app) as address:
        path = _named(tmp_path, address)
        with open_answerer(path, workspace) as answerer:
            writing = WrittenQuestions(ReviewEdits(workspace), answerer)
            name, document = _question(workspace)
            probed = writing.probe(name, document, None)
            again = writing.probe(name, document, None)
            target = writing.write(name, document, "ada", "", None, probed)
    _run(tmp_path)
    _accepted(workspace, target)
    workspace.close()
    assert probed is not None
    assert again == probed
    assert probed.doubts == []
    assert len(server.log) == len(probed.probes) == 4
    certificates = {one.item: one for one in open_release(_run(tmp_path)).certificates()}
    assert certificates[target].probes == probed.probes
    assert {one.name: one.score for one in probed.probes}["evidence-only"] == 1.0
    assert all(not one.probes for name, one in certificates.items() if name != target)


def test_a_model_that_cannot_be_reached_is_told_of(tmp_path: Path) -> None:
    """The question can be kept without probes; nothing is made up."""
    shutil.copytree(SAMPLES, tmp_path / "samples")
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(CURATED), encoding="utf-8")
    _run(tmp_path)
    workspace = Workspace(tmp_path / "work")
    path = _named(tmp_path, "http://127.0.0.1:9", retry_wait=0.01, patience=0.1)
    with open_answerer(path, workspace) as answerer:
        writing = WrittenQuestions(ReviewEdits(workspace), answerer)
        name, document = _question(workspace)
        probed = writing.probe(name, document, None)
        assert probed is not None
        assert "endpoint" in probed.problem
        assert probed.probes == ()
        assert writing.write(name, document, "ada", "", None, probed)
    workspace.close()


def test_who_answers_is_named_by_a_file(tmp_path: Path) -> None:
    """As the author of a recipe is; what it cannot mean is refused in a line."""
    path = tmp_path / "answerer.yaml"
    path.write_text("provider: openai\nmodle: m\n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected `provider` and `model`"):
        read_answerer(path)
    with pytest.raises(UsageError, match="expected a YAML file"):
        read_answerer(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("question", "said", "score"),
    [
        (item(), "Bees.", 1.0),
        (item(), "Not mentioned.", 0.0),
        (item(values=["Not mentioned."], answerable=False), "Not mentioned.", 1.0),
        (item(format=AnswerFormat.CHOICE, values=["B"]), "(B) bees", 1.0),
        (item(format=AnswerFormat.IMAGE_ID, values=["D1:IMG_001"]), "D1:IMG_001", 1.0),
    ],
)
def test_answers_are_scored_by_their_form(question: QAItem, said: str, score: float) -> None:
    """Letters, ids and refusals exactly; all else by its words."""
    assert answer_score(question, said) == score
