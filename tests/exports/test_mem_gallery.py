"""Mem-Gallery files become records and come back; what is wrong with them is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import (
    LICENCE,
    QUESTIONS,
    SESSIONS,
    alike,
    bundle_of,
    export_scenario,
    import_scenario,
    only,
    rules,
    scenario,
    write_scenario,
)

from memassay.exports.formats.mem_gallery.layout import MemGallery
from memassay.schemas.base import Modality
from memassay.schemas.errors import SourceError
from memassay.schemas.records.question import AnswerFormat, AnswerRelation
from memassay.schemas.records.question_type import QuestionType

GALLERY = MemGallery()


def _round(raw: dict[str, Any], session: int = 0, at: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = raw[SESSIONS][session]["dialogues"][at]
    return found


def test_a_scenario_becomes_records(tmp_path: Path) -> None:
    """Sessions, rounds, turns, attachments, speakers and questions are where they belong."""
    imported = import_scenario(tmp_path, scenario())
    talk, questions = bundle_of(imported).conversation, bundle_of(imported).questions
    assert rules(imported) == []
    assert (talk.id, talk.collection, talk.path) == ("Boat", "mem-gallery", "curate")
    assert [(each.id, each.name, each.kind.value) for each in talk.speakers] == [
        ("user", "Ida Lund", "human"),
        ("assistant", "assistant", "assistant"),
    ]
    assert talk.speakers[0].profile is not None
    assert talk.speakers[0].profile.traits == ["patient", "exact"]
    assert [(each.id, each.index, each.date) for each in talk.sessions] == [
        ("D1", 1, "2024-06-17"),
        ("D2", 2, "2024-07-01"),
    ]
    assert [turn.id for turn in talk.turns()][:2] == ["D1:1.1", "D1:1.2"]
    assert [
        (turn.speaker, each.id, each.asset, each.caption) for turn, each in talk.attachments()
    ] == [("user", "D1:IMG_001", "Boat/D1_IMG_001", "A red hull")]
    assert [each.id for each in questions] == [f"Boat/Q000{number}" for number in range(1, 6)]
    assert questions[2].evidence.canonical == ["D1:2", "D2:1"]
    assert [each.id for each in questions[2].question.attachments] == ["Q:IMG_001"]
    assert {asset.licence for asset in bundle_of(imported).assets} == {LICENCE}


def test_types_formats_and_modalities(tmp_path: Path) -> None:
    """Each type gets its answer format, its upstream suffix and what a reader must look at."""
    items = bundle_of(import_scenario(tmp_path, scenario())).questions
    assert [(item.benchmark_type, item.type, item.answer.format) for item in items] == [
        ("VS", QuestionType.VISUAL_SEARCH, AnswerFormat.IMAGE_ID),
        ("AR", QuestionType.REFUSAL, AnswerFormat.REFUSAL),
        ("KR", QuestionType.KNOWLEDGE_UPDATE, AnswerFormat.FREE),
        ("CD", QuestionType.CONFLICT, AnswerFormat.YES_NO),
        ("TR", QuestionType.TEMPORAL, AnswerFormat.DATE),
    ]
    assert [item.answerable for item in items] == [True, False, True, True, True]
    assert [item.modalities for item in items[:3]] == [
        [Modality.IMAGE],
        [Modality.TEXT],
        [Modality.TEXT, Modality.IMAGE],
    ]
    assert [bool(item.format_prompt) for item in items] == [True, True, False, True, False]
    assert items[0].answer.relation is AnswerRelation.ALL


def _answers(point: str, answer: Any) -> dict[str, Any]:
    raw = scenario()
    raw[QUESTIONS] = [{**raw[QUESTIONS][0], "point": point, "answer": answer}]
    return raw


@pytest.mark.parametrize(
    ("point", "answer", "format_", "values", "broken"),
    [
        ("VS", "D1:IMG_001, D2:IMG_004", "image_id", ["D1:IMG_001", "D2:IMG_004"], []),
        ("VS", "D1:IMG_001.", "image_id", ["D1:IMG_001"], ["import.answer_not_canonical"]),
        ("VS", "D1:IMG_001,D1:IMG_002", "image_id", ["D1:IMG_001", "D1:IMG_002"], None),
        (
            "VS",
            "D10:IMG_001, D2:IMG_004",
            "image_id",
            ["D10:IMG_001", "D2:IMG_004"],
            ["import.answer_not_canonical"],
        ),
        (
            "VS",
            "D1:IMG_001, D1:IMG_001",
            "image_id",
            ["D1:IMG_001", "D1:IMG_001"],
            ["import.answer_not_canonical"],
        ),
        ("VS", "3", "number", ["3"], ["import.answer_not_image_ids"]),
        ("VS", "The hull in D1:IMG_001", "free", None, ["import.answer_not_image_ids"]),
        ("VS", "D1:IMG_0012", "free", None, ["import.answer_not_image_ids"]),
        ("FR", "Yes.", "yes_no", ["Yes."], []),
        ("FR", "2.5", "number", ["2.5"], []),
        ("FR", "2023", "number", ["2023"], []),
        ("TR", "2023", "date", ["2023"], []),
        ("TR", "2024-02-30", "free", ["2024-02-30"], []),
        ("FR", 3, "number", ["3"], ["import.answer_not_text"]),
        ("FR", "", "free", [], ["import.answer_missing"]),
        ("FR", None, "free", [], ["import.answer_missing"]),
        ("AR", "", "refusal", [], ["import.answer_missing"]),
        ("FR", ["a"], "free", ["a"], ["import.answer_not_text"]),
    ],
)
def test_answers_are_read_for_what_they_are(
    tmp_path: Path, point: str, answer: Any, format_: str, values: Any, broken: Any
) -> None:
    """An answer's format follows from its text; whatever it was, it comes back as it was."""
    raw = _answers(point, answer)
    imported = import_scenario(tmp_path, raw)
    (item,) = bundle_of(imported).questions
    assert item.answer.format == format_
    assert values is None or item.answer.values == values
    assert broken is None or rules(imported) == broken
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_a_side_that_says_nothing_makes_no_turn(tmp_path: Path) -> None:
    """A round of one side is one turn, and its empty side comes back."""
    raw = scenario()
    _round(raw, 1)["user"] = ""
    del _round(raw, 0, 1)["assistant"]
    imported = import_scenario(tmp_path, raw)
    talk = bundle_of(imported).conversation
    assert [(turn.id, turn.speaker) for turn in talk.sessions[1].rounds[0].turns] == [
        ("D2:1.1", "assistant")
    ]
    assert rules(imported) == ["import.field_missing"]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_a_round_that_upstream_drops_is_held_out(tmp_path: Path) -> None:
    """Without words and image a round is held out; with an image it stays, and is reported."""
    raw = scenario()
    _round(raw, 1).update(user="", assistant="")
    _round(raw).update(user="", assistant="")
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.round_empty", "import.round_wordless"]
    assert [each.record for each in imported.held_out] == [
        "Boat/multi_session_dialogues/1/dialogues/0"
    ]
    assert bundle_of(imported).round_by_id["D1:1"].turns[0].text == ""


def test_misspelt_questions_are_held_out_and_reported(tmp_path: Path) -> None:
    """Upstream finds no question and says nothing; we say what it is."""
    raw = scenario()
    raw["human_annotated_QAs"] = raw.pop(QUESTIONS)
    imported = import_scenario(tmp_path, raw)
    assert "upstream finds none and says nothing" in only(imported, "import.key_missing").fix
    assert [each.record for each in imported.held_out] == ["Boat/human_annotated_QAs"]
    assert bundle_of(imported).questions == []


def test_a_file_without_sessions_makes_no_record(tmp_path: Path) -> None:
    """Upstream skips it with a print; it is held out whole."""
    imported = import_scenario(tmp_path, {"multi_session_dialogue": []})
    assert (imported.bundle, rules(imported)) == (None, ["import.key_missing"])
    assert imported.held_out[0].content == '{"multi_session_dialogue":[]}'


@pytest.mark.parametrize(
    ("clue", "places", "broken"),
    [
        (["D1:2; D2:1"], ["D1:2", "D2:1"], ["import.evidence_malformed"]),
        (["D01:02"], ["D1:2"], ["import.evidence_malformed"]),
        (["D"], [], ["import.evidence_malformed"]),
        ([7], [], ["import.evidence_malformed"]),
        (["D1:IMG_001"], ["D1:IMG_001"], ["import.evidence_not_a_round"]),
        (["D1"], ["D1"], ["import.evidence_not_a_round"]),
        ("D1:2", ["D1:2"], ["import.shape"]),
        (["D9:9"], ["D9:9"], []),
        (["D1:2", "D1:2"], ["D1:2", "D1:2"], []),
    ],
)
def test_evidence_is_read_as_far_as_it_can_be(
    tmp_path: Path, clue: Any, places: list[str], broken: list[str]
) -> None:
    """Readable places are kept, malformed entries named, unresolvable ones left to the rules."""
    raw = scenario()
    sessions = sorted({place.partition(":")[0] for place in places})
    raw[QUESTIONS] = [{**raw[QUESTIONS][2], "clue": clue, "session_id": sessions}]
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == broken
    assert bundle_of(imported).questions[0].evidence.canonical == places
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


@pytest.mark.parametrize(
    "change", [{"question": ""}, {"question": 5}, {"point": ""}, {"point": "XX"}, {"point": None}]
)
def test_a_question_that_can_be_no_record_is_held_out(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    """Its neighbours keep their ids."""
    raw = scenario()
    raw[QUESTIONS][1].update(change)
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.part_unreadable"]
    assert json.loads(imported.held_out[0].content) == raw[QUESTIONS][1]
    assert [item.id[-5:] for item in bundle_of(imported).questions] == [
        *("Q0001", "Q0003", "Q0004", "Q0005")
    ]
    del raw[QUESTIONS][1]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_a_type_in_lower_case_is_read_and_reported(tmp_path: Path) -> None:
    """Upstream raises the case for its prompt only."""
    raw = scenario()
    raw[QUESTIONS][0]["point"] = "vs"
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.type_not_canonical"]
    assert bundle_of(imported).questions[0].benchmark_type == "VS"
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_sessions_that_are_not_those_of_the_clues_are_reported(tmp_path: Path) -> None:
    """A question may not name one session and cite another."""
    raw = scenario()
    cited = next(each for each in raw[QUESTIONS] if each["clue"])
    cited["session_id"] = ["D7"]
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.sessions_disagree"]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_ids_given_twice_are_held_out(tmp_path: Path) -> None:
    """A second round or session of an id cannot be cited; it is kept as it is."""
    raw = scenario()
    raw[SESSIONS][0]["dialogues"].append({"round": "D1:1", "user": "Again", "assistant": "Yes"})
    raw[SESSIONS].append({**raw[SESSIONS][1]})
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.id_repeated", "import.id_repeated"]
    assert [each.record for each in imported.held_out] == [
        "Boat/multi_session_dialogues/0/dialogues/2",
        "Boat/multi_session_dialogues/2",
    ]


@pytest.mark.parametrize(("written", "read"), [("D1:02", "D1:2"), ("two", "D1:2"), (None, "D1:2")])
def test_a_malformed_round_id_is_read_by_position(tmp_path: Path, written: Any, read: str) -> None:
    """The round stays, and its id as written comes back."""
    raw = scenario()
    _round(raw, 0, 1)["round"] = written
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.id_malformed"]
    assert [each.id for each in bundle_of(imported).conversation.sessions[0].rounds] == [
        "D1:1",
        read,
    ]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


@pytest.mark.parametrize("date", ["2024-06-31", None, 20240631])
def test_an_unreadable_date_is_kept_in_extras(tmp_path: Path, date: Any) -> None:
    """No date is invented."""
    raw = scenario()
    raw[SESSIONS][0]["date"] = date
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.date_unreadable"]
    assert bundle_of(imported).conversation.sessions[0].date is None
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


@pytest.mark.parametrize("profile", [None, {}, {"name": 3}, ["x"], {"name": "A", "traits": "x"}])
def test_a_profile_that_lacks_something_is_reported(tmp_path: Path, profile: Any) -> None:
    """Without a name the user is called `user`, as upstream has it."""
    raw = {**scenario(), "character_profile": profile}
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == ["import.profile_incomplete"]
    assert bundle_of(imported).conversation.speakers[0].name in {"user", "A"}
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    """At every level, with an info that names them."""
    raw = scenario()
    for holder in (raw, raw[SESSIONS][0], _round(raw), raw[QUESTIONS][0]):
        holder["reviewer"] = {"id": 7}
    imported = import_scenario(tmp_path, raw)
    assert rules(imported) == []
    assert "import.key_unknown" in rules(imported, infos=True)
    assert bundle_of(imported).questions[0].extras["mem-gallery"] == {"reviewer": {"id": 7}}
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_sources_are_found_from_every_level(tmp_path: Path) -> None:
    """A file, the dialog folder, the data folder and the benchmark's root give one source."""
    data = tmp_path / "benchmark" / "data"
    path = write_scenario(data, scenario())
    (data / "dialog" / "Boat_results_1.json").write_text("{}", encoding="utf-8")
    for start in (path, data / "dialog", data, tmp_path / "benchmark", tmp_path):
        (source,) = GALLERY.sources(start)
        assert (source.id, source.path) == ("Boat", path)


def test_two_files_of_one_id_are_refused(tmp_path: Path) -> None:
    """File names that differ only in what an id cannot hold are told apart by their owner."""
    write_scenario(tmp_path, scenario(), "A b")
    write_scenario(tmp_path, scenario(), "A_b")
    with pytest.raises(SourceError, match="rename one of the files"):
        GALLERY.sources(tmp_path)
