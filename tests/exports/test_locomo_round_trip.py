"""LoCoMo files come back from records alone, the published ones included."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.foreign_cases import (
    alike,
    bundle_of,
    export_samples,
    import_all,
    import_sample,
    import_scenario,
    rules,
    sample,
    scenario,
)
from support.release_builder import MemoryBlobs
from support.written_layouts import write

from memassay.exports.formats.locomo.layout import Locomo
from memassay.exports.formats.registry import FORMATS

LOCOMO = Locomo()


def test_a_sample_round_trips(tmp_path: Path) -> None:
    """Integers, absent keys and searches come back, from the records alone."""
    bundle = bundle_of(import_sample(tmp_path, sample()))
    assert alike(export_samples([bundle], tmp_path / "out"), [sample()])
    assert write(LOCOMO, [bundle], MemoryBlobs(), tmp_path / "out") == []


def test_a_padded_hour_comes_back(tmp_path: Path) -> None:
    """A date that is written in another way than ours is read, and kept as it was."""
    raw = sample()
    raw["conversation"]["session_1_date_time"] = "01:56 pm on 8 May, 2023"
    bundle = bundle_of(import_sample(tmp_path, raw))
    assert bundle.conversation.sessions[0].date == "2023-05-08T13:56"
    assert alike(export_samples([bundle], tmp_path / "out"), [raw])


def test_records_of_another_format_make_a_valid_sample(tmp_path: Path) -> None:
    """A Mem-Gallery scenario can be written and read back; what is lost is said."""
    bundle = bundle_of(import_scenario(tmp_path, scenario()))
    unfit = write(LOCOMO, [bundle], MemoryBlobs(), tmp_path / "out")
    (again,) = import_all("locomo", tmp_path / "out")
    assert rules(again) == []
    talk = bundle_of(again).conversation
    assert [each.id for each in talk.rounds()] == [
        *("D1:1", "D1:2", "D1:3", "D1:4", "D2:1", "D2:2")
    ]
    by_id = {item.id[-5:]: item for item in bundle_of(again).questions}
    assert by_id["Q0003"].evidence.canonical == ["D1:3", "D1:4", "D2:1", "D2:2"]
    assert not by_id["Q0002"].answerable
    lost = {each.what for each in unfit}
    assert {"attachment Q:IMG_001", "type visual_search", "type conflict"} <= lost


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(
    sessions=st.lists(st.lists(TEXTS, min_size=2, max_size=4), min_size=1, max_size=3),
    answers=st.lists(TEXTS | st.integers(0, 3000), max_size=3),
)
def test_sound_samples_round_trip(
    tmp_path_factory: pytest.TempPathFactory,
    sessions: list[list[str]],
    answers: list[str | int],
) -> None:
    """Any sound sample comes back as it was, from records alone."""
    folder = tmp_path_factory.mktemp("sound")
    raw = sample()
    raw["conversation"] = {"speaker_a": "Ann", "speaker_b": "Bo"}
    for number, texts in enumerate(sessions, start=1):
        raw["conversation"][f"session_{number}_date_time"] = f"12:0{number} am on 9 May, 2023"
        raw["conversation"][f"session_{number}"] = [
            {"speaker": ("Ann", "Bo")[at % 2], "dia_id": f"D{number}:{at + 1}", "text": text}
            for at, text in enumerate(texts)
        ]
    raw["qa"] = [
        {"question": "Why?", "answer": answer, "evidence": ["D1:1"], "category": 1}
        for answer in answers
    ]
    imported = import_sample(folder, raw)
    assert {*rules(imported)} <= {"import.answer_missing", "import.answer_not_text"}
    assert alike(export_samples([bundle_of(imported)], folder / "out"), [raw])


def _counts(raw: dict[str, Any]) -> dict[str, Any]:
    """Sessions, turns, image turns and questions by category, from the file alone."""
    talk = raw["conversation"]
    sessions = [value for value in talk.values() if isinstance(value, list)]
    turns = [turn for session in sessions for turn in session]
    categories = [str(each["category"]) for each in raw["qa"]]
    return {
        "sessions": len(sessions),
        "turns": len(turns),
        "addresses": sum(len(turn.get("img_url", [])) for turn in turns),
        "images": sum("img_url" in turn or "blip_caption" in turn for turn in turns),
        "questions": {name: categories.count(name) for name in sorted(set(categories))},
    }


KNOWN_DEFECTS = {
    "import.answer_not_text",
    "import.date_without_session",
    "import.evidence_malformed",
    "import.refusal_answered",
}


def test_the_published_conversations_round_trip(real_data: Path, tmp_path: Path) -> None:
    """Counts equal the file's, the file comes back, and errors are known defects only."""
    foreign, blobs = FORMATS["locomo"], MemoryBlobs()
    # Beside the conversations the folder has what others say of them.
    files = sorted((real_data / "locomo").glob("locomo*.json"))
    sources = [source for path in files for source in foreign.sources(path)]
    imported = [foreign.read(source, blobs, "CC-BY-NC-4.0") for source in sources]
    bundles = [bundle_of(each) for each in imported]
    assert write(foreign, bundles, blobs, tmp_path) == []
    exported = json.loads((tmp_path / "locomo.json").read_text("utf-8"))
    for source, each, bundle, written in zip(sources, imported, bundles, exported, strict=True):
        raw = json.loads(source.path.read_text("utf-8"))[source.position]
        types = [item.benchmark_type for item in bundle.questions]
        uris = [asset for asset in bundle.assets if asset.uri is not None]
        assert {
            "sessions": len(bundle.conversation.sessions),
            "turns": len(bundle.conversation.turns()),
            "addresses": len(uris),
            "images": len(bundle.conversation.attachments()),
            "questions": {name: types.count(name) for name in sorted(set(types))},
        } == _counts(raw)
        assert each.held_out == ()
        assert set(rules(each)) <= KNOWN_DEFECTS
        assert alike(written, raw), source.id
