"""Questions with options in layouts that have none: scored by upstream, and whole again."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import bundle_of, import_all
from support.release_builder import MemoryBlobs
from support.strict_cases import exported, gallery, reasons

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerOption

CHOICE = Answer(
    format=AnswerFormat.CHOICE,
    values=["A"],
    options=[AnswerOption(label="A", text="ash"), AnswerOption(label="B", text="oak")],
)


def _choice(folder: Path, text: str, gold: str, *options: str) -> tuple[Bundle, MemoryBlobs]:
    """A conversation with one question of two options."""
    blobs = MemoryBlobs()
    bundle = gallery(folder, blobs)
    item = bundle.questions[3]
    listed = [
        AnswerOption(label=label, text=each) for label, each in zip("AB", options, strict=True)
    ]
    chosen = item.model_copy(
        update={
            "question": item.question.model_copy(update={"text": text}),
            "answer": CHOICE.model_copy(update={"values": [gold], "options": listed}),
            "type": "judgement",
            "benchmark_type": "fj",
        }
    )
    chosen = type(item).model_validate(chosen.model_dump(mode="json", warnings=False))
    talk = bundle.conversation.model_copy(update={"collection": "m3exam", "extras": {}})
    questions = [chosen.model_copy(update={"extras": {}})]
    return bundle.model_copy(update={"questions": questions, "conversation": talk}), blobs


@pytest.mark.parametrize("name", ["locomo", "m3exam", "mem-gallery"])
@pytest.mark.parametrize("text", ["Which wood? A. ash B. oak", "Which wood?"])
@pytest.mark.parametrize("gold", ["A", "B"])
def test_a_choice_is_scored_in_every_layout(
    tmp_path: Path, name: str, text: str, gold: str
) -> None:
    """Two scorers drop the letter A as an article, so their gold is the text of the option."""
    bundle, blobs = _choice(tmp_path, text, gold, "ash", "oak")
    _, lost = exported(name, bundle, blobs, tmp_path / "out")
    assert reasons(lost) == {}


@pytest.mark.parametrize("name", ["locomo", "mem-gallery"])
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Which wood? A. ash B. oak", ("ash", "oak")),
        ("Which wood?", ("ash", "oak")),
        ("When?", ("8 May 2023", "9 May 2023")),
        ("Which?", ("the same", "the same")),
    ],
)
def test_a_choice_comes_back_from_an_export(
    tmp_path: Path, name: str, text: str, options: tuple[str, str]
) -> None:
    """Upstream sees the option's text; the file keeps what makes a choice of it again."""
    bundle, blobs = _choice(tmp_path, text, "B", *options)
    exported(name, bundle, blobs, tmp_path / "out")
    (raw,) = _questions(tmp_path / "out")
    assert raw["answer"] == options[1]
    assert all(option in raw["question"] for option in options)
    (item,) = bundle_of(import_all(name, tmp_path / "out")[0]).questions
    assert item.question.text == text
    assert item.answer == bundle.questions[0].answer


def _questions(folder: Path) -> list[Any]:
    """The questions of the one conversation that an export holds."""
    if (folder / "locomo.json").is_file():
        return list(json.loads((folder / "locomo.json").read_text("utf-8"))[0]["qa"])
    (file,) = (folder / "dialog").iterdir()
    return list(json.loads(file.read_text("utf-8"))["human-annotated QAs"])
