"""M3Exam's layout: what is written, what is read back, what does not fit, and its figures."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import bundle_of, import_all, only, rules, scenario, write_scenario
from support.places import GOLDEN
from support.release_builder import MemoryBlobs, exchange, png, present, question
from support.written_layouts import write

from memassay.exports.formats.m3exam.layout import M3Exam
from memassay.exports.formats.m3exam.writing import folder_names
from memassay.exports.reports.collection_stats import collection_stats
from memassay.flows.recipes.registry import PATHS
from memassay.schemas.base import Modality
from memassay.schemas.errors import SourceError
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Profile,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
)
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerOption
from memassay.schemas.records.question_type import QuestionType

LAYOUT = M3Exam()
NAME = "ida-boat-builder"
PDF = b"%PDF-1.4\n%%EOF\n"
OPTIONS = "A. oak B. ash C. teak D. spruce"


def _assets(blobs: MemoryBlobs) -> list[Asset]:
    paper = Asset(
        id=f"{NAME}/PDF_plan",
        availability=Availability.PRESENT,
        blob_sha256=blobs.put(PDF),
        media_type="application/pdf",
        licence="CC0-1.0",
    )
    page = present(f"{NAME}/D2_DOC_001", png("white"), blobs)
    return [
        present(f"{NAME}/D1_IMG_001", png("red"), blobs),
        present(f"{NAME}/D1_IMG_002", png("blue"), blobs),
        page.model_copy(update={"parent": paper.id, "page": 3}),
        paper,
    ]


def _talk() -> Conversation:
    red = Attachment(id="D1:IMG_001", asset=f"{NAME}/D1_IMG_001", caption="A red hull")
    blue = Attachment(id="D1:IMG_002", asset=f"{NAME}/D1_IMG_002")
    page = Attachment(id="D2:DOC_001", asset=f"{NAME}/D2_DOC_001", caption="Page 3", page=3)
    again = Attachment(id="D8:IMG_001", asset=f"{NAME}/D1_IMG_001", caption="The hull again")
    sessions = [
        exchange("D1:1", "Two hulls. Which is fit?", "The red one.", red, blue),
        exchange("D2:1", "The mast is ash now.", "Noted, and a fine plan.", page),
        exchange("D8:1", "Compare D1:IMG_001 once more.", "It has faded a little.", again),
    ]
    dates = ("2024-05-01", "2024-05-04", "2024-06-20")
    return Conversation(
        id=NAME,
        collection="m3exam",
        path="m3exam",
        speakers=[
            Speaker(
                id="user", name="Ida", kind=SpeakerKind.HUMAN, profile=Profile(summary="A builder.")
            ),
            Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=[
            Session(id=each.id.partition(":")[0], index=at, date=date, rounds=[each])
            for at, (each, date) in enumerate(zip(sessions, dates, strict=True), start=1)
        ],
    )


def _items() -> list[Any]:
    free, modes = AnswerFormat.FREE, {"modalities": [Modality.IMAGE]}
    date = Answer(
        format=AnswerFormat.DATE,
        values=["2024-05-04"],
        equivalents=["4 May 2024"],
        coarser=["May 2024"],
    )
    match = Answer(format=AnswerFormat.IMAGE_ID, values=["D1:IMG_002"], competitors=["D1:IMG_001"])
    options = [AnswerOption(label=text[0], text=text[3:]) for text in ("A. oak", "B. ash")]
    options += [AnswerOption(label=text[0], text=text[3:]) for text in ("C. teak", "D. spruce")]
    choice = Answer(format=AnswerFormat.CHOICE, values=["B"], options=options)
    trade = Answer(format=free, values=["boat building"], competitors=["fishing"])
    kinds = {
        "tr": (QuestionType.TEMPORAL, "When did the mast change?", date, ["D2:1"], {}),
        "fm": (QuestionType.VISUAL_SEARCH, "Which image is blue?", match, ["D1:1"], modes),
        "fj": (QuestionType.JUDGEMENT, f"The mast? {OPTIONS}", choice, ["D2:1"], {}),
        "ii": (QuestionType.IMPLICIT, "What is her trade?", trade, ["D1:1", "D8:1"], {}),
    }
    return [
        question(f"{NAME}/Q{at:04d}", text, answer, places, type=kind, benchmark_type=code, **more)
        for at, (code, (kind, text, answer, places, more)) in enumerate(kinds.items(), start=1)
    ]


def _bundle(blobs: MemoryBlobs) -> Bundle:
    items = [item.model_copy(update={"conversation": NAME}) for item in _items()]
    return Bundle(conversation=_talk(), assets=_assets(blobs), questions=items)


def _written(folder: Path) -> Path:
    blobs = MemoryBlobs()
    write(LAYOUT, [_bundle(blobs)], blobs, folder)
    return folder / "Ida_Boat_Builder"


def _files(folder: Path) -> dict[str, bytes]:
    found = sorted(each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): each.read_bytes() for each in found}


def _edit(path: Path, change: Any) -> None:
    raw = json.loads(path.read_text(encoding="utf-8"))
    change(raw)
    path.write_text(json.dumps(raw), encoding="utf-8")


@pytest.mark.parametrize("name", ["conversation.json", "question.json"])
def test_the_files_are_the_golden_ones(tmp_path: Path, name: str) -> None:
    """A small conversation gives the same bytes for ever."""
    assert (_written(tmp_path) / name).read_bytes() == (GOLDEN / "m3exam" / name).read_bytes()


def test_images_lie_flat_and_the_document_beside_them(tmp_path: Path) -> None:
    """An image that is shown twice has one file; a page is an image, its PDF a file too."""
    assert sorted(_files(_written(tmp_path))) == [
        "conversation.json",
        "documents/plan.pdf",
        "images/img_1.png",
        "images/img_2.png",
        "images/img_3.png",
        "question.json",
    ]


def test_an_export_comes_back_byte_for_byte(tmp_path: Path) -> None:
    """Export, import, export: the same files, without a finding and without anything unfit."""
    folder, blobs = _written(tmp_path / "first"), MemoryBlobs()
    (imported,) = import_all("m3exam", tmp_path / "first", blobs)
    assert rules(imported, infos=True) == []
    assert write(LAYOUT, [bundle_of(imported)], blobs, tmp_path / "second") == []
    assert _files(tmp_path / "second" / folder.name) == _files(folder)


def test_records_come_back(tmp_path: Path) -> None:
    """Answers, options, competitors, pages and evidence are records again."""
    _written(tmp_path)
    bundle = bundle_of(import_all("m3exam", tmp_path)[0])
    when, match, choice, _ = (item.answer for item in bundle.questions)
    assert (when.equivalents, when.coarser) == (["4 May 2024"], ["May 2024"])
    assert (match.values, match.competitors) == (["D1:IMG_002"], ["D1:IMG_001"])
    assert [option.text for option in choice.options] == ["oak", "ash", "teak", "spruce"]
    page = bundle.attachment_by_id["D2:DOC_001"][1]
    assert bundle.asset_by_id[page.asset].parent == "Ida_Boat_Builder/PDF_plan"
    assert bundle.attachment_by_id["D8:IMG_001"][1].asset == "Ida_Boat_Builder/img_0001"
    assert bundle.round_by_id["D2:1"].kind is RoundKind.DOCUMENT
    assert bundle.questions[3].evidence.canonical == ["D1:1", "D8:1"]


def test_wrong_answers_are_not_in_the_answer_list(tmp_path: Path) -> None:
    """Graded exact match credits every listed answer, so a competitor outside fm is unfit."""
    blobs = MemoryBlobs()
    unfit = write(LAYOUT, [_bundle(blobs)], blobs, tmp_path)
    assert [(each.record, each.what) for each in unfit] == [(f"{NAME}/Q0004", "answer.competitors")]


def test_foreign_numbers_of_images_are_kept(tmp_path: Path) -> None:
    """A file whose first image is img_60 comes back with img_60."""
    folder, blobs = _written(tmp_path / "first"), MemoryBlobs()
    for path in (folder / "conversation.json", folder / "question.json"):
        text = path.read_text(encoding="utf-8").replace("img_1", "img_60")
        path.write_text(text, encoding="utf-8")
    (folder / "images/img_1.png").rename(folder / "images/img_60.png")
    (imported,) = import_all("m3exam", tmp_path / "first", blobs)
    write(LAYOUT, [bundle_of(imported)], blobs, tmp_path / "second")
    assert _files(tmp_path / "second" / folder.name) == _files(folder)


def test_unknown_keys_and_odd_values_come_back(tmp_path: Path) -> None:
    """What the layout does not know, or writes otherwise, is kept in extras."""
    folder = _written(tmp_path)

    def change(raw: Any) -> None:
        raw[0] |= {"difficulty": 3, "answer": ["2024-05-04", "May 2024", "4 May 2024"]}
        raw[1]["type"] = "FM"

    _edit(folder / "question.json", change)
    (imported,) = import_all("m3exam", tmp_path)
    assert rules(imported, infos=True) == ["import.key_unknown", "import.type_not_canonical"]
    write(LAYOUT, [bundle_of(imported)], MemoryBlobsOf(folder), tmp_path / "out")
    again = json.loads((tmp_path / "out" / folder.name / "question.json").read_text("utf-8"))
    assert again == json.loads((folder / "question.json").read_text("utf-8"))


class MemoryBlobsOf(MemoryBlobs):
    """The blobs of a folder's files."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        for data in _files(folder).values():
            self.put(data)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (
            lambda raw: raw[1].update(answer=["img_9", "img_1"], label="img_9"),
            "answer_not_image_ids",
        ),
        (lambda raw: raw[0].update(label="2024-05-05"), "answer_not_canonical"),
        (lambda raw: raw[0].update(answer="2024-05-04"), "answer_not_text"),
        (lambda raw: raw[0].update(answer=[], label=""), "answer_missing"),
        (lambda raw: raw[0].pop("supporting_facts"), "field_missing"),
        (lambda raw: raw[0].update(supporting_facts=["D2:05"]), "evidence_malformed"),
        (lambda raw: raw[0].update(type="xx"), "part_unreadable"),
        (lambda raw: raw[0].update(answer=["2024-05-04", 2024]), "answer_not_text"),
    ],
)
def test_defects_of_questions_are_findings(tmp_path: Path, change: Any, rule: str) -> None:
    """Every defect of an item is reported by its rule."""
    _edit(_written(tmp_path) / "question.json", change)
    (imported,) = import_all("m3exam", tmp_path)
    assert only(imported, f"import.{rule}").message


def _first_round(raw: Any) -> Any:
    return raw["multi_session_dialogues"][0]["dialogues"][0]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda raw: _first_round(raw).update(input_image="images/img_1.png"), "shape"),
        (lambda raw: _first_round(raw).update(image_id=["one", "img_2"]), "id_malformed"),
        (lambda raw: _first_round(raw).update(image_id=["img_2", "img_2"]), "id_repeated"),
        (
            lambda raw: _first_round(raw).update(input_image=["../../x.png", "images/img_2.png"]),
            "image_outside",
        ),
        (lambda raw: raw["multi_session_dialogues"][0].update(date="May"), "date_unreadable"),
        (lambda raw: raw.pop("multi_session_dialogues"), "key_missing"),
    ],
)
def test_defects_of_conversations_are_findings(tmp_path: Path, change: Any, rule: str) -> None:
    """Every defect of the conversation is reported by its rule."""
    _edit(_written(tmp_path) / "conversation.json", change)
    (imported,) = import_all("m3exam", tmp_path)
    assert f"import.{rule}" in rules(imported)


@pytest.mark.parametrize(
    ("name", "data", "rule"),
    [
        ("documents/plan.pdf", None, "image_missing"),
        ("documents/plan.pdf", b"no PDF", "image_unreadable"),
        ("images/img_2.png", None, "image_missing"),
        ("question.json", None, "key_missing"),
        ("question.json", b"{}", "part_unreadable"),
    ],
)
def test_absent_and_broken_files_are_findings(
    tmp_path: Path, name: str, data: bytes | None, rule: str
) -> None:
    """A file that is not there, or is another than its name says, is reported."""
    path = _written(tmp_path) / name
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    (imported,) = import_all("m3exam", tmp_path)
    assert f"import.{rule}" in rules(imported)


def test_a_folder_without_personas_is_refused(tmp_path: Path) -> None:
    """JSON files without a conversation.json are no personas."""
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SourceError, match="expected M3Exam personas"):
        LAYOUT.sources(tmp_path)


def test_folders_are_named_as_in_the_paper() -> None:
    """Ids become names in the paper's style; ids that would share a folder are told apart."""
    names = folder_names(["alex-veterinarian", "wei", "Alex_veterinarian"])
    assert list(names.values()) == ["Alex_Veterinarian", "Wei", "Alex_Veterinarian_2"]


def test_records_of_another_format_fit_as_far_as_they_can(tmp_path: Path) -> None:
    """A Mem-Gallery scenario becomes a persona; types without a code take the nearest."""
    (imported,) = import_all("mem-gallery", write_scenario(tmp_path, scenario()))
    unfit = write(LAYOUT, [bundle_of(imported)], MemoryBlobs(), tmp_path / "out")
    assert "type knowledge_update" in {each.what for each in unfit}
    (again,) = import_all("m3exam", tmp_path / "out")
    codes = [item.benchmark_type for item in bundle_of(again).questions]
    assert codes == ["fm", "ss", "ms", "ms", "tr"]


def test_figures_stand_beside_the_paper() -> None:
    """Table 1's row and the distributions of A.1 to A.3, counted by hand for a small bundle."""
    (stats,) = collection_stats([_bundle(MemoryBlobs())], PATHS)
    table_1, sizes, distances, types, hardness = (figure.rows for figure in stats.figures)
    assert (table_1[0]["A. Round"], table_1[0]["A. File"]) == (1.0, 1.3)
    assert (table_1[1]["A. Round"], table_1[1]["A. File"]) == (12.7, 7.5)
    assert (table_1[0]["FM"], table_1[0]["TH"], table_1[0]["SA"]) == ("yes", "no", None)
    assert (sizes[0]["documents"], sizes[0]["cross-modal %"]) == (1, 25.0)
    assert (sizes[-1]["sessions"], sizes[-1]["rounds"]) == (239, None)
    ours = {row["measure"]: row["ours"] for row in distances}
    assert ours["largest distance, sessions"] == 2
    assert ours["of these, at least 5 sessions apart, %"] == 0.0
    assert ours["words of user turns, max"] == 5
    assert ours["days between sessions, max"] == 47
    by_code = {row["code"]: row for row in types}
    assert (by_code["ii"]["mean facts"], by_code["ii"]["mean sessions"]) == (2, 2)
    assert (by_code["fm"]["needs pixels %"], by_code["ss"]["questions"]) == (100.0, 0)
    hard = {row["code"]: row for row in hardness}
    assert (hard["ii"]["rounds needed"], hard["ii"]["two rounds or more"]) == (2, 1)
    assert hard["fm"]["in pixels only"] == 1.0


def test_questions_may_be_json_lines(tmp_path: Path) -> None:
    """They are those of the list, and each knows its line."""
    folder = _written(tmp_path)
    (listed,) = import_all("m3exam", folder)
    bank = folder / "question.json"
    lines = [json.dumps(each) for each in json.loads(bank.read_text("utf-8"))]
    bank.write_text("\n".join(lines), "utf-8")
    (read,) = import_all("m3exam", folder)
    assert bundle_of(read).questions == bundle_of(listed).questions
    places = [read.origins.of(item.id, "/answer") for item in bundle_of(read).questions]
    assert [(place.line, place.pointer) for place in places if place is not None] == [
        (at, "/answer") for at in range(1, len(lines) + 1)
    ]
