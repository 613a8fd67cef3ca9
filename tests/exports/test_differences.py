"""What differs between two releases: each thing once, under what it is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.release_builder import MemoryBlobs, bundle, content

from memassay.cli import main
from memassay.exports.differences.compare import ReleaseDiff, compare
from memassay.exports.differences.page import page
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import write_release
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import Evidence

Given = Callable[[Bundle], Bundle]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one conversation."""
    return _written(tmp_path_factory.mktemp("first"), lambda one: one)


def _written(folder: Path, change: Given, *more: str) -> Path:
    blobs = MemoryBlobs()
    bundles = [change(bundle("alex", "Luna", "red", blobs))]
    bundles += [bundle(name, "Rex", "blue", blobs) for name in more]
    path = folder / "release"
    write_release(path, content(bundles=bundles, blobs=blobs, certificates=[]))
    return path


def _diff(first: Path, second: Path) -> ReleaseDiff:
    return compare(open_release(first), open_release(second))


def _shown(diff: ReleaseDiff) -> list[tuple[str, str, str]]:
    return [(str(one.aspect), one.change, one.id) for one in diff.differences]


def _item(at: int, **changes: Any) -> Given:
    def change(one: Bundle) -> Bundle:
        questions = list(one.questions)
        questions[at] = questions[at].model_copy(update=changes)
        return one.model_copy(update={"questions": questions})

    return change


def test_a_release_and_itself_do_not_differ(first: Path) -> None:
    """Nothing is listed."""
    assert _diff(first, first).differences == []


def test_moved_evidence_is_no_change_of_gold(first: Path, tmp_path: Path) -> None:
    """Each part of an item stands for itself, with what it was and is."""
    second = _written(tmp_path, _item(0, evidence=Evidence.of(["D1:2"])))
    diff = _diff(first, second)
    (found,) = diff.differences
    assert (str(found.aspect), found.change) == ("evidence", "changed")
    assert found.after == "D1:2" != found.before


def test_another_gold_and_another_question(first: Path, tmp_path: Path) -> None:
    """They are two differences of one item."""
    (old,) = [next(iter(open_release(first).questions()))]
    answer = old.answer.model_copy(update={"values": ["Nobody"]})
    question = old.question.model_copy(update={"text": "Who, then?"})
    second = _written(tmp_path, _item(0, answer=answer, question=question))
    assert _shown(_diff(first, second)) == [
        ("question", "changed", old.id),
        ("gold", "changed", old.id),
    ]


def test_a_turn_with_other_words_is_named_by_its_place(first: Path, tmp_path: Path) -> None:
    """Its round and its session stay as they were."""

    def change(one: Bundle) -> Bundle:
        document = one.model_dump(mode="json")
        document["conversation"]["sessions"][0]["rounds"][0]["turns"][0]["text"] = "Well."
        return Bundle.model_validate(document)

    shown = _shown(_diff(first, _written(tmp_path, change)))
    assert shown == [("turn", "changed", "alex/D1:1.1")]


def test_a_conversation_comes_with_its_history_and_each_item(first: Path, tmp_path: Path) -> None:
    """Rounds, images and facts of it are not listed one by one."""
    second = _written(tmp_path, lambda one: one, "wei")
    diff = _diff(first, second)
    items = [one.id for one in open_release(second).questions() if one.conversation == "wei"]
    own = [one for one in _shown(diff) if one[0] != "recipe"]
    assert own == [
        ("conversation", "added", "wei"),
        *(("item", "added", name) for name in items),
    ]
    assert _shown(_diff(second, first))[0] == ("conversation", "removed", "wei")


def test_the_page_shows_words_as_words(first: Path, tmp_path: Path) -> None:
    """What is like a tag is shown, not obeyed."""
    (old,) = [next(iter(open_release(first).questions()))]
    asked = old.question.model_copy(update={"text": "<script>alert(1)</script>"})
    shown = page(_diff(first, _written(tmp_path, _item(0, question=asked))))
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_the_command_says_what_differs_and_what_is_due(first: Path, tmp_path: Path) -> None:
    """As JSON, as text, and as a page; wrong arguments end with 2."""
    second, target = _written(tmp_path, lambda one: one, "wei"), tmp_path / "diff.html"
    said = CliRunner().invoke(main, ["diff", str(first), str(second), "--json"])
    assert said.exit_code == 0
    assert json.loads(said.output)["due"] == "minor"
    said = CliRunner().invoke(main, ["diff", str(first), str(second), "--html", str(target)])
    assert said.exit_code == 0
    assert "conversation added:" in said.output
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    nowhere = ["diff", str(first), str(tmp_path / "none")]
    assert CliRunner().invoke(main, nowhere).exit_code != 0
