"""Review in Label Studio and Argilla: out, back, and out again the same."""

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.engine_builder import FlawsIn, SourceOf, finish

from memassay.annotation.exchange import argilla_records as exchange_argilla
from memassay.annotation.exchange import label_studio_tasks as exchange_label_studio
from memassay.flows.review.exchange import export_items, import_votes
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.judgements.finding import Severity

TOOLS = ("label-studio", "argilla")
FIRST, SECOND = "alex/Q0001", "alex/Q0002"


def _workspace(folder: Path) -> Workspace:
    workspace = Workspace(folder)
    flaws = {FIRST: Severity.ERROR, SECOND: Severity.ERROR}
    gate = GateSection(policy="sample", on_open="continue", votes=2)
    finish(workspace, [SourceOf({"alex": "red"}), FlawsIn(flaws)], {"check": gate})
    return workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace where two questions wait for two votes each."""
    opened = _workspace(tmp_path / "work")
    yield opened
    opened.close()


def _answered(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What Label Studio exports when ada has decided both tasks and somebody skipped the second.

    The first she accepted with another question, the second she rejected.
    """
    first, second = tasks

    def said(name: str, kind: str, value: list[str]) -> dict[str, Any]:
        key = "choices" if kind == "choices" else "text"
        return {"from_name": name, "to_name": "question", "type": kind, "value": {key: value}}

    asked = said("new_question", "textarea", ["Which colour does Luna have?"])
    kept = {**said("new_gold", "textarea", [first["data"]["gold"]]), "to_name": "gold"}
    yes = [said("ruling", "choices", ["accept"]), asked, kept]
    no = [said("ruling", "choices", ["reject"]), said("reason", "choices", ["ambiguous"])]
    by = {"id": 7, "completed_by": {"id": 3, "email": "ada"}, "lead_time": 12.5}
    answers = {
        FIRST: [{**by, "result": yes, "was_cancelled": False}],
        SECOND: [
            {**by, "result": no, "was_cancelled": False},
            {**by, "completed_by": 9, "result": [], "was_cancelled": True},
        ],
    }
    return [
        {"id": number, "data": task["data"], "annotations": answers[task["data"]["record"]]}
        for number, task in enumerate((first, second))
    ]


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def voted(workspace: Workspace, tmp_path: Path) -> Workspace:
    """The workspace with ada's votes, taken from Label Studio."""
    assert export_items(workspace, "label-studio", tmp_path / "asked") == 2
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps(_answered(_json(tmp_path / "asked" / "tasks.json"))), "utf-8")
    report = import_votes(workspace, "label-studio", answers)
    assert (report.applied, report.known, report.refused) == (2, 0, [])
    report = import_votes(workspace, "label-studio", answers)
    assert (report.applied, report.known, report.refused) == (0, 2, [])
    return workspace


def test_votes_of_label_studio_are_votes_of_ours(voted: Workspace) -> None:
    """With ruling, reason, edit and seconds; a skipped task is none."""
    from memassay.annotation.voting.desk import ReviewDesk

    desk = ReviewDesk(voted.engine)
    by_record = {item.record: desk.votes(item.id, "ada")[0] for item in voted.queue.items("check")}
    first, second = by_record[FIRST], by_record[SECOND]
    assert (first["ruling"], first["reason"], first["seconds"]) == (
        *("accept", "correct_after_edit"),
        12.5,
    )
    assert first["edits"][0]["patch"] == [
        {"op": "replace", "path": "/question/text", "value": "Which colour does Luna have?"}
    ]
    assert (second["ruling"], second["reason"], second["edits"]) == ("reject", "ambiguous", [])


@pytest.mark.parametrize("tool", TOOLS)
def test_out_back_and_out_again_is_the_same(voted: Workspace, tmp_path: Path, tool: str) -> None:
    """To the byte, by way of an empty workspace."""
    first, second = tmp_path / "first", tmp_path / "second"
    export_items(voted, tool, first, votes=True)
    other = _workspace(tmp_path / "other")
    path = first / "tasks.json" if tool == "label-studio" else first
    report = import_votes(other, tool, path)
    assert (report.applied, report.refused) == (2, [])
    export_items(other, tool, second, votes=True)
    other.close()
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(files) == (2 if tool == "label-studio" else 4)
    for file in files:
        assert (first / file).read_bytes() == (second / file).read_bytes(), file


@pytest.mark.parametrize("tool", TOOLS)
def test_what_waits_is_exported_blind(voted: Workspace, tmp_path: Path, tool: str) -> None:
    """Nobody's votes and no names."""
    export_items(voted, tool, tmp_path / "blind")
    texts = [path.read_text("utf-8") for path in (tmp_path / "blind").rglob("*.json")]
    assert texts
    assert not any('"ada"' in text for text in texts)


def test_a_vote_that_cannot_be_taken_is_told(workspace: Workspace, tmp_path: Path) -> None:
    """One that breaks a rule, one on an item that is not there; the others are taken."""
    export_items(workspace, "label-studio", tmp_path / "out")
    answers = _answered(_json(tmp_path / "out" / "tasks.json"))
    answers[0]["data"]["item"] = "R0"
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(answers), "utf-8")
    report = import_votes(workspace, "label-studio", path)
    assert report.applied == 1
    assert [message.partition(";")[0] for message in report.refused] == [
        "task 1 (id 0), ada: review item R0: not in the queue, which shows all there are"
    ]


@pytest.mark.parametrize(
    ("tool", "document", "message"),
    [
        ("label-studio", {}, "expected a JSON list of tasks"),
        ("label-studio", [{"data": {}}], "task 1: expected data with item, gate"),
        ("argilla", {}, "expected a JSON list of records"),
    ],
)
def test_what_is_no_export_is_refused(
    workspace: Workspace, tmp_path: Path, tool: str, document: Any, message: str
) -> None:
    """With what was expected."""
    path = tmp_path / "records.json"
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(SourceError, match=message):
        import_votes(workspace, tool, path if tool == "label-studio" else tmp_path)
    with pytest.raises(UsageError, match="expected one of label-studio, argilla"):
        import_votes(workspace, "potato", path)
    with pytest.raises(SourceError, match="expected a file of JSON, got no such file"):
        import_votes(workspace, tool, tmp_path / "nothing")


def test_the_configuration_names_what_tasks_hold(voted: Workspace, tmp_path: Path) -> None:
    """Every control is about a shown text, every text is in the data, every result has one."""
    export_items(voted, "label-studio", tmp_path / "out", votes=True)
    view = ElementTree.fromstring((tmp_path / "out" / "labelling.xml").read_text("utf-8"))
    texts = {node.get("name"): node.get("value", "")[1:] for node in view.iter("Text")}
    controls = {node.get("name"): node for node in view.iter() if node.get("toName")}
    assert {node.get("toName") for node in controls.values()} <= texts.keys()
    for task in _json(tmp_path / "out" / "tasks.json"):
        assert set(texts.values()) <= task["data"].keys()
        for result in task["annotations"][0]["result"]:
            assert controls[result["from_name"]].get("toName") == result["to_name"]


def test_label_studio_is_named_no_account(voted: Workspace, tmp_path: Path) -> None:
    """It refuses those it does not know; whose a vote is stands beside the ruling."""
    export_items(voted, "label-studio", tmp_path / "out", votes=True)
    told = [one for task in _json(tmp_path / "out" / "tasks.json") for one in task["annotations"]]
    assert told
    assert all("completed_by" not in one for one in told)
    for one in told:
        one["completed_by"] = 1  # as it exports what it was given
    tasks = [{"data": {"item": "R1", **dict.fromkeys(("gate", "record", "type"), "")}}]
    tasks[0]["data"] |= {"reason": "", "severity": ""}
    found = exchange_label_studio.votes([{**tasks[0], "annotations": told}])
    assert {one.reviewer for one in found.votes} == {"ada"}


def test_argilla_is_given_no_name_twice(voted: Workspace, tmp_path: Path) -> None:
    """It takes a data set only if fields, questions and metadata have names of their own."""
    export_items(voted, "argilla", tmp_path / "out")
    settings = _json(tmp_path / "out" / exchange_argilla.SETTINGS)
    names = [one["name"] for kind in ("fields", "questions", "metadata") for one in settings[kind]]
    assert len(set(names)) == len(names)
    (first, *_) = _json(tmp_path / "out" / exchange_argilla.RECORDS)
    assert set(first["metadata"]) <= set(names)


def test_label_studio_takes_it(voted: Workspace, tmp_path: Path) -> None:
    """Its own package validates the configuration, the tasks and the annotations."""
    interface = pytest.importorskip(
        "label_studio_sdk.label_interface", reason="label-studio-sdk is not installed"
    ).LabelInterface(exchange_label_studio.labelling_configuration())
    interface.validate()
    export_items(voted, "label-studio", tmp_path / "out", votes=True)
    for task in _json(tmp_path / "out" / "tasks.json"):
        # The package cannot check a task's annotations together with the task.
        assert interface.validate_task({"data": task["data"]})
        for annotation in task["annotations"]:
            assert interface.validate_annotation(annotation)


def test_argilla_takes_it(voted: Workspace, tmp_path: Path) -> None:
    """Its own models accept the settings, the data set and the records."""
    records = pytest.importorskip("argilla.records", reason="argilla is not installed")
    from argilla._models import (
        DatasetModel,
        FieldModel,
        MetadataFieldModel,
        QuestionModel,
    )

    export_items(voted, "argilla", tmp_path / "out", votes=True)
    settings = _json(tmp_path / "out" / exchange_argilla.SETTINGS)
    models = {"fields": FieldModel, "questions": QuestionModel, "metadata": MetadataFieldModel}
    for name, model in models.items():
        assert [model(**one).name for one in settings[name]]
    DatasetModel(**_json(tmp_path / "out" / exchange_argilla.DATASET))
    for document in _json(tmp_path / "out" / exchange_argilla.RECORDS):
        record = records.Record.from_dict(document)
        again = record.to_dict()
        for name in ("id", "fields", "metadata", "vectors"):
            assert again[name] == document[name]
        for name, answers in document["responses"].items():
            got = again["responses"][name]
            assert [one["value"] for one in got] == [one["value"] for one in answers]
