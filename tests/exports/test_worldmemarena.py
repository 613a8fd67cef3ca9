"""WorldMemArena's layout: samples come in whole and go out again; each trap is a finding."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.arena import (
    FOLDER,
    Change,
    arena_sample,
    ask,
    change_image,
    change_question,
    image,
    import_sample,
    move_s00_points,
    point,
    points_of,
    shorten_id,
    told_sample,
    turn,
    write_sample,
)
from support.foreign_cases import alike, bundle_of, import_all, import_scenario, rules, scenario
from support.release_builder import MemoryBlobs
from support.written_layouts import export, write

from memassay.exports.formats.registry import FORMATS
from memassay.exports.formats.worldmemarena.layout import WorldMemArena
from memassay.exports.formats.worldmemarena.naming import Names, within_others
from memassay.exports.formats.worldmemarena.writing import SampleWriter
from memassay.schemas.base import Modality
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.errors import SourceError
from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.ledger import FactOperation, FactStatus
from memassay.schemas.records.question import AnswerFormat

LAYOUT = WorldMemArena()
FILE = f"{FOLDER}/tide.json"


def given_out(folder: Path, imported: Imported, blobs: MemoryBlobs | None = None) -> Any:
    """The sample that a bundle is written as."""
    write(LAYOUT, [bundle_of(imported)], blobs or MemoryBlobs(), folder)
    (file,) = folder.rglob("*.json")
    return json.loads(file.read_text(encoding="utf-8"))


def test_a_sample_comes_back_with_its_image(tmp_path: Path) -> None:
    """Without a finding, in its folder, byte by byte."""
    blobs = MemoryBlobs()
    imported = import_sample(tmp_path / "in", arena_sample(), blobs)
    assert rules(imported, infos=True) == []
    assert alike(given_out(tmp_path / "out", imported, blobs), arena_sample())
    for place in (FILE, f"{FOLDER}/images/tide/1.png"):
        assert (tmp_path / "out" / place).is_file()


def test_points_are_facts(tmp_path: Path) -> None:
    """Sentence, source, importance, session and chain stand in the ledger."""
    bundle = bundle_of(import_sample(tmp_path, arena_sample()))
    facts = {fact.id.partition("/")[2]: fact for fact in bundle.facts}
    assert facts["mp_S01_02"].statement == "The chart screen takes 12 days of work."
    assert (facts["mp_S01_02"].source, facts["mp_S01_02"].session) == ("system", "D2")
    assert facts["mp_S01_03"].status is FactStatus.INTERFERENCE
    assert facts["mp_S02_01"].operation is FactOperation.REVISE
    assert facts["mp_S02_01"].supersedes == ["tide/mp_S01_01"]
    held = [fact.id.partition("/")[2] for fact in gold_state(bundle, "D3")]
    assert held == ["mp_S00_01", "mp_S01_02", "mp_S02_01"]


def test_what_points_state_and_where_comes_back(tmp_path: Path) -> None:
    """Keys of ours: subject, attribute and value, turns and images, the name of the user."""
    blobs = MemoryBlobs()
    imported = import_sample(tmp_path / "in", told_sample(), blobs)
    assert rules(imported, infos=True) == []
    bundle = bundle_of(imported)
    facts = {fact.id.partition("/")[2]: fact for fact in bundle.facts}
    due = facts["mp_S01_03"]
    assert (due.subject, due.attribute, due.value.text) == (
        "the chart screen",
        "due date",
        "2025-05-04",
    )
    seen = {each.fact: each.attachment or each.turn for each in bundle.mentions}
    assert (seen[due.id], seen[facts["mp_S01_02"].id]) == ("D2:2.1", "D2:IMG_001")
    assert bundle.conversation.speakers[0].name == "Ravi"
    assert alike(given_out(tmp_path / "out", imported, blobs), told_sample())


@pytest.mark.parametrize(
    "fields",
    [
        {"seen": [{"turn": 99}]},
        {"seen": [{"image_id": "S09_img_01"}]},
        {"seen": ["first"]},
        {"fact": {"subject": "it"}},
        {"fact": "the owner"},
    ],
)
def test_what_points_state_wrongly_is_found(tmp_path: Path, fields: Any) -> None:
    """The point is read by its sentence then; nothing is lost."""
    broken = arena_sample(_point(1, 0, **fields))
    imported = import_sample(tmp_path / "in", broken, blobs := MemoryBlobs())
    assert rules(imported, infos=True) == ["import.shape"]
    assert alike(given_out(tmp_path / "out", imported, blobs), broken)


def test_captions_say_what_can_be_read_in_pictures(tmp_path: Path) -> None:
    """Of records that know it; upstream gives memories of texts nothing else."""
    bundle = bundle_of(import_sample(tmp_path, arena_sample()))
    (board,) = bundle.assets
    board = board.model_copy(update={"transcription": "Chart screen\nEffort: 12 days\n"})
    writer = SampleWriter(bundle.model_copy(update={"assets": [board]}), Names.of(bundle, own=True))
    ((_, shown),) = bundle.conversation.attachments()
    assert writer.caption(shown.model_copy(update={"caption": "A board."})) == (
        "A board. It reads: Chart screen; Effort: 12 days"
    )


def test_sessions_checkpoints_and_questions_are_records(tmp_path: Path) -> None:
    """Arcs, times of asking, types, forms and evidence."""
    bundle = bundle_of(import_sample(tmp_path, arena_sample()))
    arcs = [str(session.arc) for session in bundle.conversation.sessions]
    assert (arcs, bundle.conversation.domain) == (["setup", "main", "side"], FOLDER)
    assert [each.covered_sessions for each in bundle.conversation.checkpoints] == [
        ["D1", "D2"],
        ["D1", "D2", "D3"],
    ]
    first, visual, refusal, _, both = bundle.questions
    assert (first.asked_at.checkpoint, first.evidence.facts) == ("cp1", ["tide/mp_S01_01"])
    assert (visual.modalities, visual.evidence.canonical) == ([Modality.IMAGE], ["D2:IMG_001"])
    assert (refusal.answerable, refusal.answer.format) == (False, AnswerFormat.REFUSAL)
    assert both.modalities == [Modality.TEXT, Modality.IMAGE]


def _point(session: int, at: int, **fields: Any) -> Change:
    return lambda raw: points_of(raw, session)[at].update(fields)


def _second_image(name: str) -> Change:
    def change(raw: Any) -> None:
        shown = raw["sessions"][1]["dialogue"][0]["attachments"]
        shown.append(image(name, "Another board", 1))

    return change


def _legacy(raw: Any) -> None:
    shown = raw["sessions"][1]["dialogue"][0]["attachments"][0]
    shown["image_path"] = shown.pop("file_path")


TRAPS: dict[str, tuple[Change, list[str]]] = {
    "session without an id": (
        lambda raw: raw["sessions"].append({"dialogue": [turn("user", "Hello.", 24)]}),
        ["import.session_nameless"],
    ),
    "session id twice": (
        lambda raw: raw["sessions"].append(
            {"_v2_session_id": "S02", "dialogue": [turn("user", "Hello.", 24)]}
        ),
        ["import.id_repeated"],
    ),
    "ids of points within another": (shorten_id, ["import.id_within_another"]),
    "ids of images within another": (_second_image("S01_img_011"), ["import.id_within_another"]),
    "image id twice": (_second_image("S01_img_01"), ["import.id_repeated"]),
    "point id of another form": (
        _point(0, 0, memory_id="mem_7"),
        ["import.evidence_unknown", "import.point_id_form"],
    ),
    "point id twice": (_point(1, 1, memory_id="mp_S01_03"), ["import.id_repeated"]),
    "old wording that nobody has": (
        _point(2, 0, original_memories=["Ines has it."]),
        ["import.original_unknown"],
    ),
    "update without an old wording": (
        _point(2, 0, original_memories=[]),
        ["import.update_unmarked"],
    ),
    "old wording of no update": (_point(2, 0, is_update=False), ["import.update_unmarked"]),
    "update as neither": (
        _point(2, 0, is_update="perhaps"),
        ["import.shape", "import.update_unmarked"],
    ),
    "importance in words": (_point(1, 0, importance="high"), ["import.importance"]),
    "importance beyond 1": (_point(1, 0, importance=7), ["import.importance"]),
    "evidence that is no point": (
        change_question(0, 0, evidence=[{"memory_id": "mp_S09_01"}]),
        ["import.evidence_unknown"],
    ),
    "evidence of both kinds": (
        change_question(0, 0, evidence=[{"memory_id": "mp_S01_01", "image_id": "S01_img_01"}]),
        ["import.evidence_twofold"],
    ),
    "evidence as a text": (change_question(0, 0, evidence="mp_S01_01"), ["import.shape"]),
    "session that no checkpoint can cover": (
        lambda raw: raw["qa_checkpoints"][0]["covered_sessions"].append("S09"),
        ["import.checkpoint_unasked"],
    ),
    "image under its old key": (_legacy, ["import.image_path_legacy"]),
    "image without a caption": (change_image(caption=""), ["import.caption_missing"]),
    "image that is not there": (
        change_image(file_path="images/no.png"),
        ["import.image_caption_only"],
    ),
    "image elsewhere": (change_image(file_path="/etc/passwd"), ["import.image_outside"]),
    "time that is none": (
        lambda raw: raw["sessions"][2]["dialogue"][1].update(timestamp="soon"),
        ["import.date_unreadable"],
    ),
    "no answer": (change_question(0, 0, answer=""), ["import.answer_missing"]),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_is_found_and_nothing_is_lost(tmp_path: Path, trap: str) -> None:
    """What upstream's loader gets wrong without a word; the file comes back as it was."""
    change, expected = TRAPS[trap]
    broken = arena_sample(change)
    blobs = MemoryBlobs()
    imported = import_sample(tmp_path / "in", broken, blobs)
    assert set(rules(imported, infos=True)) == set(expected)
    assert alike(given_out(tmp_path / "out", imported, blobs), broken)


def _inside(raw: Any) -> None:
    raw["sessions"][2]["memory_points"] = raw["memory_points"].pop()["memory_points"]


def _two_blocks(raw: Any) -> None:
    block = raw["memory_points"][0]
    rest = {"session_id": "S01", "memory_points": block["memory_points"][2:]}
    block["memory_points"] = block["memory_points"][:2]
    raw["memory_points"].insert(1, rest)


MISPLACED: dict[str, tuple[Change, str]] = {
    "points of S00 at the top": (move_s00_points, "import.points_misplaced"),
    "points inside another session": (_inside, "import.points_misplaced"),
    "two blocks of one session": (_two_blocks, "import.points_replaced"),
}


@pytest.mark.parametrize("trap", MISPLACED)
def test_misplaced_points_are_read_and_written_in_their_place(tmp_path: Path, trap: str) -> None:
    """Upstream's loader does not see them where they were."""
    change, rule = MISPLACED[trap]
    imported = import_sample(tmp_path / "in", arena_sample(change), blobs := MemoryBlobs())
    assert rules(imported, infos=True) == [rule]
    assert alike(given_out(tmp_path / "out", imported, blobs), arena_sample())


HELD: dict[str, tuple[Change, str]] = {
    "checkpoint that covers nothing": (
        lambda raw: raw["qa_checkpoints"][0].update(covered_sessions=[]),
        "import.checkpoint_unasked",
    ),
    "block of an unknown session": (
        lambda raw: raw["memory_points"].append({"session_id": "S07", "memory_points": []}),
        "import.points_unreached",
    ),
    "point without a sentence": (
        lambda raw: points_of(raw, 1).append({"memory_id": "mp_S01_04"}),
        "import.part_unreadable",
    ),
    "turn without words": (
        lambda raw: raw["sessions"][2]["dialogue"].append({"role": "user"}),
        "import.part_unreadable",
    ),
    "question of an unknown type": (
        change_question(0, 2, question_type_abbrev="XY"),
        "import.part_unreadable",
    ),
}


@pytest.mark.parametrize("trap", HELD)
def test_what_cannot_be_a_record_is_held_out(tmp_path: Path, trap: str) -> None:
    """With its reason, as it was."""
    change, rule = HELD[trap]
    imported = import_sample(tmp_path, arena_sample(change))
    assert rules(imported, infos=True) == [rule]
    assert [each.reasons for each in imported.held_out] == [[rule]]


@pytest.mark.parametrize("place", ["manifest.json", "images/tide/captions.json"])
def test_a_stray_json_file_is_found(tmp_path: Path, place: str) -> None:
    """Upstream's loader takes every JSON file below the root for a sample, and stops."""
    write_sample(tmp_path, arena_sample())
    (tmp_path / FOLDER / place).write_text('{"made": "today"}', encoding="utf-8")
    found = [each for each in import_all("worldmemarena", tmp_path) if each.bundle is None]
    assert [rules(each) for each in found] == [["import.file_stray"]]


def test_lists_at_the_root_are_no_samples(tmp_path: Path) -> None:
    """Neither the small split nor our list of what is left out."""
    write_sample(tmp_path, arena_sample())
    for name in ("small_ids.json", "unfit.json"):
        (tmp_path / name).write_text("[]", encoding="utf-8")
    assert [rules(each) for each in import_all("worldmemarena", tmp_path)] == [[]]


def test_a_sample_beside_the_folders_is_found(tmp_path: Path) -> None:
    """Upstream's loader passes over the root itself."""
    write_sample(tmp_path, arena_sample())
    write_sample(tmp_path, {**arena_sample(), "sample_id": "other"}, "other.json")
    first, second = import_all("worldmemarena", tmp_path)
    assert (rules(first), rules(second)) == (["import.file_at_root"], [])


def test_a_folder_without_samples_is_refused(tmp_path: Path) -> None:
    """With what is expected of it."""
    with pytest.raises(SourceError, match="each a WorldMemArena sample"):
        LAYOUT.sources(tmp_path)


def test_an_export_pads_ids_of_which_one_is_part_of_another(tmp_path: Path) -> None:
    """In points, images, evidence and answers alike."""
    blobs = MemoryBlobs()

    def change(raw: Any) -> None:
        shorten_id(raw)
        _second_image("S01_img_1")(raw)
        _second_image("S01_img_10")(raw)
        raw["qa_checkpoints"][0]["questions"].append(
            ask("VS", "Visual Search", "Which images show a board?", "S01_img_1", "S01_img_1")
        )

    bundle = bundle_of(import_sample(tmp_path / "in", arena_sample(change), blobs))
    export(FORMATS["worldmemarena"], [bundle], blobs, tmp_path / "out")
    raw = json.loads((tmp_path / "out" / FILE).read_text(encoding="utf-8"))
    shown = raw["sessions"][1]["dialogue"][0]["attachments"]
    names = [each["image_id"] for each in shown]
    names += [each["memory_id"] for at in range(3) for each in points_of(raw, at)]
    assert within_others(names) == []
    searched = raw["qa_checkpoints"][0]["questions"][-1]
    assert searched["evidence"] == [{"image_id": searched["answer"]}]
    assert searched["answer"] in names


def test_other_conversations_become_samples(tmp_path: Path) -> None:
    """Without points; questions whose evidence is no point or image are left out and listed."""
    bundle = bundle_of(import_scenario(tmp_path / "in", scenario()))
    kept, lost = export(FORMATS["worldmemarena"], [bundle], MemoryBlobs(), tmp_path / "out")
    listed = {each.record for each in lost if each.reason}
    assert set(kept) | listed == {item.id for item in bundle.questions}
    (again,) = import_all("worldmemarena", tmp_path / "out")
    assert len(bundle_of(again).conversation.rounds()) == len(bundle.conversation.rounds())


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    lambda text: bool(text.strip())
)
POINTS = st.tuples(TEXTS, st.sampled_from(["primary", "system", "interference", "the list"]))


@settings(max_examples=20)
@given(
    said=st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), TEXTS), max_size=6),
    points=st.lists(POINTS, max_size=4),
    extra=st.dictionaries(TEXTS, st.none() | st.integers() | TEXTS, max_size=2),
)
def test_sound_samples_round_trip(
    tmp_path_factory: pytest.TempPathFactory, said: list[Any], points: list[Any], extra: Any
) -> None:
    """Whatever is said and to be remembered, with keys that the layout does not have."""

    def change(raw: Any) -> None:
        raw["sessions"][2]["dialogue"] += [{"role": role, "content": text} for role, text in said]
        points_of(raw, 2).extend(
            {**extra, **point(f"mp_S02_{at:02d}", text, source)}
            for at, (text, source) in enumerate(points, start=2)
        )

    raw = arena_sample(change)
    folder = tmp_path_factory.mktemp("arena")
    blobs = MemoryBlobs()
    imported = import_sample(folder / "in", raw, blobs)
    assert alike(given_out(folder / "out", imported, blobs), raw)
