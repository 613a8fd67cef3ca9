"""M2A samples become records and come back; each silent failure of upstream's reader is named."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixtures import asset, attached, bundle, item, png, session, utterance
from support.release_builder import MemoryBlobs
from support.written_layouts import export, write

from memassay.exports.formats.m2a import layout
from memassay.exports.formats.m2a.layout import FORMAT
from memassay.schemas.base import Modality
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.errors import SourceError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerOption
from memassay.schemas.records.question_type import QuestionType

SAMPLE: dict[str, Any] = {
    "conversation": {
        "speaker_0": "Ann",
        "speaker_1": "Bo",
        "n_session": 2,
        "session_0_date_time": "1:56 pm on 8 May, 2023",
        "session_0": [
            {
                "speaker": 0,
                "dia_id": "S0:0",
                "images": ["yollava/train/bo/1.png"],
                "text": "Meet <bo>!",
            },
            {"speaker": 1, "dia_id": "S0:1", "images": [], "text": "What does he eat?"},
        ],
        "session_1_date_time": "9:05 am on 12 May, 2023",
        "session_1": [{"speaker": 0, "dia_id": "S1:0", "images": [], "text": "Herring, now."}],
    },
    "qa": [
        {
            "question": {"text": "What does it eat?", "image": ["yollava/test/bo/0.png"]},
            "answer": ["herring", "fish"],
            "evidence": ["S1:0"],
            "category": 9,
        },
        {
            "question": {"text": "What colour is its fur?\nA. Brown\nB. Grey", "image": []},
            "answer": "Brown",
            "evidence": ["S0:0"],
            "category": 5,
        },
    ],
}

PLAIN: dict[str, Any] = deepcopy(SAMPLE)
"""The same without pictures."""
PLAIN["conversation"]["session_0"][0]["images"] = []
PLAIN["qa"][0]["question"]["image"] = []


def _write(folder: Path, *samples: Any) -> Path:
    for at, name in enumerate(("train/bo/1.png", "test/bo/0.png")):
        path = folder / "yollava" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(at * 60))
    file = folder / "m2a.json"
    file.write_text(json.dumps(list(samples)), encoding="utf-8")
    return file


def _read(folder: Path, sample: Any) -> Imported:
    (source,) = FORMAT.sources(_write(folder, sample))
    return FORMAT.read(source, MemoryBlobs(), "CC0-1.0")


def _bundle(imported: Imported) -> Bundle:
    assert imported.bundle is not None
    return imported.bundle


def _rules(imported: Imported) -> list[str]:
    return sorted({finding.rule for finding in imported.findings})


def _changed(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    sample = deepcopy(SAMPLE)
    change(sample)
    return sample


def test_a_sample_becomes_records(tmp_path: Path) -> None:
    """Numbers from 0 become ids from 1; images are read below the folder of the file."""
    imported = _read(tmp_path, SAMPLE)
    found = _bundle(imported)
    assert _rules(imported) == []
    assert [(one.id, one.date) for one in found.conversation.sessions] == [
        ("D1", "2023-05-08T13:56"),
        ("D2", "2023-05-12T09:05"),
    ]
    assert [one.id for one in found.conversation.rounds()] == ["D1:1", "D1:2", "D2:1"]
    first, second = found.questions
    assert (first.evidence.canonical, first.answer.values) == (["D2:1"], ["herring"])
    assert first.answer.equivalents == ["fish"]
    assert [one.type for one in (first, second)] == [
        QuestionType.FACT_RECALL,
        QuestionType.LEARNED_CONCEPT,
    ]
    assert {one.uri: one.availability.value for one in found.assets} == {
        "yollava/train/bo/1.png": "present",
        "yollava/test/bo/0.png": "present",
    }


def _renumber(sample: dict[str, Any]) -> None:
    talk = sample["conversation"]
    for key in ("session_1", "session_0"):
        number = int(key[-1]) + 1
        talk[f"session_{number}"] = talk.pop(key)
        talk[f"session_{number}_date_time"] = talk.pop(f"{key}_date_time")


SILENT: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("import.session_unread", _renumber),
    ("import.session_unread", lambda one: one["conversation"].update(session_3=[])),
    ("import.sessions_miscounted", lambda one: one["conversation"].update(n_session=3)),
    ("import.date_unreadable", lambda one: one["conversation"].pop("session_1_date_time")),
    ("import.speaker_number", lambda one: one["conversation"]["session_0"][0].update(speaker=2)),
    ("import.speaker_number", lambda one: one["conversation"]["session_0"][0].update(speaker="0")),
    ("import.shape", lambda one: one["conversation"].pop("speaker_1")),
    ("import.id_malformed", lambda one: one["conversation"]["session_0"][0].update(dia_id="D1:1")),
    (
        "import.images_several",
        lambda one: one["conversation"]["session_0"][0]["images"].append("yollava/test/bo/0.png"),
    ),
    (
        "import.sessions_alike",
        lambda one: one["conversation"].update(session_1_date_time="1:56 pm on 8 May, 2023"),
    ),
    ("import.date_unreadable", lambda one: one["conversation"].update(session_0_date_time="May 8")),
    ("import.session_unread", lambda one: one["conversation"].update(session_10=[])),
    ("import.speaker_number", lambda one: one["conversation"]["session_0"][0].pop("speaker")),
    ("import.shape", lambda one: one["conversation"].pop("speaker_0")),
    ("import.shape", lambda one: one["conversation"]["session_0"][0].update(images="x.png")),
    ("import.field_missing", lambda one: one["qa"][0].pop("evidence")),
    ("import.shape", lambda one: one["qa"][0].update(evidence="S1:0")),
    ("import.answer_falsy", lambda one: one["qa"][0].update(answer=False)),
    ("import.part_unreadable", lambda one: one["qa"][0]["question"].update(text="")),
    ("import.part_unreadable", lambda one: one["qa"][0].pop("category")),
    ("import.part_unreadable", lambda one: one["conversation"].update(session_1={})),
    ("import.image_missing", lambda one: one["conversation"]["session_0"][1].update(images=["x"])),
    (
        "import.image_outside",
        lambda one: one["conversation"]["session_0"][1].update(images=["../x.png"]),
    ),
    ("import.question_plain", lambda one: one["qa"][0].update(question="What does it eat?")),
    ("import.images_several", lambda one: one["qa"][0]["question"]["image"].append("x.png")),
    ("import.answer_falsy", lambda one: one["qa"][0].update(answer=0)),
    ("import.answer_missing", lambda one: one["qa"][0].update(answer="")),
    ("import.answer_missing", lambda one: one["qa"][0].update(answer=[])),
    ("import.answer_missing", lambda one: one["qa"][0].pop("answer")),
    ("import.answer_null", lambda one: one["qa"][0].update(answer="null")),
    ("import.evidence_malformed", lambda one: one["qa"][0].update(evidence=["S1"])),
    ("import.evidence_shuffled", lambda one: one["qa"][0].update(evidence=["S10:0", "S2:0"])),
    ("import.part_unreadable", lambda one: one["qa"][0].update(category=10)),
    ("import.part_unreadable", lambda one: one["qa"][0].update(category="9")),
    ("import.key_unknown", lambda one: one.update(sample_id="x")),
]


@pytest.mark.parametrize(
    ("rule", "change"), SILENT, ids=[f"{at}-{rule}" for at, (rule, _) in enumerate(SILENT)]
)
def test_what_upstream_fails_on_is_found_and_comes_back(
    tmp_path: Path, rule: str, change: Callable[[dict[str, Any]], Any]
) -> None:
    """The defect is named, and an export gives the file back as it was, held-out parts apart."""
    sample = _changed(change)
    imported = _read(tmp_path, sample)
    assert rule in _rules(imported)
    if imported.held_out:
        return
    write(FORMAT, [_bundle(imported)], _blobs(tmp_path, sample), tmp_path / "out")
    assert json.loads((tmp_path / "out" / "m2a.json").read_text()) == [sample]


def _blobs(folder: Path, sample: Any) -> MemoryBlobs:
    blobs = MemoryBlobs()
    (source,) = FORMAT.sources(_write(folder, sample))
    FORMAT.read(source, blobs, "CC0-1.0")
    return blobs


def test_a_sample_comes_back_with_its_images(tmp_path: Path) -> None:
    """Import, export, import gives the same file, the same images and the same records."""
    imported = _read(tmp_path, SAMPLE)
    write(FORMAT, [_bundle(imported)], _blobs(tmp_path, SAMPLE), tmp_path / "out")
    assert json.loads((tmp_path / "out" / "m2a.json").read_text()) == [SAMPLE]
    assert (tmp_path / "out/yollava/train/bo/1.png").read_bytes() == (
        tmp_path / "yollava/train/bo/1.png"
    ).read_bytes()
    (source,) = FORMAT.sources(tmp_path / "out")
    assert FORMAT.read(source, MemoryBlobs(), "CC0-1.0").bundle == imported.bundle


def test_a_folder_that_turns_name_is_a_concept(tmp_path: Path) -> None:
    """Its pictures of turns are shown, those of questions alone are held out."""
    found = _bundle(_read(tmp_path, SAMPLE))
    paths = {asset.id: asset.uri for asset in found.assets}
    (bo,) = found.concepts
    assert (bo.name, bo.said) == ("bo", "<bo>")
    assert [paths[name] for name in bo.shown] == ["yollava/train/bo/1.png"]
    assert [paths[name] for name in bo.held_out] == ["yollava/test/bo/0.png"]


@pytest.mark.parametrize("text", ["{}", "[]", "[", "7"])
def test_a_file_that_is_no_list_of_samples_is_refused(tmp_path: Path, text: str) -> None:
    """The message names the file and what was expected."""
    (tmp_path / "m2a.json").write_text(text)
    with pytest.raises(SourceError, match=r"m2a\.json: expected"):
        FORMAT.sources(tmp_path)


def _exported(folder: Path, made: Bundle) -> tuple[dict[str, Any], list[str]]:
    unfit = write(FORMAT, [made], MemoryBlobs(), folder)
    (sample,) = json.loads((folder / "m2a.json").read_text())
    return sample, [f"{one.what}: {one.why}" for one in unfit]


def test_a_caption_stands_in_for_an_image_that_is_not_there(tmp_path: Path) -> None:
    """Its words follow the text, and come back as the caption of an image without bytes."""
    shown = utterance("D1:1", "Look!", attachments=[attached("D1:IMG_001", "A1", "a red kite")])
    lost = asset("A1").model_copy(update={"availability": "missing", "blob_sha256": None})
    sample, unfit = _exported(tmp_path, bundle(lost, sessions=[session(1, shown)]))
    turn = sample["conversation"]["session_0"][0]
    assert (turn["text"], turn["images"]) == ("Look!\n[image: a red kite]", [])
    assert any("its caption is in the text" in one for one in unfit)
    (source,) = FORMAT.sources(tmp_path)
    again = _bundle(FORMAT.read(source, MemoryBlobs(), "CC0-1.0"))
    (back,) = again.conversation.turns()
    assert (back.text, [one.caption for one in back.attachments]) == ("Look!", ["a red kite"])


def test_adversarial_items_are_left_out(tmp_path: Path) -> None:
    """M2A's category 5 is visual retrieval; what LoCoMo asks there is reported (§5.1)."""
    asked = item(
        answer=Answer(format=AnswerFormat.REFUSAL, values=["No information available"]),
        answerable=False,
        type=QuestionType.REFUSAL,
        benchmark_type="5",
    )
    made = bundle(asked)
    (lost,) = export(FORMAT, [made], MemoryBlobs(), tmp_path)[1]
    assert (lost.record, lost.what) == (asked.id, "a refusal")


def test_options_stand_in_the_question_and_their_text_is_right(tmp_path: Path) -> None:
    """A letter alone would be scored against nothing that a model is shown."""
    options = [AnswerOption(label="A", text="Brown"), AnswerOption(label="B", text="Grey")]
    asked = item(answer=Answer(format=AnswerFormat.CHOICE, values=["B"], options=options))
    sample, _ = _exported(tmp_path, bundle(asked))
    (written,) = sample["qa"]
    assert written["question"]["text"].endswith("\nA. Brown\nB. Grey")
    assert written["answer"] == ["Grey", "B"]


@pytest.mark.parametrize(("modality", "category"), [(Modality.TEXT, 4), (Modality.IMAGE, 9)])
def test_what_pictures_prove_is_a_visual_category(
    tmp_path: Path, modality: Modality, category: int
) -> None:
    """A single hop over a picture is category 9, over words category 4."""
    asked = item(modalities=[modality], type=QuestionType.FACT_RECALL)
    sample, _ = _exported(tmp_path, bundle(asked))
    assert [one["category"] for one in sample["qa"]] == [category]


def test_evidence_is_written_in_the_order_of_time(tmp_path: Path) -> None:
    """S2 stands before S10, whatever the order of another layout was."""
    turns = [utterance(f"D1:{at}", f"Turn {at}.") for at in range(1, 12)]
    sample, _ = _exported(
        tmp_path, bundle(item(evidence=["D1:11", "D1:3", "D1:2"]), sessions=[session(1, *turns)])
    )
    assert sample["qa"][0]["evidence"] == ["S0:1", "S0:2", "S0:10"]


def test_sessions_of_one_minute_are_reported(tmp_path: Path) -> None:
    """Seconds are not written, so that two times can become one."""
    sessions = [
        session(at, utterance(f"D{at}:1", "Hello."), date=f"2023-05-08T10:00:{at:02d}")
        for at in (1, 2)
    ]
    _, unfit = _exported(tmp_path, bundle(sessions=sessions))
    assert [one for one in unfit if one.startswith("time of session D2")] == [
        "time of session D2: m2a has minutes; another has the same one"
    ]


def test_what_the_defaults_of_the_evaluator_cut_off_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many conversations and so many turns of each are read; the rest is named."""
    assert (layout.SAMPLES, layout.TURNS) == (100, 10_000)
    monkeypatch.setattr(layout, "SAMPLES", 1)
    monkeypatch.setattr(layout, "TURNS", 2)
    turns = [utterance(f"D1:{at}", "Yes.") for at in (1, 2, 3)]
    long = bundle(sessions=[session(1, *turns)])
    unfit = write(FORMAT, [long, bundle(item(), sessions=[session(1)])], MemoryBlobs(), tmp_path)
    cut = [one.what for one in unfit if "unless n_sample" in one.why]
    assert sorted(cut) == ["conversation", "turns after 2"]


LOST: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    (
        "evidence 'S1:0'",
        lambda one: one["conversation"].update(session_9=one["conversation"].pop("session_1")),
    ),
    ("evidence 'S1:0'", lambda one: one["conversation"]["session_1"][0].update(dia_id="S1:01")),
    ("the question", lambda one: one["qa"][0].update(question="What does it eat?")),
    ("the question", lambda one: one["qa"][0].update(category="9")),
    ("the question", lambda one: one["qa"][0].update(category=True)),
    ("the gold", lambda one: one["qa"][0].update(answer=0)),
    ("the gold", lambda one: one["qa"][0].update(answer="")),
    ("the gold", lambda one: one["qa"][0].update(answer=[])),
]


@pytest.mark.parametrize(("what", "change"), LOST, ids=map(str, range(len(LOST))))
def test_the_strict_reader_names_what_the_evaluator_never_scores(
    tmp_path: Path, what: str, change: Callable[[dict[str, Any]], Any]
) -> None:
    """The written file is read as upstream reads it, without our records."""
    imported = _bundle(_read(tmp_path, SAMPLE))
    write(FORMAT, [imported], _blobs(tmp_path, SAMPLE), tmp_path / "out")
    assert FORMAT.unanswerable(imported, tmp_path / "out") == []
    (tmp_path / "out" / "m2a.json").write_text(json.dumps([_changed(change)]))
    lost = FORMAT.unanswerable(imported, tmp_path / "out")
    assert [one.what for one in lost if one.what.startswith(what)], lost


def test_a_file_of_lines_is_read_as_a_list_is(tmp_path: Path) -> None:
    """Upstream takes one conversation a line too; a broken line is named."""
    _write(tmp_path, SAMPLE)
    lines = tmp_path / "two.jsonl"
    lines.write_text(f"{json.dumps(SAMPLE)}\n\n{json.dumps(SAMPLE)}\n", encoding="utf-8")
    first, second = (FORMAT.read(one, MemoryBlobs(), "CC0-1.0") for one in FORMAT.sources(lines))
    assert _bundle(first).questions[0].answer == _bundle(second).questions[0].answer
    assert _rules(second) == []
    lines.write_text('{"conversation": {}}\n{"conv', encoding="utf-8")
    with pytest.raises(SourceError, match="on line 2"):
        FORMAT.sources(lines)


_VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 7, "", "an é", "null"]),
    lambda inner: st.lists(inner, max_size=2) | st.fixed_dictionaries({"within": inner}),
    max_leaves=3,
)
_FIELDS = st.dictionaries(st.sampled_from(["own", "note", "as_read", "id"]), _VALUES, max_size=2)


@settings(max_examples=15, deadline=None)
@given(_FIELDS, _FIELDS, _FIELDS, _FIELDS)
def test_unknown_fields_of_every_level_come_back(
    top: dict[str, Any], talk: dict[str, Any], turn: dict[str, Any], asked: dict[str, Any]
) -> None:
    """Import, export, import: the file and the records are equal, extras included."""
    sample = deepcopy(PLAIN)
    sample.update(top)
    sample["conversation"].update(talk)
    sample["conversation"]["session_1"][0].update(turn)
    sample["qa"][0].update(asked)
    sample["qa"][1]["question"].update(asked)
    with TemporaryDirectory() as folder:
        first = _imported_once(Path(folder), [sample])
        write(FORMAT, [first], MemoryBlobs(), Path(folder))
        assert json.loads((Path(folder) / "m2a.json").read_text()) == [sample]
        (source,) = FORMAT.sources(Path(folder))
        assert FORMAT.read(source, MemoryBlobs(), "CC0-1.0").bundle == first


def _imported_once(folder: Path, samples: list[Any]) -> Bundle:
    file = folder / "m2a.json"
    file.write_text(json.dumps(samples), encoding="utf-8")
    (source,) = FORMAT.sources(file)
    return _bundle(FORMAT.read(source, MemoryBlobs(), "CC0-1.0"))
