"""Mem-Gallery files come back from records alone, the published ones included."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.foreign_cases import (
    QUESTIONS,
    SESSIONS,
    alike,
    bundle_of,
    export_scenario,
    import_all,
    import_scenario,
    rules,
    sample,
    scenario,
    write_samples,
    write_scenario,
)
from support.release_builder import MemoryBlobs
from support.written_layouts import write

from memassay.exports.formats.mem_gallery.layout import MemGallery
from memassay.exports.formats.registry import FORMATS

GALLERY = MemGallery()


def test_a_name_that_is_no_id_is_kept_as_title(tmp_path: Path) -> None:
    """The export has the original file name."""
    path = write_scenario(tmp_path, scenario(), "Bååt & mast")
    (imported,) = import_all("mem-gallery", path)
    write(GALLERY, [bundle_of(imported)], MemoryBlobs(), tmp_path / "out")
    assert [each.name for each in (tmp_path / "out/dialog").iterdir()] == ["Bååt & mast.json"]


def test_records_of_another_format_make_a_valid_scenario(tmp_path: Path) -> None:
    """A LoCoMo conversation can be written, read back without errors, and what is lost is said."""
    (imported,) = import_all("locomo", write_samples(tmp_path, sample()))
    unfit = write(GALLERY, [bundle_of(imported)], MemoryBlobs(), tmp_path / "out")
    (again,) = import_all("mem-gallery", tmp_path / "out")
    assert rules(again) == []
    assert [item.answerable for item in bundle_of(again).questions] == [True, True, False]
    assert bundle_of(again).questions[2].answer.values == ["Not mentioned."]
    assert {each.what for each in unfit} == {
        *("answer.traps", "extras of locomo", "extras of turn D1:1.1", "name of speaker speaker_b"),
    }


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


ROUNDS = st.lists(
    st.fixed_dictionaries(
        {"user": TEXTS, "assistant": st.text("ab \n", max_size=3)},
        optional={"image_caption": st.lists(TEXTS, min_size=1, max_size=1)},
    ),
    min_size=1,
    max_size=3,
)


@given(sessions=st.lists(ROUNDS, min_size=1, max_size=3), texts=st.lists(TEXTS, max_size=3))
def test_sound_scenarios_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    sessions: list[list[dict[str, Any]]],
    texts: list[str],
) -> None:
    """Any sound scenario comes back as it was, from records alone, without an error."""
    folder = tmp_path_factory.mktemp("sound")
    raw = scenario()
    raw[SESSIONS] = [_numbered(rounds, number) for number, rounds in enumerate(sessions, start=1)]
    raw[QUESTIONS] = [
        {"point": "FR", "question": text, "answer": text, "session_id": ["D1"], "clue": ["D1:1"]}
        for text in texts
    ]
    imported = import_scenario(folder, raw)
    assert set(rules(imported)) <= {"import.answer_missing"}
    assert alike(export_scenario(bundle_of(imported), folder / "out"), raw)


def _numbered(rounds: list[dict[str, Any]], session: int) -> dict[str, Any]:
    dialogues = []
    for at, each in enumerate(rounds, start=1):
        image = f"D{session}_IMG_{at:03d}"
        images = {
            "image_id": [image.replace("_", ":", 1)],
            "input_image": [f"../image/Boat/{image}"],
        }
        shown = images if "image_caption" in each else {}
        dialogues.append({"round": f"D{session}:{at}", **each, **shown})
    return {"session_id": f"D{session}", "date": f"2024-01-0{session}", "dialogues": dialogues}


def _counts(raw: dict[str, Any]) -> dict[str, Any]:
    """Sessions, rounds, images and questions by type, from the file alone."""
    rounds = [each for session in raw[SESSIONS] for each in session["dialogues"]]
    points = [each["point"] for each in raw[QUESTIONS]]
    return {
        "sessions": len(raw[SESSIONS]),
        "rounds": len(rounds),
        "images": sum(len(each.get("input_image", [])) for each in rounds),
        "question images": sum("question_image" in each for each in raw[QUESTIONS]),
        "questions": {point: points.count(point) for point in sorted(set(points))},
    }


def test_the_published_scenarios_round_trip(real_data: Path, tmp_path: Path) -> None:
    """Counts equal the files', every file comes back, and errors are known defects only."""
    foreign, blobs = FORMATS["mem-gallery"], MemoryBlobs()
    sources = foreign.sources(real_data / "mem-gallery")
    imported = [foreign.read(source, blobs, "MIT") for source in sources]
    assert len(sources) == len(list((real_data / "mem-gallery/dialog").glob("*.json"))) > 0
    assert write(foreign, [bundle_of(each) for each in imported], blobs, tmp_path) == []
    for source, each in zip(sources, imported, strict=True):
        raw, talk = json.loads(source.path.read_text("utf-8")), bundle_of(each).conversation
        types = [item.benchmark_type for item in bundle_of(each).questions]
        assert {
            "sessions": len(talk.sessions),
            "rounds": len(talk.rounds()),
            "images": len(talk.attachments()),
            "question images": sum(
                len(item.question.attachments) for item in bundle_of(each).questions
            ),
            "questions": {point: types.count(point) for point in sorted(set(types))},
        } == _counts(raw)
        assert each.held_out == ()
        assert set(rules(each)) <= {
            "import.answer_not_image_ids",
            "import.answer_not_canonical",
        }
        exported = json.loads((tmp_path / "dialog" / source.path.name).read_text("utf-8"))
        assert alike(exported, raw), source.id
