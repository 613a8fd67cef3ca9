"""Errata: one entry a defect, with its place in the file, its reasons and a patch that applies."""

import json
import shutil
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonpatch
import jsonschema
import pytest
from jsonpointer import resolve_pointer
from support.errata import audit_of, errata_in, finding_made, serious_of
from support.foreign_cases import (
    QUESTIONS,
    sample,
    scenario,
    write_samples,
    write_scenario,
)

from memassay.exports.errata.audited import Audited
from memassay.exports.errata.errata_page import errata_page
from memassay.exports.errata.text_patch import style_of, text_patch
from memassay.schemas.errors import SourceError
from memassay.schemas.json_schemas import errata_schema, shipped_schema
from memassay.schemas.judgements.errata import Certainty, Errata
from memassay.schemas.judgements.finding import Severity


def _asked_again(raw: dict[str, Any]) -> dict[str, Any]:
    raw["qa"].append({**deepcopy(raw["qa"][0])})
    return raw


def test_every_place_of_a_sample_is_found_in_its_file(tmp_path: Path) -> None:
    """A question, its answer, each of its evidence, a date, a turn and an image have pointers."""
    path = write_samples(tmp_path, {**sample(), "sample_id": "conv-1"}, sample())
    audited = audit_of("locomo", path)
    raw = json.loads(path.read_text("utf-8"))

    def at(record: str, pointer: str = "") -> Any:
        place = audited.place(record, pointer)
        assert place is not None
        return resolve_pointer(raw, place.pointer)

    own = raw[1]
    assert at("conv-7") == own
    assert at("conv-7/Q0001") == own["qa"][0]
    assert at("conv-7/Q0001", "/question/text") == "What did Ann lose?"
    assert at("conv-7/Q0002", "/answer/values/0") == 2022
    assert at("conv-7/Q0003", "/answer/traps/0") == "a kite"
    assert at("conv-7/Q0001", "/evidence/canonical/0") == "D2:1"
    assert at("conv-7", "/sessions/1/date") == "9:05 am on 12 May, 2023"
    assert at("conv-7", "/sessions/0/rounds/1/turns/0/text") == "Nice. I sold mine in 2022."
    shown = "/sessions/0/rounds/0/turns/0/attachments/0"
    assert at("conv-7", f"{shown}/caption") == "a photo of a kite"
    assert at("conv-7/D1_IMG_001", "/uri") == ["https://example.org/kite.jpg"]


def test_every_place_of_a_scenario_is_found_in_its_file(tmp_path: Path) -> None:
    """The same of Mem-Gallery, whose rounds hold two turns and lists of images."""
    path = write_scenario(tmp_path, scenario())
    audited = audit_of("mem-gallery", path)
    raw = json.loads(path.read_text("utf-8"))

    def at(record: str, pointer: str = "") -> Any:
        place = audited.place(record, pointer)
        assert place is not None
        return resolve_pointer(raw, place.pointer)

    assert at("Boat/Q0003", "/answer/values") == "Spruce"
    assert at("Boat/Q0003", "/evidence/canonical/1") == "D2:1"
    assert at("Boat", "/sessions/1/rounds/0/turns/1/text") == "Changed."
    assert at("Boat", "/sessions/1/date") == "2024-07-01"
    assert at("Boat/D1_IMG_001", "/uri") == "../image/Boat/D1_IMG_001.png"
    assert at("Boat", "/sessions/0/rounds/0/turns/0/attachments/0/id") == "D1:IMG_001"
    assert at("Boat", "/sessions/0/rounds/0/turns/0/attachments/0/caption") == "A red hull"


def test_a_persona_has_places_in_two_files(tmp_path: Path) -> None:
    """M3Exam's questions stand in a file of their own; a broken one is found there."""
    folder = tmp_path / "ida"
    folder.mkdir()
    raw = {key: value for key, value in scenario().items() if key != QUESTIONS}
    (folder / "conversation.json").write_text(json.dumps(raw), "utf-8")
    bank = [
        {"type": "ss", "question": "Mast?", "answer": ["Ash"], "supporting_facts": ["D1:2 D2:1"]},
        {"type": "SS ", "question": "Hull?", "answer": ["Red"], "supporting_facts": ["D1:1"]},
        "no question",
    ]
    (folder / "question.json").write_text(json.dumps(bank), "utf-8")
    audited = audit_of("m3exam", tmp_path)
    errata = errata_in(audited)
    places = {
        place.at.pointer: place.at.file for each in serious_of(errata) for place in each.places
    }
    assert {"/0/supporting_facts/0", "/1/type", "/2"} <= {
        pointer for pointer, file in places.items() if file == "ida/question.json"
    }
    (patch,) = [each for each in errata.patch if each.file == "ida/question.json"]
    steps = patch.model_dump(mode="json", exclude_unset=True)["operations"]
    assert [each.get("type") for each in jsonpatch.apply_patch(bank, steps)[:2]] == ["ss", "ss"]
    turn = audited.place("ida", "/sessions/1/rounds/0/turns/0/text")
    assert turn is not None
    assert (turn.path.name, turn.pointer) == (
        "conversation.json",
        "/multi_session_dialogues/1/dialogues/0/user",
    )


def test_a_repeated_question_is_one_entry_of_both(tmp_path: Path) -> None:
    """Both items are named with their places, and the patch takes the second away."""
    path = write_samples(tmp_path, _asked_again(sample()))
    audited = audit_of("locomo", path, rules=["duplicates.question"])
    (entry,) = [each for each in serious_of(errata_in(audited)) if len(each.places) > 1]
    assert [each.at.pointer for each in entry.places] == ["/0/qa/3/question", "/0/qa/0"]
    assert [each.record for each in entry.places] == ["conv-7/Q0004", "conv-7/Q0001"]
    assert [quoted.text for quoted in entry.evidence] == ["It flew away."]
    (patch,) = entry.patch
    assert [step.op.value for step in patch.operations] == ["test", "remove"]
    assert patch.operations[1].path == "/0/qa/3"


def test_what_is_wrong_with_one_question_is_one_entry(tmp_path: Path) -> None:
    """Findings of gold and evidence are one entry, the worst first."""
    path = write_samples(tmp_path, sample())
    low = finding_made("conv-7/Q0001", "/evidence", "expected D1:1, got 'D2:1'", Severity.WARNING)
    high = finding_made("conv-7/Q0001", "/answer/values/0", "expected a boat, got 'a kite'")
    entries = serious_of(errata_in(audit_of("locomo", path, low, high)))
    (entry,) = [each for each in entries if each.places[0].record == "conv-7/Q0001"]
    assert entry.certainty is Certainty.ERROR
    assert [place.at.pointer for place in entry.places] == ["/0/qa/0/answer", "/0/qa/0/evidence"]
    assert [(quoted.place, quoted.cited) for quoted in entry.evidence] == [
        ("D1:1.1", False),
        ("D2:1.1", True),
    ]


def test_what_is_often_wrong_or_was_never_read_is_sent_to_nobody(tmp_path: Path) -> None:
    """Warnings right less than nine times of ten stand in the appendix, without a patch."""
    path = write_samples(tmp_path, sample())
    weak = [
        finding_made(
            "conv-7/Q0001", "/evidence", "expected D1:1, got 'D2:1'", Severity.WARNING, name
        )
        for name in ("mine.doubt", "mine.unread")
    ]
    errata = errata_in(audit_of("locomo", path, *weak))
    (entry,) = [each for each in errata.errata if each.certainty is Certainty.POSSIBLE]
    body, _, appendix = errata_page(errata, None).partition("## Appendix: possible errors")
    assert {one.rule for one in entry.places[0].statements} == {"mine.doubt", "mine.unread"}
    assert "D2:1" not in body
    assert "expected D1:1; found “D2:1” (`mine.doubt`)" in appendix


def test_a_doubt_beside_an_error_is_an_entry_of_its_own(tmp_path: Path) -> None:
    """What is sure of a question is not sent with what is not."""
    path = write_samples(tmp_path, sample())
    low = finding_made(
        "conv-7/Q0001", "/evidence", "expected D1:1, got 'x'", Severity.WARNING, "mine.doubt"
    )
    high = finding_made("conv-7/Q0001", "/answer/values/0", "expected a boat, got 'a kite'")
    found = errata_in(audit_of("locomo", path, low, high)).errata
    own = [each for each in found if each.places[0].record == "conv-7/Q0001"]
    assert [each.certainty for each in own] == [Certainty.ERROR, Certainty.POSSIBLE]


def test_questions_that_name_each_other_are_one_entry(tmp_path: Path) -> None:
    """Two findings may say of each of two questions that it is the other."""
    path = write_samples(tmp_path, sample())
    pair = [
        finding_made(
            f"conv-7/Q000{own}", "/answer", f"expected that of conv-7/Q000{other}, got 'x'"
        )
        for own, other in ((1, 2), (2, 1))
    ]
    (entry,) = serious_of(errata_in(audit_of("locomo", path, *pair)))[:1]
    assert [each.record for each in entry.places] == ["conv-7/Q0001", "conv-7/Q0002"]


def test_one_cause_at_many_places_is_one_entry(tmp_path: Path) -> None:
    """Dates of sessions that are not there are one defect, patched together."""
    raw = sample()
    raw["conversation"] |= {f"session_{at}_date_time": "1:00 pm on 1 June, 2023" for at in (3, 10)}
    errata = errata_in(audit_of("locomo", write_samples(tmp_path, raw)))
    (entry,) = [each for each in serious_of(errata) if "session_10_date_time" in str(each)]
    assert [place.at.pointer for place in entry.places] == [
        "/0/conversation/session_3_date_time",
        "/0/conversation/session_10_date_time",
    ]
    assert sum(step.op.value == "remove" for step in entry.patch[0].operations) == 2


def test_a_place_that_nobody_knows_is_said_to_be_so(tmp_path: Path) -> None:
    """An entry about the whole data set, or about a record of no file, stays in the errata."""
    path = write_samples(tmp_path, sample())
    lost = finding_made("locomo", "", "expected more items, got 'few'")
    errata = errata_in(audit_of("locomo", path, lost))
    (entry,) = [each for each in errata.errata if each.places[0].record == "locomo"]
    assert entry.places[0].at.file is None
    assert "no single place in the files" in errata_page(errata, None)


def test_a_message_of_another_form_is_given_whole(tmp_path: Path) -> None:
    """Rules of other packages may word their findings as they like."""
    strange = finding_made("conv-7/Q0001", "/answer", "what a mess")
    path = write_samples(tmp_path, sample())
    entries = serious_of(errata_in(audit_of("locomo", path, strange)))
    assert any("conv-7/Q0001: what a mess" in str(entry) for entry in entries)


def _broken(folder: Path) -> Path:
    """A data set of one file with defects that a patch mends, and with others."""
    raw = _asked_again(sample())
    raw["qa"][0]["evidence"] = ["D1:1; D2:1", "D1:2", "D1:1 D1:2"]
    raw["qa"].append({**raw["qa"][2], "category": "5", "question": "Où est l'île?"})
    raw["qa"].append({**raw["qa"][0], "question": "Who?\u200b", "answer": "Zoë"})
    raw["conversation"]["session_9_date_time"] = "1:00 pm on 1 June, 2023"
    return write_samples(folder, {**sample(), "sample_id": "conv-1"}, raw)


def _whole_patch(path: Path) -> tuple[Audited, Errata]:
    audited = audit_of("locomo", path, rules=["duplicates.question", "text.control"])
    return audited, errata_in(audited)


def test_the_patch_mends_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    """Applied and imported again, the findings with a patch are gone and the others stay."""
    path = _broken(tmp_path)
    audited, errata = _whole_patch(path)
    mended = {
        statement.found
        for entry in errata.errata
        if entry.patch
        for place in entry.places
        for statement in place.statements
    }
    before = json.loads(path.read_text("utf-8"))
    (patch,) = errata.patch
    steps = patch.model_dump(mode="json", exclude_unset=True)["operations"]
    after = jsonpatch.apply_patch(before, steps)
    path.write_text(json.dumps(after), "utf-8")
    again = errata_in(audit_of("locomo", path, rules=["duplicates.question", "text.control"]))
    assert mended
    assert not any(entry.patch for entry in again.errata)
    left = [len(each.places) for each in errata.errata if not each.patch]
    assert [len(each.places) for each in again.errata] == left
    assert after[0] != before[0]
    assert after[1]["qa"][0]["evidence"] == ["D1:1", "D2:1", "D1:2", "D1:1", "D1:2"]
    assert [each["question"] for each in after[1]["qa"]][3:] == ["Où est l'île?", "Who?"]
    question = audited.question("conv-7/Q0005")
    assert question is not None
    assert question.question.text == "Où est l'île?"


STYLES = {
    "two": {"indent": 2, "ensure_ascii": False},
    "none": {"indent": 0},
    "tab": {"indent": "\t", "ensure_ascii": False},
    "line": {"ensure_ascii": False},
    "compact": {"separators": (",", ":")},
}


@pytest.mark.skipif(shutil.which("git") is None, reason="applies a patch with git")
def test_git_applies_the_patch_and_every_other_byte_stays(tmp_path: Path) -> None:
    """In every style of writing, with and without a last newline, CRLF or a byte order mark."""
    data = tmp_path / "données et plus"
    raw = json.loads(_broken(tmp_path).read_text("utf-8"))[1]
    texts = {}
    for at, (name, style) in enumerate(STYLES.items()):
        text = json.dumps([{**raw, "sample_id": f"conv-{at}"}], **style)  # type: ignore[arg-type]
        texts[f"{name} ü.json"] = text + ("\n" if at % 2 else "")
    texts["crlf.json"] = texts["two ü.json"].replace("conv-0", "conv-8").replace("\n", "\r\n")
    texts["mark.json"] = "\ufeff" + texts["tab ü.json"].replace("conv-2", "conv-9")
    data.mkdir()
    for name, text in texts.items():
        (data / name).write_bytes(text.encode("utf-8"))
    _, errata = _whole_patch(data)
    diff, left = text_patch(data, errata.patch)
    assert (len(errata.patch), left) == (len(texts), [])
    (tmp_path / "it.patch").write_bytes(diff.encode("utf-8"))
    for name in texts:
        steps = next(each for each in errata.patch if each.file == name)
        document = json.loads((data / name).read_bytes().decode("utf-8-sig"))
        operations = steps.model_dump(mode="json", exclude_unset=True)["operations"]
        style = style_of(texts[name])
        assert style is not None
        texts[name] = style.write(jsonpatch.apply_patch(document, operations))
    subprocess.run(["git", "apply", "../it.patch"], cwd=data, check=True)
    assert {name: (data / name).read_bytes().decode("utf-8") for name in texts} == texts


def test_a_file_of_no_known_style_keeps_its_json_patch(tmp_path: Path) -> None:
    """What cannot be written again byte by byte is named, not rewritten."""
    path = _broken(tmp_path)
    path.write_text(path.read_text("utf-8").replace('"sample_id":', '"sample_id"  :'), "utf-8")
    _, errata = _whole_patch(path)
    diff, left = text_patch(tmp_path, errata.patch)
    assert (diff, left) == ("", [path.name])
    assert f"`{path.name}` cannot be written again" in errata_page(errata, None, left)


def test_errata_fit_their_schema(tmp_path: Path) -> None:
    """The document is as its JSON Schema says, which is the committed one."""
    _, errata = _whole_patch(_broken(tmp_path))
    assert shipped_schema("errata") == errata_schema()
    document = json.loads(errata.model_dump_json(exclude_unset=True))
    jsonschema.Draft202012Validator(shipped_schema("errata")).validate(document)


def test_errata_do_not_depend_on_the_order_of_findings(tmp_path: Path) -> None:
    """The same findings in another order give the same document."""
    path = _broken(tmp_path)
    audited, errata = _whole_patch(path)
    turned = Audited(
        audited.name,
        audited.format,
        audited.root,
        audited.bundles,
        audited.findings[::-1],
        audited.origins,
        rules=audited.rules,
    )
    assert errata_in(turned) == errata


def test_a_data_set_without_defects_says_so(tmp_path: Path) -> None:
    """A page without entries is no empty page."""
    path = write_samples(tmp_path, sample())
    audited = audit_of("locomo", path)
    clean = Audited(audited.name, "locomo", tmp_path, audited.bundles, [], audited.origins)
    page = errata_page(errata_in(clean), None)
    assert "No errors were found, and nothing that looks wrong." in page
    assert "## " not in page


def test_a_file_that_went_while_it_was_audited_is_named(tmp_path: Path) -> None:
    """Nothing is written about a file that is no longer there."""
    path = _broken(tmp_path)
    audited = audit_of("locomo", path)
    path.unlink()
    with pytest.raises(SourceError, match=path.name):
        errata_in(audited)
