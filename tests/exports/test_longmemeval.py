"""LongMemEval's layout: questions with histories of their own come in whole and go out again."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import alike, bundle_of, import_all, import_sample, only, rules
from support.foreign_cases import sample as plain_sample
from support.foreign_forms import longmemeval
from support.release_builder import MemoryBlobs, bundle
from support.strict_cases import edit, exported, reasons, spoiled
from support.written_layouts import export, write

from memassay.flows.checking.foreign import curate_foreign
from memassay.flows.stages.import_stage import foreign_format
from memassay.schemas.contracts.collection import InTurn
from memassay.schemas.errors import SourceError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AskedAt
from memassay.schemas.records.question_type import QuestionType

FILE = "longmemeval.json"
Change = Callable[[dict[str, Any]], Any]


def _refusal() -> dict[str, Any]:
    raw = longmemeval()
    raw["haystack_sessions"] = [raw["haystack_sessions"][at] for at in (0, 2, 2)]
    return raw | {
        "question_id": "q02_abs",
        "question": "What is the name of my hamster?",
        "answer": "You did not mention this information.",
        "answer_session_ids": [],
        "haystack_session_ids": ["f_1", "f_3", "f_2"],
    }


def _write(folder: Path, *raw: Any) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "questions.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return path


def _read(folder: Path, *raw: Any) -> list[Bundle]:
    return [bundle_of(each) for each in import_all("longmemeval", _write(folder, *raw))]


def _written(bundles: list[Bundle], folder: Path) -> list[Any]:
    """The entries of an export, as its strict reader leaves them."""
    export(foreign_format("longmemeval"), bundles, MemoryBlobs(), folder)
    return list(json.loads((folder / FILE).read_text(encoding="utf-8")))


def test_a_question_has_a_history_evidence_and_a_time_of_its_own(tmp_path: Path) -> None:
    """One entry is one conversation and one item, asked at its own time."""
    first, second = _read(tmp_path / "in", longmemeval(), _refusal())
    (item,) = first.questions
    assert [each.date for each in first.conversation.sessions] == [
        "2023-05-20T02:21",
        "2023-06-24T03:21",
        "2023-06-30T04:36",
    ]
    assert (item.evidence.canonical, item.type) == (["D2:1"], QuestionType.FACT_RECALL)
    assert item.asked_at.checkpoint == "2023-06-30T21:56"
    assert first.conversation.checkpoints[0].covered_sessions == ["D1", "D2", "D3"]
    (refused,) = second.questions
    assert (refused.answerable, refused.type) == (False, QuestionType.REFUSAL)
    assert refused.answer.format is AnswerFormat.REFUSAL
    assert refused.benchmark_type == "single-session-user"


def test_sessions_of_the_file_of_evidence_are_put_in_time_order(tmp_path: Path) -> None:
    """Upstream does not sort that file; an export gives its order back."""
    raw = longmemeval()
    for key in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        raw[key] = list(reversed(raw[key]))
    (read,) = _read(tmp_path / "in", raw)
    dates = [each.date or "" for each in read.conversation.sessions]
    assert dates == sorted(dates)
    assert read.questions[0].evidence.canonical == ["D2:1"]
    assert alike(_written([read], tmp_path / "out"), [raw])


def _of_assistant(raw: dict[str, Any]) -> None:
    """The answer is in the assistant's words, as upstream labels it."""
    raw["question_type"] = "single-session-assistant"
    session = raw["haystack_sessions"][1]
    session[0]["has_answer"], session[1]["has_answer"] = False, True


def _near_miss(raw: dict[str, Any]) -> None:
    raw |= {"question_id": "q02_abs", "haystack_session_ids": ["f_1", "answer_x_abs", "f_2"]}
    raw["answer_session_ids"] = ["answer_x_abs"]


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw.pop("is_multi_modality"),
        lambda raw: raw.update(answer=3),
        lambda raw: raw.update(topic={"a": [1]}),
        lambda raw: raw["haystack_sessions"][0][0].update(has_answer=False, mood="good"),
        lambda raw: raw["haystack_sessions"].__setitem__(2, []),
        lambda raw: raw["haystack_sessions"][0].pop(0),
        lambda raw: raw["haystack_sessions"][0][1].update(content=""),
        lambda raw: raw.update(_refusal()),
        _near_miss,
        _of_assistant,
    ],
)
def test_a_sound_entry_comes_back_as_it_was(tmp_path: Path, change: Change) -> None:
    """Written again or exported, nothing is added and nothing lost."""
    raw = longmemeval()
    change(raw)
    read = _read(tmp_path / "in", raw)
    write(foreign_format("longmemeval"), read, MemoryBlobs(), tmp_path / "same")
    assert alike(json.loads((tmp_path / "same" / FILE).read_text()), [raw])
    assert alike(_written(read, tmp_path / "out"), [raw])


DEFECTS: dict[str, tuple[Change, str]] = {
    "no sessions": (lambda raw: raw.pop("haystack_sessions"), "import.key_missing"),
    "short dates": (lambda raw: raw["haystack_dates"].pop(), "import.haystack_uneven"),
    "no ids": (lambda raw: raw.pop("haystack_session_ids"), "import.haystack_uneven"),
    "unknown session": (
        lambda raw: raw["answer_session_ids"].append("answer_zz"),
        "import.evidence_malformed",
    ),
    "no label": (
        lambda raw: raw["haystack_sessions"][1][0].pop("has_answer"),
        "import.evidence_not_a_round",
    ),
    "label elsewhere": (
        lambda raw: raw["haystack_sessions"][0][0].update(has_answer=True),
        "import.label_elsewhere",
    ),
    "filler with the word": (
        lambda raw: raw["haystack_session_ids"].__setitem__(0, "answers_1"),
        "import.answer_in_id",
    ),
    "evidence without the word": (
        lambda raw: (
            raw["haystack_session_ids"].__setitem__(1, "f_9"),
            raw.update(answer_session_ids=["f_9"]),
        ),
        "import.answer_in_id",
    ),
    "two of one id": (
        lambda raw: raw["haystack_session_ids"].__setitem__(0, "f_2"),
        "import.id_repeated",
    ),
    "unknown type": (lambda raw: raw.update(question_type="riddle"), "import.part_unreadable"),
    "no question": (lambda raw: raw.update(question=""), "import.part_unreadable"),
    "no answer": (lambda raw: raw.update(answer=None), "import.answer_missing"),
    "turn without text": (
        lambda raw: raw["haystack_sessions"][0][0].update(content=None),
        "import.part_unreadable",
    ),
    "label as text": (
        lambda raw: raw["haystack_sessions"][1][0].update(has_answer="yes"),
        "import.label_form",
    ),
    "ids as text": (lambda raw: raw.update(answer_session_ids="answer_a1"), "import.shape"),
    "session as object": (
        lambda raw: raw["haystack_sessions"].__setitem__(0, {}),
        "import.part_unreadable",
    ),
    "asked too early": (
        lambda raw: raw.update(question_date="2023/06/25 (Sun) 10:00"),
        "import.asked_before_end",
    ),
    "other weekday": (
        lambda raw: raw.update(question_date="2023/06/30 (Mon) 21:56"),
        "import.date_weekday",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_a_finding(tmp_path: Path, defect: str) -> None:
    """Each is named, and nothing is made up in its place."""
    change, rule = DEFECTS[defect]
    raw = longmemeval()
    change(raw)
    (imported,) = import_all("longmemeval", _write(tmp_path / "in", raw))
    assert rule in rules(imported)


def test_a_value_that_a_later_session_overwrites_can_be_audited(tmp_path: Path) -> None:
    """An audit reads the file, and certifies each question."""
    raw = longmemeval()
    raw["haystack_sessions"][2][0]["content"] = "My internet plan is 1 Gbps now."
    curated = curate_foreign(
        "longmemeval", _write(tmp_path / "in", raw, _refusal()), InTurn(), certifies=True
    )
    assert [len(curated.bundles), sum(curated.verdicts.values())] == [2, 2]
    assert not {each.rule for each in curated.findings if each.severity.value == "error"}


TRAPS: dict[str, tuple[Change, str]] = {
    "type": (lambda raw: raw.update(question_type="riddle"), "not_read"),
    "uneven": (lambda raw: raw["haystack_dates"].pop(), "not_read"),
    "no date": (lambda raw: raw.pop("question_date"), "not_read"),
    "abstention": (lambda raw: raw.update(question_id="q_abs_1"), "form"),
    "filler": (lambda raw: raw["haystack_session_ids"].__setitem__(0, "answer_9"), "evidence"),
    "labels": (
        lambda raw: raw["haystack_sessions"][1][0].update(has_answer=False),
        "evidence",
    ),
    "empty gold": (lambda raw: raw.update(answer=" "), "gold"),
    "image": (lambda raw: raw.update(question="What does D1:IMG_001 show?"), "image"),
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_of_upstream_is_seen(tmp_path: Path, trap: str) -> None:
    """run_retrieval.py or evaluate_qa.py would get it wrong without a word."""
    change, reason = TRAPS[trap]
    (read,) = _read(tmp_path / "in", longmemeval())
    kept, lost = exported("longmemeval", read, MemoryBlobs(), tmp_path / "out")
    assert lost == []
    edit(tmp_path / "out" / FILE, lambda raw: change(raw[0]))
    assert spoiled("longmemeval", kept, tmp_path / "out") == {0: reason}


def _is_found_by_upstream(entry: dict[str, Any]) -> bool:
    """Whether each session with the answer, and no other, is one to upstream's retrieval."""
    held = {name for name in entry["haystack_session_ids"] if "answer" in name}
    labelled = {
        name
        for name, turns in zip(
            entry["haystack_session_ids"], entry["haystack_sessions"], strict=True
        )
        if any(turn.get("has_answer") and turn["role"] == "user" for turn in turns)
    }
    return held == labelled == set(entry["answer_session_ids"]) and bool(held)


def test_questions_of_another_layout_are_found_by_upstream(tmp_path: Path) -> None:
    """Ids, labels, times and types are those that upstream's code looks for."""
    imported = bundle_of(import_sample(tmp_path, plain_sample()))
    entries = _written([imported], tmp_path / "out")
    assert [entry["question_id"] for entry in entries][-1].endswith("_abs")
    answerable = [entry for entry in entries if "_abs" not in entry["question_id"]]
    assert answerable
    assert all(map(_is_found_by_upstream, answerable))
    said = entries[0]["haystack_sessions"][0][0]["content"]
    assert said.startswith(f"{imported.conversation.speakers[0].name}: ")


def test_a_history_ends_where_the_question_is_asked(tmp_path: Path) -> None:
    """What was said later is no part of the history of that question."""
    imported = bundle_of(import_sample(tmp_path, plain_sample()))
    item = imported.questions[0].model_copy(update={"asked_at": AskedAt(session="D1")})
    early = imported.model_copy(update={"questions": [item, imported.questions[0]]})
    write(foreign_format("longmemeval"), [early], MemoryBlobs(), tmp_path / "out")
    first, second = json.loads((tmp_path / "out" / FILE).read_text(encoding="utf-8"))
    assert (len(first["haystack_sessions"]), len(second["haystack_sessions"])) == (1, 2)
    assert first["question_date"] == first["haystack_dates"][0]


def test_what_upstream_cannot_answer_is_left_out_with_its_reason(tmp_path: Path) -> None:
    """Images are lost; options are listed and the gold is the words of one."""
    blobs = MemoryBlobs()
    made = bundle("rex", "Rex", "red", blobs)
    kept, lost = exported("longmemeval", made, blobs, tmp_path / "out")
    assert "image" in reasons(lost).values()
    entries = json.loads((tmp_path / "out" / FILE).read_text(encoding="utf-8"))
    for item, entry in zip(kept.questions, entries, strict=True):
        for option in item.answer.options:
            assert option.text in entry["question"]
            assert (option.label in item.answer.values) == (option.text == entry["answer"])
    again = [each.questions[0].answer for each in _read(tmp_path / "again", *entries)]
    assert [(each.options, each.values) for each in again if each.options] == [
        (item.answer.options, item.answer.values) for item in kept.questions if item.answer.options
    ]


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    """The message says what was looked for."""
    path = _write(tmp_path / "in")
    with pytest.raises(SourceError, match="LongMemEval questions"):
        foreign_format("longmemeval").sources(path)


def test_a_repeated_id_gets_its_position(tmp_path: Path) -> None:
    """Both questions are read, and the second is named."""
    path = _write(tmp_path / "in", longmemeval(), deepcopy(longmemeval()))
    first, second = import_all("longmemeval", path)
    assert [bundle_of(first).id, bundle_of(second).id] == ["q01", "q01-2"]
    assert (rules(first), rules(second)) == ([], ["import.id_repeated"])


def test_an_unsound_entry_takes_on_the_forms_of_upstream(tmp_path: Path) -> None:
    """Ids that would hide or feign evidence are changed in an export, and the rest is kept."""
    raw = longmemeval() | {"haystack_session_ids": ["answer_f", "x_1", "f_2"]}
    raw |= {"answer_session_ids": ["x_1"], "topic": "net"}
    imported = import_all("longmemeval", _write(tmp_path / "in", raw))[0]
    assert len([each for each in rules(imported) if each == "import.answer_in_id"]) == 2
    (entry,) = _written([bundle_of(imported)], tmp_path / "out")
    assert _is_found_by_upstream(entry)
    assert (entry["topic"], entry["question_id"]) == ("net", "q01")


@pytest.mark.parametrize("label", ["true", " True"])
def test_a_label_as_text_is_read(tmp_path: Path, label: str) -> None:
    """It can be read in one way."""
    raw = longmemeval()
    raw["haystack_sessions"][1][0]["has_answer"] = label
    (read,) = _read(tmp_path / "in", raw)
    assert read.questions[0].evidence.canonical == ["D2:1"]


def test_sessions_with_the_answer_are_known_by_their_labels(tmp_path: Path) -> None:
    """Where the list of them is not there; nothing is an error."""
    raw = longmemeval()
    del raw["answer_session_ids"]
    (imported,) = import_all("longmemeval", _write(tmp_path / "in", raw))
    assert bundle_of(imported).questions[0].evidence.canonical == ["D2:1"]
    assert rules(imported) == []


def test_a_refusal_explains_itself(tmp_path: Path) -> None:
    """Its gold is for a judge: no rule asks for a plain refusal, nor for labels."""
    raw = _refusal() | {"answer": "You told me of a cat, but not of a hamster."}
    raw |= {"haystack_session_ids": ["f_1", "answer_x", "f_2"], "answer_session_ids": ["answer_x"]}
    curated = curate_foreign("longmemeval", _write(tmp_path / "in", raw), InTurn())
    found = {each.rule for each in curated.findings if each.severity.value != "info"}
    assert "refusals.gold" not in found
    assert not {each for each in found if each.startswith("import.")}


def test_a_label_that_upstream_asks_for_is_added(tmp_path: Path) -> None:
    """Every user's turn of a session with the answer has one; what the file labels stays."""
    raw = longmemeval() | {"question_type": "single-session-assistant"}
    session = raw["haystack_sessions"][1]
    del session[0]["has_answer"], session[2]["has_answer"]
    session[1]["has_answer"] = True
    (entry,) = _written(_read(tmp_path / "in", raw), tmp_path / "out")
    labels = [turn["has_answer"] for turn in entry["haystack_sessions"][1]]
    assert labels == [False, True, False]


def test_a_weekday_is_mended_by_name(tmp_path: Path) -> None:
    """The finding names the right day."""
    raw = longmemeval() | {"question_date": "2023/06/30 (Mon) 21:56"}
    (imported,) = import_all("longmemeval", _write(tmp_path / "in", raw))
    assert "Friday" in only(imported, "import.date_weekday").message


def test_of_questions_with_one_id_the_first_is_written(tmp_path: Path) -> None:
    """Upstream would keep one of them; the others are listed, whatever conversation has them."""
    (first,) = _read(tmp_path / "one", longmemeval())
    named = first.model_copy(
        update={"conversation": first.conversation.model_copy(update={"id": "other"})}
    )
    kept, unfit = export(
        foreign_format("longmemeval"), [first, named], MemoryBlobs(), tmp_path / "out"
    )
    assert len(kept) == 1
    assert [one.why for one in unfit if one.reason] == [
        "longmemeval's reader keeps the last question of an id"
    ]
