"""MMRC's layout: single dialogues with images and questions come in whole and go out again."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.foreign_cases import alike, bundle_of, import_all, import_scenario, rules, scenario
from support.release_builder import MemoryBlobs, png
from support.strict_cases import Change, edit, exported, spoiled
from support.written_layouts import write

from memassay.exports.formats.mmrc.layout import FILE_NAME, MMRC
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.errors import SourceError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat

LAYOUT = MMRC()
DIALOGUE: dict[str, Any] = {
    "id": "boat-7",
    "category": "Travel",
    "model": "some-model",
    "turns": [
        {
            "user": "Two hulls. Which is fit?",
            "assistant": "The red one.",
            "images": [
                {"id": "IMG_001", "file": "images/boat-7/1.png", "caption": "A red hull"},
                {"id": "IMG_002", "file": "images/boat-7/2.png"},
            ],
        },
        {"user": "The mast is ash.", "assistant": "Noted."},
        {"user": "No, spruce.", "assistant": "Changed."},
    ],
    "questions": [
        {
            "ability": "IM",
            "format": "open",
            "question": "Which image shows the fit hull?",
            "answer": ["IMG_001"],
            "evidence": [1],
        },
        {
            "ability": "IU",
            "format": "choice",
            "question": "What is the mast made of?",
            "options": {"A": "ash", "B": "spruce"},
            "answer": "B",
            "evidence": [2, 3],
        },
        {
            "ability": "MR",
            "format": "true_false",
            "question": "The mast was ash at first.",
            "answer": "True",
            "evidence": [2],
        },
        {
            "ability": "AR",
            "format": "open",
            "question": "What is the boat called?",
            "answer": "It was not said.",
            "evidence": [],
        },
    ],
}


def changed(**changes: Any) -> dict[str, Any]:
    """The dialogue with other values at its top."""
    return {**deepcopy(DIALOGUE), **changes}


def taken_in(folder: Path, *dialogues: Any, blobs: MemoryBlobs | None = None) -> list[Imported]:
    """Dialogues written with two images, and imported."""
    images = folder / "images" / "boat-7"
    images.mkdir(parents=True, exist_ok=True)
    for at in (1, 2):
        (images / f"{at}.png").write_bytes(png((at, 0, 0)))
    (folder / FILE_NAME).write_text(json.dumps(list(dialogues)), encoding="utf-8")
    return import_all("mmrc", folder, blobs)


ABILITIES = st.sampled_from(("IE", "CR", "IU", "IM", "MR", "AR"))


def given_out(folder: Path, imported: Imported, blobs: MemoryBlobs | None = None) -> Any:
    """The first dialogue that a bundle is written as."""
    write(LAYOUT, [bundle_of(imported)], blobs or MemoryBlobs(), folder)
    return json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))[0]


def test_a_dialogue_comes_back_with_its_images(tmp_path: Path) -> None:
    """Without a finding, and with nothing that does not fit."""
    blobs = MemoryBlobs()
    (imported,) = taken_in(tmp_path / "in", DIALOGUE, blobs=blobs)
    assert rules(imported, infos=True) == []
    assert write(LAYOUT, [bundle_of(imported)], blobs, tmp_path / "out") == []
    assert alike(given_out(tmp_path / "out", imported, blobs), DIALOGUE)
    for at in (1, 2):
        place = f"images/boat-7/{at}.png"
        assert (tmp_path / "out" / place).read_bytes() == (tmp_path / "in" / place).read_bytes()


def test_a_dialogue_is_one_session_without_a_date(tmp_path: Path) -> None:
    """Category, model, forms of answers and evidence stand in the records."""
    bundle = bundle_of(taken_in(tmp_path, DIALOGUE)[0])
    (session,) = bundle.conversation.sessions
    assert (session.id, session.date, bundle.conversation.domain) == ("D1", None, "Travel")
    assert [each.model for each in bundle.conversation.speakers] == [None, "some-model"]
    forms = [(item.answer.format, item.evidence.canonical) for item in bundle.questions]
    assert forms == [
        (AnswerFormat.IMAGE_ID, ["D1:1"]),
        (AnswerFormat.CHOICE, ["D1:2", "D1:3"]),
        (AnswerFormat.CHOICE, ["D1:2"]),
        (AnswerFormat.REFUSAL, []),
    ]
    assert [item.answerable for item in bundle.questions] == [True, True, True, False]


def question(**changes: Any) -> dict[str, Any]:
    """The dialogue with one question, of which some keys are others."""
    return changed(questions=[{**DIALOGUE["questions"][1], **changes}])


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (changed(id="boat 7"), "import.id_malformed"),
        (changed(category=3), "import.shape"),
        (changed(turns=[]), "import.key_missing"),
        (changed(turns=[*DIALOGUE["turns"], {"user": "", "assistant": ""}]), "import.round_empty"),
        (changed(turns=[*DIALOGUE["turns"], "words"]), "import.part_unreadable"),
        (changed(mood="glad"), "import.key_unknown"),
        (changed(questions=DIALOGUE["questions"][:1] * 2), "import.ability_repeated"),
        (question(ability="XX"), "import.part_unreadable"),
        (question(answer="C"), "import.answer_not_of_format"),
        (question(answer=["IMG_009"]), "import.answer_not_of_format"),
        (question(answer=""), "import.answer_missing"),
        (question(format="essay"), "import.shape"),
        (question(options=["ash"]), "import.shape"),
        (question(evidence=[9]), "import.evidence_malformed"),
        (question(evidence=[True]), "import.evidence_malformed"),
        (question(evidence="2"), "import.shape"),
    ],
)
def test_a_defect_is_found_and_nothing_is_lost(
    tmp_path: Path, broken: dict[str, Any], rule: str
) -> None:
    """What becomes a record is written as it stood; what does not is held out."""
    blobs = MemoryBlobs()
    (imported,) = taken_in(tmp_path / "in", broken, blobs=blobs)
    assert rules(imported, infos=True) == [rule]
    if not imported.held_out:
        assert alike(given_out(tmp_path / "out", imported, blobs), broken)


@pytest.mark.parametrize("file", ["../secret.png", "/etc/passwd", "C:\\secret.png"])
def test_an_image_outside_the_folder_is_not_read(tmp_path: Path, file: str) -> None:
    """Its path is reported and kept."""
    (tmp_path / "secret.png").write_bytes(png((9, 9, 9)))
    turn = {"user": "Look.", "assistant": "Yes.", "images": [{"id": "IMG_001", "file": file}]}
    raw = changed(turns=[turn], questions=[])
    (imported,) = taken_in(tmp_path / "in", raw)
    assert rules(imported) == ["import.image_outside"]
    assert alike(given_out(tmp_path / "out", imported), raw)


def test_an_id_that_two_dialogues_have_is_refused(tmp_path: Path) -> None:
    """Members of clusters are named by id."""
    with pytest.raises(SourceError, match="expected an id of its own, got 'boat-7'"):
        taken_in(tmp_path, DIALOGUE, DIALOGUE)


def test_a_file_without_dialogues_is_refused(tmp_path: Path) -> None:
    """An object, or an empty list."""
    for text in ("{}", "[]"):
        (tmp_path / FILE_NAME).write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match="expected a JSON list of MMRC dialogues"):
            LAYOUT.sources(tmp_path)


def test_a_longer_conversation_is_written_as_one_dialogue(tmp_path: Path) -> None:
    """What of it does not fit is said, and the file is sound."""
    bundle = bundle_of(import_scenario(tmp_path / "in", scenario()))
    unfit = write(LAYOUT, [bundle], MemoryBlobs(), tmp_path / "out")
    assert {"boundaries and dates of 2 sessions", "name of speaker user"} <= {
        each.what for each in unfit
    }
    (again,) = import_all("mmrc", tmp_path / "out")
    assert [rule for rule in rules(again) if "image" not in rule] in (
        [],
        ["import.ability_repeated"],
    )
    assert len(bundle_of(again).conversation.rounds()) == len(bundle.conversation.rounds())


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=20)
@given(
    turns=st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4),
    asked=st.lists(st.tuples(ABILITIES, TEXTS), max_size=3, unique_by=lambda each: each[0]),
)
def test_sound_dialogues_round_trip(
    tmp_path_factory: pytest.TempPathFactory, turns: list[Any], asked: list[Any]
) -> None:
    """Whatever is said and asked."""
    raw = changed(
        turns=[{"user": user, "assistant": reply} for user, reply in turns],
        questions=[
            {"ability": code, "format": "open", "question": "?", "answer": text, "evidence": [1]}
            for code, text in asked
        ],
    )
    folder = tmp_path_factory.mktemp("mmrc")
    (imported,) = taken_in(folder / "in", raw)
    assert alike(given_out(folder / "out", imported), raw)


def _exported(folder: Path) -> tuple[Bundle, Path]:
    """The dialogue with its images, exported; every question is kept."""
    blobs = MemoryBlobs()
    whole = bundle_of(taken_in(folder / "in", DIALOGUE, blobs=blobs)[0])
    kept, lost = exported("mmrc", whole, blobs, folder / "out")
    assert (len(kept.questions), lost) == (len(DIALOGUE["questions"]), [])
    return kept, folder / "out"


TRAPS: dict[str, tuple[Change, dict[int, str]]] = {
    "question gone": (lambda raw: raw[0]["questions"][0].update(question=" "), {0: "not_read"}),
    "unknown ability": (lambda raw: raw[0]["questions"][1].update(ability="XY"), {1: "not_read"}),
    "letter of no option": (lambda raw: raw[0]["questions"][1].update(answer="C"), {1: "gold"}),
    "neither true nor false": (
        lambda raw: raw[0]["questions"][2].update(answer="Yes"),
        {2: "gold"},
    ),
    "image that no turn shows": (
        lambda raw: raw[0]["questions"][0].update(answer=["X"]),
        {0: "gold"},
    ),
    "turn beyond the last": (
        lambda raw: raw[0]["questions"][2].update(evidence=[9]),
        {2: "evidence"},
    ),
    "image without a file": (
        lambda raw: raw[0]["turns"][0]["images"][0].update(file="images/no.png"),
        {0: "image"},
    ),
    "no list": (lambda raw: {"dialogues": raw}, dict.fromkeys(range(4), "not_read")),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_spoiled_export_loses_the_questions_that_it_spoils(tmp_path: Path, trap: str) -> None:
    """The strict reader names the question and the reason."""
    change, expected = TRAPS[trap]
    kept, folder = _exported(tmp_path)
    edit(folder / FILE_NAME, change)
    assert spoiled("mmrc", kept, folder) == expected
