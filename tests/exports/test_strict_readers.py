"""Each trap of an upstream loader or scorer, entered in an export, is seen by its strict reader."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.foreign_cases import QUESTIONS, SESSIONS, import_all, scenario
from support.foreign_cases import sample as plain_sample
from support.release_builder import MemoryBlobs
from support.strict_cases import (
    Change,
    asked,
    banked,
    edit,
    exported,
    files,
    gallery,
    question,
    reasons,
    round_,
    said,
    sample,
    spoiled,
    without,
)

from memassay.schemas.base import Modality
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AskedAt

GALLERY_FILE, BANK_FILE, SAMPLES = "dialog/Boat.json", "Boat/question.json", "locomo.json"
TALK_FILE = "Boat/conversation.json"
IMAGE, ALL = "image/Boat/D1_IMG_001.png", {0, 1, 2, 3, 4}
POINTER = b"version https://git-lfs.github.com/spec/v1\n"


def test_a_sound_scenario_is_answerable_whole(tmp_path: Path) -> None:
    """Nothing is left out of the layout that a scenario came from."""
    blobs = MemoryBlobs()
    kept, lost = exported("mem-gallery", gallery(tmp_path, blobs), blobs, tmp_path / "out")
    assert (len(kept.questions), lost) == (5, [])


GALLERY_TRAPS: dict[str, tuple[Change, dict[int, str]]] = {
    "key of the questions": (
        lambda raw: raw.update({"human_annotated_QAs": raw.pop(QUESTIONS)}),
        dict.fromkeys(ALL, "not_read"),
    ),
    "no sessions": (without(SESSIONS), dict.fromkeys(ALL, "not_read")),
    "empty round": (round_(0, 1, user="", assistant=""), {2: "evidence"}),
    "second image": (
        round_(
            0,
            0,
            input_image=["../image/Boat/QA_IMG_001.png", "../image/Boat/D1_IMG_001.png"],
            image_id=["D1:IMG_009", "D1:IMG_001"],
        ),
        {0: "image"},
    ),
    "caption of a round": (round_(0, 0, image_caption="A red hull"), {0: "image"}),
    "path of a round": (round_(0, 0, input_image=["D1_IMG_001.png"]), {0: "image"}),
    "caption of a question": (question(2, image_caption=["A mast"]), {2: "not_read"}),
    "image of a question": (question(2, question_image="../image/Boat/x.png"), {2: "image"}),
    "images of a question": (question(2, question_image=["../image/Boat/x.png"]), {2: "image"}),
    "image as clue": (question(0, clue=["D1:IMG_001"]), {0: "evidence"}),
    "session as clue": (question(3, clue=["D2"]), {3: "evidence"}),
    "no clue": (question(3, clue=[]), {3: "evidence"}),
    "clue of a refusal": (question(1, clue=["D1:1"]), {1: "form"}),
    "empty question": (question(3, question=""), {3: "not_read"}),
    "empty point": (question(3, point=""), {3: "not_read"}),
    "unknown point": (question(3, point="QQ"), {3: "not_read"}),
    "letter A": (question(2, answer="A"), {2: "gold"}),
    "signs alone": (question(2, answer="?!"), {2: "gold"}),
    "no answer": (question(2, answer=""), {2: "gold"}),
    "zero": (question(2, answer=0), {2: "gold"}),
    "thousands": (question(2, answer="1,150 pounds"), {2: "gold"}),
    "descending ids": (question(0, answer="D2:IMG_001, D1:IMG_001"), {0: "gold"}),
    "image in a free answer": (question(2, answer="D5:IMG_006, of ash"), {2: "image"}),
    "unknown id": (question(0, answer="D1:IMG_001, D5:IMG_006"), {0: "image"}),
    "no ids": (question(0, answer="the first one"), {0: "form"}),
    "month of a session": (
        lambda raw: raw[SESSIONS][1].update(date="July 2024"),
        {4: "date"},
    ),
}


@pytest.mark.parametrize("trap", GALLERY_TRAPS)
def test_a_trap_of_mem_gallery_is_seen(tmp_path: Path, trap: str) -> None:
    """run_bench.py or evaluation.py would get it wrong without a word."""
    change, expected = GALLERY_TRAPS[trap]
    blobs = MemoryBlobs()
    kept, _ = exported("mem-gallery", gallery(tmp_path, blobs), blobs, tmp_path / "out")
    edit(tmp_path / "out" / GALLERY_FILE, change)
    assert spoiled("mem-gallery", kept, tmp_path / "out") == expected


@pytest.mark.parametrize("data", [None, b"", POINTER])
def test_an_image_without_bytes_is_seen(tmp_path: Path, data: bytes | None) -> None:
    """Upstream gives an empty answer where it cannot open one; a pointer passes its eyes."""
    blobs = MemoryBlobs()
    kept, _ = exported("mem-gallery", gallery(tmp_path, blobs), blobs, tmp_path / "out")
    (tmp_path / "out" / IMAGE).unlink() if data is None else (
        (tmp_path / "out" / IMAGE).write_bytes(data)
    )
    assert spoiled("mem-gallery", kept, tmp_path / "out") == {0: "image"}


def test_a_file_that_upstream_takes_for_results_is_seen(tmp_path: Path) -> None:
    """A scenario of such a name is skipped."""
    blobs = MemoryBlobs()
    bundle = gallery(tmp_path, blobs)
    talk = bundle.conversation.model_copy(update={"id": "a_results_b", "title": "a_results_b"})
    bundle = bundle.model_copy(update={"conversation": talk})
    _, lost = exported("mem-gallery", bundle, blobs, tmp_path / "out")
    assert {str(each.reason) for each in lost} == {"not_read"}


LOCOMO_TRAPS: dict[str, tuple[Change, dict[int, str]]] = {
    "number of sessions": (said(n_session=2), dict.fromkeys(range(3), "not_read")),
    "one speaker": (
        lambda raw: raw[0]["conversation"]["session_1"].pop(1),
        dict.fromkeys(range(3), "not_read"),
    ),
    "no date": (
        without("session_2_date_time", 0, "conversation"),
        dict.fromkeys(range(3), "not_read"),
    ),
    "another date": (said(session_1_date_time="2023-05-08"), {1: "date"}),
    "category of M2A": (asked(0, category=6), {0: "not_read"}),
    "category as text": (asked(0, category="4"), {0: "not_read"}),
    "refusal without answer": (without("answer", 0, "qa", 2), {2: "not_read"}),
    "refusal without trap": (without("adversarial_answer", 0, "qa", 2), {2: "not_read"}),
    "no answer": (without("answer", 0, "qa", 0), {0: "gold"}),
    "two ids in one": (asked(0, evidence=["D1:1; D2:1"]), {0: "evidence"}),
    "padded id": (asked(0, evidence=["D2:01"]), {0: "evidence"}),
    "turn that is not there": (asked(0, evidence=["D9:9"]), {0: "evidence"}),
    "evidence as text": (asked(0, evidence="D2:1"), {0: "evidence"}),
    "session of number 0": (
        lambda raw: raw[0]["conversation"].update(
            session_0=raw[0]["conversation"].pop("session_2"), session_0_date_time="x"
        ),
        {0: "evidence", 2: "evidence"},
    ),
    "session 50": (
        lambda raw: raw[0]["conversation"].update(
            session_50=raw[0]["conversation"].pop("session_2"), session_50_date_time="x"
        ),
        {0: "evidence", 2: "evidence"},
    ),
    "letter A": (asked(0, answer="A"), {0: "gold"}),
    "date in digits": (asked(1, answer="2022-05-08"), {1: "date"}),
    "image id": (asked(0, answer="D1:IMG_001, a kite"), {0: "image"}),
    "article in a list": (asked(0, category=1, answer="kite, the"), {0: "gold"}),
    "thousands in a list": (asked(0, category=1, answer="1,150 kites"), {0: "gold"}),
    "reason first": (asked(0, category=3, answer="; since it flew"), {0: "gold"}),
}


@pytest.mark.parametrize("trap", LOCOMO_TRAPS)
def test_a_trap_of_locomo_is_seen(tmp_path: Path, trap: str) -> None:
    """task_eval would stop, or score a right answer 0."""
    change, expected = LOCOMO_TRAPS[trap]
    kept, lost = exported("locomo", sample(tmp_path / "in"), MemoryBlobs(), tmp_path / "out")
    assert lost == []
    edit(tmp_path / "out" / SAMPLES, change)
    assert spoiled("locomo", kept, tmp_path / "out") == expected


@pytest.mark.parametrize("answer", [2022, 0, "1,150", "7.5 kg", "The Who, 12"])
def test_a_gold_that_locomo_can_score_stays(tmp_path: Path, answer: Any) -> None:
    """Its scorer makes a text of a number, and drops a comma in one."""
    raw = plain_sample()
    raw["qa"][0]["answer"] = answer
    _, lost = exported("locomo", sample(tmp_path / "in", raw), MemoryBlobs(), tmp_path / "out")
    assert lost == []


TWO_IMAGES = round_(
    0,
    0,
    input_image=["../image/Boat/D1_IMG_001.png", "../image/Boat/QA_IMG_001.png"],
    image_id=["D1:IMG_001", "D1:IMG_002"],
    image_caption=["A red hull", "A blue one"],
)


def _persona(folder: Path, blobs: MemoryBlobs) -> Bundle:
    raw = scenario()
    TWO_IMAGES(raw)
    return gallery(folder, blobs, raw)


M3EXAM_TRAPS: dict[str, tuple[str, Change, dict[int, str]]] = {
    "no answer list": (BANK_FILE, banked(0, answer=[]), {0: "not_read"}),
    "unknown type": (BANK_FILE, banked(1, type="AR"), {1: "not_read"}),
    "round that is not there": (BANK_FILE, banked(1, supporting_facts=["D2:9"]), {1: "evidence"}),
    "no supporting fact": (BANK_FILE, banked(1, supporting_facts=[]), {1: "evidence"}),
    "two facts for ss": (BANK_FILE, banked(1, supporting_facts=["D1:2", "D2:1"]), {1: "form"}),
    "one session for ms": (
        BANK_FILE,
        banked(1, type="ms", supporting_facts=["D1:1", "D1:2"]),
        {1: "form"},
    ),
    "one image to choose from": (
        TALK_FILE,
        round_(0, 0, image_id=["img_1"], input_image=["images/img_1.png"]),
        {0: "form"},
    ),
    "image in a question": (BANK_FILE, banked(1, question="What is on img_7?"), {1: "image"}),
    "image that no round shows": (BANK_FILE, banked(0, answer=["img_9"]), {0: "image"}),
    "several images": (BANK_FILE, banked(0, answer=["img_1, img_2"]), {0: "form"}),
    "image as another type": (BANK_FILE, banked(0, type="ss"), {0: "form"}),
    "letter A": (BANK_FILE, banked(1, answer=["A"]), {1: "gold"}),
    "choice without options": (BANK_FILE, banked(1, type="fj", answer=["the mast"]), {1: "form"}),
    "month of a session": (
        TALK_FILE,
        lambda raw: raw[SESSIONS][1].update(date="July 2024"),
        {2: "date"},
    ),
    "path that leads nowhere": (TALK_FILE, round_(0, 0, input_image=["img_1"]), {0: "image"}),
}


@pytest.mark.parametrize("trap", M3EXAM_TRAPS)
def test_a_trap_of_m3exam_is_seen(tmp_path: Path, trap: str) -> None:
    """A reader of the paper could not answer or credit it."""
    file, change, expected = M3EXAM_TRAPS[trap]
    blobs = MemoryBlobs()
    kept, lost = exported("m3exam", _persona(tmp_path, blobs), blobs, tmp_path / "out")
    assert reasons(lost) == {"Q0002": "form", "Q0003": "image"}
    edit(tmp_path / "out" / file, change)
    assert spoiled("m3exam", kept, tmp_path / "out") == expected


def test_pixels_have_no_reader_in_locomo(tmp_path: Path) -> None:
    """Image ids, images of questions and what only pixels show are left out."""
    blobs = MemoryBlobs()
    bundle = gallery(tmp_path, blobs)
    seen = bundle.questions[4].model_copy(update={"modalities": [Modality.IMAGE]})
    bundle = bundle.model_copy(update={"questions": [*bundle.questions[:4], seen]})
    _, lost = exported("locomo", bundle, blobs, tmp_path / "out")
    assert reasons(lost) == {"Q0001": "image", "Q0003": "image", "Q0005": "image"}


@pytest.mark.parametrize("name", ["locomo", "m3exam", "mem-gallery"])
def test_a_question_that_is_asked_early_is_left_out(tmp_path: Path, name: str) -> None:
    """The layouts ask after the last session, when another answer may be right."""
    blobs = MemoryBlobs()
    bundle = gallery(tmp_path, blobs)
    for session, expected in (("D1", {"Q0004": "form"}), ("D2", {})):
        item = bundle.questions[3].model_copy(update={"asked_at": AskedAt(session=session)})
        early = bundle.model_copy(update={"questions": [item]})
        _, lost = exported(name, early, blobs, tmp_path / session)
        assert reasons(lost) == expected


def test_a_caption_stands_in_where_an_image_has_no_file(tmp_path: Path) -> None:
    """Mem-Gallery's readers of images answer nothing otherwise; its text memories do the same."""
    _, lost = exported("mem-gallery", sample(tmp_path / "in"), MemoryBlobs(), tmp_path / "out")
    text = (tmp_path / "out/dialog/conv-7.json").read_text(encoding="utf-8")
    assert lost == []
    assert "image_caption: a photo of a kite" in text
    assert "input_image" not in text


@pytest.mark.parametrize(
    ("name", "file"),
    [("mem-gallery", "dialog/conv-7.json"), ("m3exam", "Conv_7/conversation.json")],
)
def test_a_person_on_the_side_of_the_assistant_is_named(
    tmp_path: Path, name: str, file: str
) -> None:
    """A question about Bo needs to know who speaks; so does one about the user."""
    blobs, out = MemoryBlobs(), tmp_path / "out"
    kept, _ = exported(name, sample(tmp_path / "in"), blobs, out)
    written = (out / file).read_text(encoding="utf-8")
    assert "Bo: Nice. I sold mine in 2022." in written
    lost = {at for at, item in enumerate(kept.questions) if item.evidence.canonical == ["D1:2"]}
    edit(out / file, round_(0, 1, assistant="Nice. I sold mine in 2022."))
    assert spoiled(name, kept, out) == dict.fromkeys(lost, "form")
    edit(out / file, lambda raw: raw["character_profile"].update(name=""))
    assert set(spoiled(name, kept, out).values()) == {"form"}
    assert len(spoiled(name, kept, out)) == len(kept.questions)


def test_refusals_have_the_fields_of_each_layout(tmp_path: Path) -> None:
    """LoCoMo's have an answer, Mem-Gallery's one session and no clue, as upstream has them."""
    blobs = MemoryBlobs()
    exported("locomo", gallery(tmp_path, blobs), blobs, tmp_path / "locomo")
    exported("mem-gallery", sample(tmp_path / "in"), blobs, tmp_path / "gallery")
    edit(tmp_path / "locomo/locomo.json", lambda raw: _same(raw[0]["qa"][0], _LOCOMO_REFUSAL))
    edit(
        tmp_path / "gallery/dialog/conv-7.json",
        lambda raw: _same(raw[QUESTIONS][2], _GALLERY_REFUSAL),
    )


def test_dates_of_answers_have_the_form_of_locomo(tmp_path: Path) -> None:
    """Its scorer would take 2024-07-01 for one word, and 1 July 2024 for three others."""
    blobs = MemoryBlobs()
    kept, _ = exported("locomo", gallery(tmp_path, blobs), blobs, tmp_path / "out")
    assert kept.questions[-1].answer.values == ["2024-07-01"]
    edit(tmp_path / "out" / SAMPLES, lambda raw: _same(raw[0]["qa"][-1], {"answer": "1 July 2024"}))


_LOCOMO_REFUSAL = {"answer": "No information available", "adversarial_answer": "", "category": 5}
_GALLERY_REFUSAL = {"answer": "Not mentioned.", "clue": [], "session_id": ["D2"]}


def _same(raw: dict[str, Any], expected: dict[str, Any]) -> None:
    assert {key: raw[key] for key in expected} == expected


GOLDS = st.sampled_from(
    ["A", "the", "?", "0", "-5 °C", "1,150 pounds", "ash, and", "B", "2024-07-01", "a; b", "ash"]
)
WHERE = st.sampled_from([["D1:1"], ["D1:2", "D2:1"], ["D2:1"], ["D9:9"], []])
POINTS = st.sampled_from(["FR", "TR", "VR", "MR", "KR", "CD", "AR", "VS"])
DATES = st.sampled_from(["2024-07-01", "2024-07", "2024-07-01T10:00", "soon"])


@settings(max_examples=12)
@given(asked=st.lists(st.tuples(GOLDS, WHERE, POINTS), max_size=5), date=DATES, shown=st.booleans())
@pytest.mark.parametrize("name", ["locomo", "m3exam", "mem-gallery"])
def test_what_is_exported_can_be_answered_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    asked: list[tuple[str, list[str], str]],
    date: str,
    shown: bool,
) -> None:
    """No export holds a trap, every question is there or listed, and a second one is the first."""
    folder, blobs = tmp_path_factory.mktemp("random"), MemoryBlobs()
    raw = scenario()
    raw[SESSIONS][1]["date"] = date
    raw[QUESTIONS] = [
        {"point": point, "question": "Why?", "answer": gold, "clue": clue, "session_id": ["D1"]}
        for gold, clue, point in asked
    ]
    bundle: Bundle = gallery(folder, blobs, raw)
    if not shown:
        talk = bundle.conversation.model_copy(update={"collection": "another"})
        bundle = bundle.model_copy(update={"conversation": talk, "assets": []})
    kept, lost = exported(name, bundle, blobs, folder / "first")
    assert spoiled(name, kept, folder / "first") == {}
    assert len(kept.questions) + len(lost) == len(asked)
    (again,) = import_all(name, folder / "first", blobs)
    assert again.bundle is not None
    _, more = exported(name, again.bundle, blobs, folder / "second")
    assert more == []
    assert files(folder / "second") == files(folder / "first")
