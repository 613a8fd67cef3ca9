"""Errata of our own releases: reported, decided, held out of the next one, left out of scores."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.release_builder import content

from memassay.exports.publishing.refusals import refusals
from memassay.exports.release.check import check_release
from memassay.exports.release.public.tables import public_ids
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import write_release
from memassay.flows.edits.errata import add_erratum, decide_erratum
from memassay.flows.engine.streams.collection import RecordCollection
from memassay.flows.evaluation.evaluate import evaluate_release
from memassay.flows.stages.errata_stage import ErrataStage
from memassay.flows.stages.releasing.released_logs import ReleasedLogs
from memassay.flows.store.errata_file import concerned_items, errata_of, read_errata
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.erratum import ErratumFix, ErratumStatus, ReleasedErratum
from memassay.schemas.judgements.finding import Finding

Report = Callable[..., ReleasedErratum]
WRONG = "alex/Q0001"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where errata are kept; not there yet."""
    return tmp_path / "errata.jsonl"


@pytest.fixture
def report(release: Path, file: Path) -> Report:
    """A function that reports an item of the small release."""

    def add(item: str = WRONG, problem: str = "the cat has another name", **changes: Any) -> Any:
        return add_erratum(changes.get("release", release), item, problem, "ada", file)

    return add


@pytest.fixture
def confirmed(report: Report, file: Path) -> ReleasedErratum:
    """A confirmed erratum about `alex/Q0001`."""
    return decide_erratum(file, report().id, ErratumStatus.CONFIRMED, "grace", "seen")


def test_an_item_is_reported_under_either_id(report: Report, file: Path) -> None:
    """Its record's id, or the one under which systems are asked; errata are numbered."""
    bundle = next(one for one in content().bundles if one.id == "bo")
    found = [report(), report(public_ids(bundle)["bo/Q0001"])]
    assert [(one.id, one.item) for one in found] == [("E0001", WRONG), ("E0002", "bo/Q0001")]
    assert read_errata(file) == found


def test_the_same_erratum_is_refused(report: Report, file: Path) -> None:
    """Said twice of one version it is one; the message names the first."""
    report()
    with pytest.raises(UsageError, match="got what E0001 says already"):
        report(problem="  the cat\nhas another name ")
    assert len(read_errata(file)) == 1


def test_the_same_in_another_version_joins(report: Report, tmp_path: Path) -> None:
    """An item that is wrong in two versions is one erratum of both."""
    write_release(tmp_path / "later", content(version="1.1.0"))
    before = report()
    joined = report(release=tmp_path / "later")
    assert (joined.id, joined.versions) == (before.id, [*before.versions, "1.1.0"])


@pytest.mark.parametrize(
    ("item", "problem", "said"),
    [("alex/Q9", "wrong", "expected the id of one of its items"), (WRONG, " \n", "a reason")],
)
def test_what_says_nothing_is_refused(
    report: Report, file: Path, item: str, problem: str, said: str
) -> None:
    """No such item, or no reason: nothing is written."""
    with pytest.raises(UsageError, match=said):
        report(item, problem)
    assert not file.exists() or read_errata(file) == []


@pytest.mark.parametrize("text", ['{"id": "E0', "[]", '{"id": "E0001"}'])
def test_a_damaged_file_is_named_and_kept(report: Report, file: Path, text: str) -> None:
    """Half a line or another document: the message says where, the file stays as it is."""
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"errata\.jsonl:1: "):
        report()
    assert file.read_text(encoding="utf-8") == text


def test_only_an_erratum_that_is_there_is_decided(report: Report, file: Path) -> None:
    """Neither a file nor an erratum is made by deciding."""
    with pytest.raises(UsageError, match="expected a file of errata"):
        decide_erratum(file, "E0001", ErratumStatus.CONFIRMED, "grace", "")
    report()
    with pytest.raises(UsageError, match="such as E0001, got 'E0002'"):
        decide_erratum(file, "E0002", ErratumStatus.CONFIRMED, "grace", "")


def _stage(
    errata: list[ReleasedErratum], bundles: list[Any], release: str = "tiny"
) -> tuple[list[ReleasedErratum], list[Finding]]:
    found: list[Finding] = []
    context: Any = SimpleNamespace(emit=found.append)
    questions = [item for bundle in bundles for item in bundle.questions]
    return ErrataStage(errata, release).run(RecordCollection(questions), context), found


def test_an_item_that_is_as_it_was_is_held(confirmed: ReleasedErratum) -> None:
    """Of the confirmed errata of this data set, each whose item did not change is an error."""
    bundles = list(content().bundles)
    name = content().name
    said, found = _stage([confirmed], bundles, name)
    assert said == [confirmed]
    assert [(one.rule, one.target, str(one.severity)) for one in found] == [
        ("errata.stands", WRONG, "error")
    ]
    reported = confirmed.model_copy(update={"status": ErratumStatus.REPORTED})
    assert _stage([reported], bundles, name) == _stage([confirmed], bundles, "x") == ([], [])


def test_a_release_says_what_became_of_the_item(confirmed: ReleasedErratum) -> None:
    """Kept as it was, edited, or no longer there."""
    (bundle,) = [one for one in content().bundles if one.id == "alex"]
    first, *rest = bundle.questions
    answer = first.answer.model_copy(update={"values": ["Lina"]})
    edited = first.model_copy(update={"answer": answer})
    states = [bundle.questions, [edited, *rest], rest]
    wholes = [bundle.model_copy(update={"questions": questions}) for questions in states]
    logs = [ReleasedLogs(RecordCollection([*one.records(), confirmed])) for one in wholes]
    fixes = [str(one.fix) for own in logs for one in own.by_stem()["errata"]]
    assert fixes == ["kept", "changed", "withdrawn"]
    assert _stage([confirmed], [bundle.model_copy(update={"questions": states[1]})])[1] == []


def test_a_release_lists_its_errata(confirmed: ReleasedErratum, tmp_path: Path) -> None:
    """In `errata.jsonl` and on its card, which its check compares; others have no such file."""
    folder = tmp_path / "next"
    write_release(folder, content(version="2.0.0", errata=[confirmed]))
    assert list(open_release(folder).errata()) == [confirmed]
    row = f"| E0001 | {confirmed.asked_as} | {confirmed.versions[0]} | the cat has another name |"
    assert row in (folder / "README.md").read_text(encoding="utf-8")
    assert check_release(folder).findings == []
    write_release(tmp_path / "without", content())
    assert not (tmp_path / "without" / "errata.jsonl").exists()


def test_an_erratum_with_an_address_is_not_published(
    confirmed: ReleasedErratum, tmp_path: Path
) -> None:
    """Whoever reported it is named by a pseudonym."""
    named = confirmed.model_copy(update={"reporter": "ada@example.org"})
    write_release(tmp_path / "next", content(version="2.0.0", errata=[named]))
    places = [one.where for one in refusals(open_release(tmp_path / "next"))]
    assert "E0001.reporter" in places


@pytest.mark.parametrize("source", ["file", "release"])
def test_scores_leave_out_what_is_wrong(
    release: Path, confirmed: ReleasedErratum, file: Path, tmp_path: Path, source: str
) -> None:
    """Both scores are given, with what was left out; an answer to it is not unknown then."""
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(json.dumps({"id": WRONG, "answer": "Lina"}), encoding="utf-8")
    errata = file
    if source == "release":
        errata = tmp_path / "next"
        write_release(errata, content(version="2.0.0", errata=[confirmed]))
    found = evaluate_release(release, predictions=predictions, errata=errata)
    again = found["errata"]["scores"]
    assert found["errata"]["left_out"] == [
        {"erratum": "E0001", "item": WRONG, "problem": confirmed.problem}
    ]
    assert (found["questions"], found["answered"]) == (8, 1)
    assert (again["questions"], again["answered"], again["unknown"]) == (7, 0, [])
    retrieved = evaluate_release(release, memory="oracle", errata=errata)
    assert (retrieved["questions"], retrieved["errata"]["scores"]["questions"]) == (8, 7)


def test_other_data_sets_and_open_errata_leave_nothing_out(
    release: Path, report: Report, confirmed: ReleasedErratum, file: Path
) -> None:
    """An erratum counts if it is confirmed and of this data set, in any version with the item."""
    report("bo/Q0001")
    opened = open_release(release)
    assert list(concerned_items(opened, errata_of(file))) == [WRONG]
    elsewhere = confirmed.model_copy(update={"versions": ["9.9.9"]})
    assert list(concerned_items(opened, [elsewhere])) == [WRONG]
    assert concerned_items(opened, [confirmed.model_copy(update={"release": "other"})]) == {}
    kept = elsewhere.model_copy(update={"fix": ErratumFix.KEPT})
    assert concerned_items(opened, [kept]) == {}
    changed = elsewhere.model_copy(update={"item_sha256": "0" * 64})
    assert concerned_items(opened, [changed]) == {}
