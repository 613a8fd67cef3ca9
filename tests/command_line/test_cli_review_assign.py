"""`memassay review ask, score, answers`, and what people answer on the command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.release_builder import content

from memassay.cli import main
from memassay.exports.release.writer import write_release

OUTLINE = {
    "id": "alex/outline-1",
    "kind": "write",
    "title": "Outline of session 3",
    "instructions": "Five lines.",
}
CHOICE = {
    "id": "alex/choice-1",
    "kind": "choose",
    "title": "Which transition?",
    "instructions": "Keep one.",
    "candidates": [
        {"key": "a", "text": "Next day", "author": "ada"},
        {"key": "b", "text": "By the way", "author": "bob"},
    ],
}


def _call(folder: Path, *arguments: object) -> Result:
    given = ["review", *map(str, arguments), "--workspace", str(folder / "work")]
    return CliRunner().invoke(main, given)


def _json(folder: Path, *arguments: object) -> Any:
    result = _call(folder, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def _lines(path: Path, *documents: Any) -> Path:
    texts = (one if isinstance(one, str) else json.dumps(one) for one in documents)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def _accept(folder: Path, item: str, answer: str, reviewer: str = "ada") -> Any:
    return _json(folder, "decide", item, "accept", "--answer", answer, "--reviewer", reviewer)


def test_what_is_asked_is_answered_and_read_back(tmp_path: Path) -> None:
    """A line asked is an item; decided, it is a line of the answers, with votes and agreement."""
    file = _lines(tmp_path / "asked.jsonl", OUTLINE, "", CHOICE)
    asked = _json(tmp_path, "ask", file)
    assert (asked["asked"], asked["decided"]) == (2, 0)
    outline, choice = asked["items"]
    assert [one["gate"] for one in _json(tmp_path, "list", "--gate", "ask")] == ["ask", "ask"]
    _accept(tmp_path, outline, "One\nTwo")
    _accept(tmp_path, choice, "b")
    out = tmp_path / "answers.jsonl"
    assert "2 answers" in _call(tmp_path, "answers", "--out", out).stdout
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (first["assignment"], first["answer"], first["text"]) == (
        CHOICE["id"],
        "b",
        "By the way",
    )
    assert (second["answer"], second["votes"]) == ("One\nTwo", {"One\nTwo": 1})
    assert (second["agreement"], second["reviewers"]) == (None, "ada")
    assert _call(tmp_path, "answers").stdout == out.read_text(encoding="utf-8")
    assert _json(tmp_path, "ask", file)["decided"] == 2


def test_the_lines_of_the_page_are_assignments(tmp_path: Path, repository: Path) -> None:
    """What docs/review.md shows can be asked as it stands."""
    page = (repository / "docs" / "review.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert _json(tmp_path, "ask", _lines(tmp_path / "a.jsonl", block))["asked"] == 2


def test_a_changed_assignment_replaces_the_open_one(tmp_path: Path) -> None:
    """Its old item is nobody's any more; what else was asked stays."""
    first = _json(tmp_path, "ask", _lines(tmp_path / "a.jsonl", OUTLINE, CHOICE))["items"]
    changed = {**OUTLINE, "instructions": "Six lines."}
    (second,) = _json(tmp_path, "ask", _lines(tmp_path / "b.jsonl", changed))["items"]
    assert {one["item"] for one in _json(tmp_path, "list")} == {second, first[1]}


def test_show_hides_who_wrote_what(tmp_path: Path) -> None:
    """Drafts, instructions and values are printed; authors are not."""
    (item,) = _json(tmp_path, "ask", _lines(tmp_path / "a.jsonl", CHOICE))["items"]
    shown = _call(tmp_path, "show", item).stdout
    assert "[b] By the way" in shown
    assert "author" not in json.dumps(_json(tmp_path, "show", item)["assignment"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "a.jsonl:2: expected one JSON object"),
        ("[]", "a.jsonl:2: expected one JSON object, got list"),
        ({"id": "x", "kind": "write"}, 'a.jsonl:2: assignment x: "instructions" is a required'),
        ({**CHOICE, "kind": "vote"}, "a.jsonl:2: assignment alex/choice-1/kind"),
        (OUTLINE, "a.jsonl:2.id: expected an id of its own, got 'alex/outline-1' of line 1"),
        ({**CHOICE, "candidates": []}, "a.jsonl:2: alex/choice-1.candidates: expected 2 to 9"),
        ({**CHOICE, "scale": [{"value": "1", "meaning": "x"}]}, "scale: expected none to choose"),
        ({**CHOICE, "places": ["D1:1"]}, "conversation: expected one whose places are shown"),
        ({**CHOICE, "kind": "score"}, "candidates: expected the one text to score, got 2"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: Any, message: str) -> None:
    """Nothing is asked, no workspace is made, and the message says which line and why."""
    result = _call(tmp_path, "ask", _lines(tmp_path / "a.jsonl", OUTLINE, line))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "work").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("accept",), "answer: expected one of a, b, got ''"),
        (("accept", "--answer", "c"), "answer: expected one of a, b, got 'c'"),
        (("reject", "--reason", "other", "--answer", "a"), "expected no answer here, got 'a'"),
    ],
)
def test_an_answer_that_will_not_do_is_refused(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    """What can be answered is said; a rejection has no answer."""
    (item,) = _json(tmp_path, "ask", _lines(tmp_path / "a.jsonl", CHOICE))["items"]
    result = _call(tmp_path, "decide", item, *options)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


def _answers(folder: Path) -> Path:
    given = {"alex/Q0001": "Luna, the dog", "bo/Q0001": "", "bo/Q0003": "12 kg", "bo/Q9": "?"}
    lines = [{"id": name, "answer": answer} for name, answer in given.items()]
    return _lines(folder / "reader.jsonl", *lines)


def test_people_score_and_a_judge_is_held_beside_them(tmp_path: Path, release: Path) -> None:
    """By type: how many, the mean, and how far the judge agrees: percent, kappa, alpha, ranks."""
    judge = [{"id": "alex/Q0001", "score": 5}, {"id": "bo/Q0001", "score": 0}]
    judge.append({"id": "bo/Q0003", "score": 4})
    files = ("--predictions", _answers(tmp_path), "--judge", _lines(tmp_path / "j.jsonl", *judge))
    report = _json(tmp_path, "score", release, *files)
    assert report == {
        "reader": "reader",
        "scale": "mmrc",
        "asked": 3,
        "missing": 5,
        "unknown": ["bo/Q9"],
        "judged": 3,
    }
    for one, value in zip(_json(tmp_path, "list"), ("5", "0", "3"), strict=True):
        _accept(tmp_path, one["item"], value)
    (found,) = _json(tmp_path, "stats")["scores"]
    assert (found["reader"], found["release"].split()[0]) == ("reader", "tiny")
    rows = {row["group"]: (row["asked"], row["scored"], row["mean"]) for row in found["types"]}
    assert rows["all"] == (3, 3, pytest.approx(8 / 3))
    assert (rows["FR"], rows["AR"]) == ((2, 2, 2.5), (1, 1, 3.0))
    (judged,) = found["judges"]
    assert (judged["judge"], judged["units"]) == ("judge:j", 3)
    assert judged["percent"] == pytest.approx(2 / 3)
    assert judged["spearman"] == pytest.approx(1.0)
    assert judged["alpha"] > 0.9
    assert judged["bias"] == pytest.approx(1 / 3)
    assert [one["reviewer"] for one in _json(tmp_path, "stats")["reviewers"]] == ["ada"]
    assert "reader on tiny" in _call(tmp_path, "stats").stdout


def test_scored_again_nothing_is_asked_twice(tmp_path: Path, release: Path) -> None:
    """A judge may come later, and its last word holds; another answer is another item."""
    file = _answers(tmp_path)
    _json(tmp_path, "score", release, "--predictions", file, "--scale", "correct")
    before = _json(tmp_path, "list")
    for word in ("wrong", "correct"):
        judge = _lines(tmp_path / "j.jsonl", {"id": "alex/Q0001", "score": word})
        options = ("--predictions", file, "--scale", "correct", "--judge", judge)
        assert _json(tmp_path, "score", release, *options)["judged"] == 1
    assert _json(tmp_path, "list") == before
    (item,) = [one["item"] for one in before if one["record"].startswith("alex/Q0001-")]
    _accept(tmp_path, item, "correct")
    (found,) = _json(tmp_path, "stats")["scores"]
    (judged,) = found["judges"]
    assert (judged["percent"], judged["alpha"], found["types"][0]["mean"]) == (1.0, None, 1.0)


def test_what_cannot_be_scored_is_counted(tmp_path: Path, release: Path) -> None:
    """Rejected, it has no score and is in no mean."""
    _json(tmp_path, "score", release, "--predictions", _answers(tmp_path))
    item = _json(tmp_path, "list")[0]["item"]
    _json(tmp_path, "decide", item, "reject", "--reason", "ambiguous")
    (found,) = _json(tmp_path, "stats")["scores"]
    every = found["types"][0]
    assert (every["asked"], every["scored"], every["rejected"], every["mean"]) == (3, 0, 1, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "alex/Q0001"}, "j.jsonl:1: expected an object with `id` and `score`"),
        ({"id": "alex/Q0001", "score": 6}, "j.jsonl:1.score: expected 0 to 5, got 6"),
        ({"id": "alex/Q0001", "score": True}, "j.jsonl:1.score: expected 0 to 5, got True"),
        ({"id": "alex/Q0001", "score": [1]}, "j.jsonl:1.score: expected 0 to 5, got [1]"),
    ],
)
def test_a_bad_score_of_a_judge_is_named(
    tmp_path: Path, release: Path, line: Any, message: str
) -> None:
    """With its line; nothing is asked."""
    files = ("--predictions", _answers(tmp_path), "--judge", _lines(tmp_path / "j.jsonl", line))
    result = _call(tmp_path, "score", release, *files)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "work").exists()
