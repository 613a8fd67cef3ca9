"""LoCoMo samples become records and come back; what is wrong with them is said."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import (
    QUESTIONS,
    alike,
    bundle_of,
    export_samples,
    import_all,
    import_sample,
    only,
    rules,
    sample,
    write_samples,
)
from support.release_builder import MemoryBlobs, png
from support.written_layouts import export

from memassay.exports.formats.locomo.layout import Locomo
from memassay.schemas.errors import SourceError
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.records.question_type import QuestionType

LOCOMO = Locomo()


def test_a_sample_becomes_records(tmp_path: Path) -> None:
    """One utterance is one round of one turn; images, dates and searches are where they belong."""
    imported = import_sample(tmp_path, sample())
    bundle = bundle_of(imported)
    talk = bundle.conversation
    assert rules(imported) == ["import.answer_not_text"]
    assert (talk.id, talk.collection, talk.path) == ("conv-7", "locomo", "curate")
    assert [(each.id, each.name) for each in talk.speakers] == [
        ("speaker_a", "Ann"),
        ("speaker_b", "Bo"),
    ]
    assert [(each.id, each.date) for each in talk.sessions] == [
        ("D1", "2023-05-08T13:56"),
        ("D2", "2023-05-12T09:05"),
    ]
    assert [(each.id, each.kind.value) for each in talk.rounds()] == [
        ("D1:1", "utterance"),
        ("D1:2", "utterance"),
        ("D2:1", "utterance"),
    ]
    turn = bundle.turn_by_id["D1:1.1"]
    assert turn.extras == {"locomo": {"query": "blue kite", "re-download": True}}
    assert [(each.id, each.caption) for each in turn.attachments] == [
        ("D1:IMG_001", "a photo of a kite")
    ]
    (asset,) = bundle.assets
    assert (asset.availability, asset.uri) == (
        Availability.REMOTE,
        "https://example.org/kite.jpg",
    )
    assert {"event_summary", "observation", "session_summary"} <= set(talk.extras["locomo"])


def test_categories_and_answers(tmp_path: Path) -> None:
    """An integer becomes text; an adversarial item is a refusal whose trap is kept."""
    items = bundle_of(import_sample(tmp_path, sample())).questions
    assert [(item.benchmark_type, item.type, item.answer.format) for item in items] == [
        ("4", QuestionType.FACT_RECALL, AnswerFormat.FREE),
        ("2", QuestionType.TEMPORAL, AnswerFormat.DATE),
        ("5", QuestionType.REFUSAL, AnswerFormat.REFUSAL),
    ]
    assert items[1].answer.values == ["2022"]
    assert (items[2].answerable, items[2].answer.values) == (False, ["No information available"])
    assert items[2].answer.traps == ["a kite"]
    assert [item.evidence.canonical for item in items] == [["D2:1"], ["D1:2"], ["D2:1"]]
    assert [bool(item.format_prompt) for item in items] == [False, True, False]


def _asking(**change: Any) -> dict[str, Any]:
    raw = sample()
    raw["qa"] = [{**raw["qa"][0], **change}]
    return raw


@pytest.mark.parametrize(
    ("evidence", "places", "broken"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"], ["import.evidence_malformed"]),
        (["D9:1 D4:4 D4:6"], ["D9:1", "D4:4", "D4:6"], ["import.evidence_malformed"]),
        (["D30:05"], ["D30:5"], ["import.evidence_malformed"]),
        (["D"], [], ["import.evidence_malformed"]),
        (["D:11:26"], [], ["import.evidence_malformed"]),
        (["D1:2 "], ["D1:2"], ["import.evidence_malformed"]),
        (["D10:19"], ["D10:19"], []),
        ([], [], []),
        ("D1:2", ["D1:2"], ["import.shape"]),
    ],
)
def test_evidence_is_read_as_far_as_it_can_be(
    tmp_path: Path, evidence: Any, places: list[str], broken: list[str]
) -> None:
    """The published kinds of malformed evidence are named with what is readable in them."""
    raw = _asking(evidence=evidence)
    imported = import_sample(tmp_path, raw)
    (item,) = bundle_of(imported).questions
    assert (rules(imported), item.evidence.canonical) == (broken, places)
    if broken == ["import.evidence_malformed"] and places:
        assert all(place in only(imported, broken[0]).fix for place in places)
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"answer": None}, "import.answer_missing"),
        ({"answer": "  "}, "import.answer_missing"),
        ({"answer": 2.5}, "import.answer_not_text"),
        ({"answer": True}, "import.answer_not_text"),
        ({"category": "4"}, "import.shape"),
        ({"category": 5, "answer": "No", "adversarial_answer": "Yes"}, "import.refusal_answered"),
        ({"category": 5, "answer": "No"}, "import.trap_missing"),
    ],
)
def test_a_defect_of_a_question_is_named_and_comes_back(
    tmp_path: Path, change: dict[str, Any], rule: str
) -> None:
    """A question with a defect is a record all the same, with its finding."""
    raw = _asking(**change)
    imported = import_sample(tmp_path, raw)
    assert rule in rules(imported)
    assert only(imported, rule).target == "conv-7/Q0001"
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize(
    "change", [{"question": None}, {"question": ""}, {"category": 6}, {"category": True}]
)
def test_a_question_that_can_be_no_record_is_held_out(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    """Upstream's evaluator raises ValueError for a category of its own."""
    imported = import_sample(tmp_path, _asking(**change))
    assert rules(imported) == ["import.part_unreadable"]
    assert [each.record for each in imported.held_out] == ["conv-7/qa/0"]


def test_a_caption_without_an_address_stands_in(tmp_path: Path) -> None:
    """A turn may have a caption and no address: the image is missing, and marked."""
    raw = sample()
    raw["conversation"]["session_1"][1]["blip_caption"] = "a photo of a shop"
    imported = import_sample(tmp_path, raw)
    assert only(imported, "import.image_caption_only").target == "conv-7/D1_IMG_002"
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


def test_an_inline_image_is_taken_in(tmp_path: Path) -> None:
    """A data: address holds the image itself."""
    raw = sample()
    address = "data:image/png;base64," + base64.b64encode(png("red")).decode("ascii")
    raw["conversation"]["session_1"][0]["img_url"] = [address]
    imported = import_sample(tmp_path, raw)
    assert only(imported, "import.image_inline").severity.value == "info"
    (asset,) = bundle_of(imported).assets
    assert (asset.availability, asset.media_type) == (Availability.PRESENT, "image/png")
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize(
    "address", ["data:image/png;base64,@@", "data:image/png;base64,AAAA", "data:nothing"]
)
def test_a_broken_inline_image_is_an_error(tmp_path: Path, address: str) -> None:
    """What cannot be decoded is no image, caption or not."""
    raw = sample()
    raw["conversation"]["session_1"][0]["img_url"] = [address]
    imported = import_sample(tmp_path, raw)
    assert only(imported, "import.image_unreadable").target == "conv-7/D1_IMG_001"
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("img_url", "https://example.org/kite.jpg", "import.shape"),
        ("blip_caption", ["a kite"], "import.shape"),
        ("img_url", ["https://a.example/1", "https://a.example/2"], "import.images_several"),
        ("dia_id", "D1:01", "import.id_malformed"),
        ("dia_id", None, "import.id_malformed"),
        ("speaker", "Cy", "import.speaker_unknown"),
    ],
)
def test_a_defect_of_a_turn_is_named_and_comes_back(
    tmp_path: Path, key: str, value: Any, rule: str
) -> None:
    """A turn with a defect is a record all the same."""
    raw = sample()
    raw["conversation"]["session_1"][0][key] = value
    imported = import_sample(tmp_path, raw)
    assert rule in rules(imported)
    assert len(bundle_of(imported).conversation.rounds()) == 3
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"text": 5}, "import.part_unreadable"),
        ({"speaker": ""}, "import.part_unreadable"),
        ({"dia_id": "D1:1"}, "import.id_repeated"),
    ],
)
def test_a_turn_that_can_be_no_record_is_held_out(
    tmp_path: Path, change: dict[str, Any], rule: str
) -> None:
    """It is kept as it is, with its place in the file."""
    raw = sample()
    raw["conversation"]["session_1"][1].update(change)
    imported = import_sample(tmp_path, raw)
    assert rule in rules(imported)
    assert [each.record for each in imported.held_out] == ["conv-7/conversation/session_1/1"]


@pytest.mark.parametrize("date", ["1:56 pm on 31 February, 2023", None, 5])
def test_an_unreadable_date_is_kept_in_extras(tmp_path: Path, date: Any) -> None:
    """No date is invented."""
    raw = sample()
    raw["conversation"]["session_1_date_time"] = date
    imported = import_sample(tmp_path, raw)
    assert "import.date_unreadable" in rules(imported)
    assert bundle_of(imported).conversation.sessions[0].date is None
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


def test_dates_without_session_are_kept_and_reported(tmp_path: Path) -> None:
    """conv-26 has 16 of them."""
    raw = sample()
    raw["conversation"]["session_3_date_time"] = "1:56 pm on 9 May, 2023"
    imported = import_sample(tmp_path, raw)
    assert only(imported, "import.date_without_session").severity.value == "warning"
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


@pytest.mark.parametrize("key", ["n_session", "session_x", "session_02"])
def test_a_key_that_crashes_upstream_is_held_out(tmp_path: Path, key: str) -> None:
    """Upstream takes every key with `session` in it for a session; no export may hold one."""
    raw = sample()
    raw["conversation"][key] = 24
    imported = import_sample(tmp_path, raw)
    assert [each.record for each in imported.held_out] == [f"conv-7/conversation/{key}"]
    (exported,) = export_samples([bundle_of(imported)], tmp_path / "out")
    assert key not in exported["conversation"]


def test_a_first_session_of_one_speaker_is_reported(tmp_path: Path) -> None:
    """Upstream takes both names from session_1 and raises IndexError."""
    raw = sample()
    del raw["conversation"]["session_1"][1]
    assert "import.speaker_alone" in rules(import_sample(tmp_path, raw))


@pytest.mark.parametrize("raw", [5, {"sample_id": "x"}, {"sample_id": "x", "conversation": []}])
def test_a_sample_without_conversation_makes_no_record(tmp_path: Path, raw: Any) -> None:
    """It is held out whole; its neighbours are read."""
    broken, sound = import_all("locomo", write_samples(tmp_path, raw, sample()))[::-1]
    broken, sound = (broken, sound) if broken.bundle is None else (sound, broken)
    assert broken.bundle is None
    assert json.loads(broken.held_out[0].content) == raw
    assert bundle_of(sound).id == "conv-7"


def test_samples_of_one_id_are_told_apart(tmp_path: Path) -> None:
    """The second gets its position behind its id, and its own id comes back."""
    first, second = import_all("locomo", write_samples(tmp_path, sample(), sample()))
    assert (bundle_of(first).id, bundle_of(second).id) == ("conv-7", "conv-7-2")
    assert "import.id_repeated" in rules(second)
    bundles = [bundle_of(first), bundle_of(second)]
    assert alike(export_samples(bundles, tmp_path / "out"), [sample(), sample()])


def test_a_folder_gives_the_samples_of_all_its_files(tmp_path: Path) -> None:
    """Sources are in natural order of their ids."""
    for number in (10, 9):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps([{**sample(), "sample_id": f"conv-{number}"}]), "utf-8")
    assert [source.id for source in LOCOMO.sources(tmp_path)] == ["conv-9", "conv-10"]
    (tmp_path / "again.json").write_text((tmp_path / "9.json").read_text("utf-8"), "utf-8")
    with pytest.raises(SourceError, match="rename one of the files"):
        LOCOMO.sources(tmp_path)


def test_a_file_that_shrank_is_refused(tmp_path: Path) -> None:
    """A sample that is gone when it is to be read is no silent gap."""
    path = write_samples(tmp_path, sample(), {**sample(), "sample_id": "conv-8"})
    sources = LOCOMO.sources(path)
    write_samples(tmp_path, sample())
    with pytest.raises(SourceError, match="changed while it was read"):
        LOCOMO.read(sources[1], MemoryBlobs(), "CC0-1.0")


def test_questions_of_a_scenario_are_not_looked_for_in_a_sample(tmp_path: Path) -> None:
    """A sample without `qa` is said to have none; other keys are kept."""
    raw = sample()
    raw[QUESTIONS] = raw.pop("qa")
    imported = import_sample(tmp_path, raw)
    assert "import.key_missing" in rules(imported)
    assert alike(export_samples([bundle_of(imported)], tmp_path / "out"), [raw])


def test_an_answer_that_was_a_number_stays_one_in_another_collection(tmp_path: Path) -> None:
    """A host with guests is of M2A's collection; its answers are still those of its file."""
    bundle = bundle_of(import_sample(tmp_path, sample()))
    talk = bundle.conversation.model_copy(update={"collection": "m2a"})
    export(LOCOMO, [bundle.model_copy(update={"conversation": talk})], MemoryBlobs(), tmp_path)
    (written,) = json.loads((tmp_path / "locomo.json").read_text("utf-8"))
    given = [one["answer"] for one in sample()["qa"] if isinstance(one.get("answer"), int)]
    assert given
    assert [one["answer"] for one in written["qa"] if isinstance(one["answer"], int)] == given
