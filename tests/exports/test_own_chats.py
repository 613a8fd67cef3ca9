"""Chats that people bring: exports of products and lists of messages are dialogues."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.chats import (
    MAY_8,
    NAMES,
    RAW,
    openai,
    read_chats,
    sharegpt,
    spoken,
)
from support.foreign_cases import bundle_of, import_all, only, rules
from support.release_builder import MemoryBlobs, png

from memassay.exports.formats.registry import FORMATS
from memassay.flows.stages.import_stage import foreign_format
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.conversation import RoundKind, TurnKind
from memassay.validators.check import check


@pytest.mark.parametrize("name", NAMES)
def test_a_chat_is_one_session_of_exchanges(tmp_path: Path, name: str) -> None:
    """What was shown is said, in rounds that a user begins; unknown fields travel."""
    (imported,) = read_chats(tmp_path, name, RAW[name]())
    talk = bundle_of(imported).conversation
    assert (talk.id, talk.title, talk.extras) == ("c-1", "Mast", {name: {"gizmo": 7}})
    (session,) = talk.sessions
    assert [[turn.text for turn in each.turns] for each in session.rounds] == [
        ["Spruce or ash?", "Spruce."],
        ["I bought it.", "Good."],
    ]
    assert rules(imported) == []
    if name in ("chatgpt", "claude"):
        assert (session.date or "").startswith("2023-05-08T13:56:00")
        assert (session.rounds[1].date or "")[:10] == "2023-05-09"


@pytest.mark.parametrize("form", ["object", "lines"])
@pytest.mark.parametrize("name", NAMES)
def test_a_chat_is_read_from_any_container(tmp_path: Path, name: str, form: str) -> None:
    """A list is not needed; those without an id are called after their file."""
    raw = {key: value for key, value in RAW[name]().items() if "id" not in key}
    text = json.dumps(raw) if form == "object" else f"{json.dumps(raw)}\n{json.dumps(raw)}\n"
    (tmp_path / "talks.jsonl").write_text(text, encoding="utf-8")
    found = import_all(name, tmp_path)
    ids = [bundle_of(each).id for each in found]
    assert ids == (["talks-1"] if form == "object" else ["talks-1", "talks-2"])


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_may_hold_other_files(tmp_path: Path, name: str) -> None:
    """Products export more than conversations; a folder without any is refused."""
    (tmp_path / "user.json").write_text('{"id": "u"}', encoding="utf-8")
    (tmp_path / "users.json").write_text('[{"uuid": "u"}]', encoding="utf-8")
    with pytest.raises(SourceError, match="expected"):
        FORMATS[name].sources(tmp_path)
    (tmp_path / "conversations.json").write_text(json.dumps([RAW[name]()]), encoding="utf-8")
    assert [source.id for source in FORMATS[name].sources(tmp_path)] == ["c-1"]


ODD: tuple[Any, ...] = (None, 7, "x", [], {}, [None], {"r": None}, {"r": {"message": 7}}, True)


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("name", NAMES)
def test_odd_shapes_are_held_out_or_listed(tmp_path: Path, name: str, odd: Any) -> None:
    """Whatever stands in place of messages, times, texts or a whole chat, reading goes on."""
    whole, key = RAW[name](), FORMATS[name].marks[0]  # type: ignore[attr-defined]
    cases = [whole | {key: odd}]
    for at in range(2):
        raw = RAW[name]()
        message = raw[key]["u1"]["message"] if name == "chatgpt" else raw[key][0]
        for field in list(message) if at else ():
            message[field] = odd
        if not at and name != "chatgpt":
            raw[key][0] = odd
        cases.append(raw)
    cases.append(whole | dict.fromkeys(set(whole) - {key}, odd))
    for at, raw in enumerate(cases):
        imported = read_chats(tmp_path / str(at), name, raw, RAW[name]())
        assert len(imported) == 2
        assert "Good." in str(spoken(imported[1]))


LEFT: dict[str, tuple[str, Callable[[dict[str, Any]], Any], str]] = {
    "new type": (
        "chatgpt",
        lambda raw: raw["mapping"]["a2"]["message"].update(content={"content_type": "new_type"}),
        "of type new_type, left out: /mapping/a2/message",
    ),
    "null value": (
        "sharegpt",
        lambda raw: raw["conversations"][1].update(value=None),
        "without a text, left out: /conversations/1",
    ),
    "another branch": (
        "claude",
        lambda raw: (
            [each.update(uuid=str(at)) for at, each in enumerate(raw["chat_messages"])],
            raw["chat_messages"][1].update(parent_message_uuid="0"),
            raw["chat_messages"][3].update(parent_message_uuid="0"),
            raw.update(current_leaf_message_uuid="3"),
        ),
        "2 on other branches, left out: /chat_messages/1, /chat_messages/2",
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_message_without_a_turn_is_listed(tmp_path: Path, case: str) -> None:
    """By its place, with the reason."""
    name, change, said = LEFT[case]
    raw = RAW[name]()
    change(raw)
    (imported,) = read_chats(tmp_path, name, raw)
    found = [each.message for each in imported.findings if each.rule == "import.message_left_out"]
    assert any(said in each for each in found)


def test_a_refusal_of_the_model_is_its_text(tmp_path: Path) -> None:
    """It is beside a content of null."""
    raw = openai()
    raw["messages"][1] |= {"content": None, "refusal": "I cannot."}
    (imported,) = read_chats(tmp_path, "openai-messages", raw)
    assert spoken(imported)[1] == ("assistant", "I cannot.")


def test_parts_that_bring_their_space_are_one_line(tmp_path: Path) -> None:
    """Streams are cut anywhere; parts that do not are lines of their own."""
    raw = openai()
    raw["messages"][1]["content"] = [
        {"type": "text", "text": each} for each in ("Use ", "spruce.", "Or ash.")
    ]
    (imported,) = read_chats(tmp_path, "openai-messages", raw)
    assert spoken(imported)[1][1] == "Use spruce.\nOr ash."


def test_an_unusual_role_is_said(tmp_path: Path) -> None:
    """Which of the known ones it was read as."""
    raw = sharegpt()
    raw["conversations"][1]["from"] = "bing"
    (imported,) = read_chats(tmp_path, "sharegpt", raw)
    assert "'bing, read as assistant'" in only(imported, "import.role_read").message


def _uri() -> str:
    return "data:image/png;base64," + base64.b64encode(png("red")).decode("ascii")


IMAGES: dict[str, Any] = {
    "openai": {"type": "image_url", "image_url": {"url": _uri()}},
    "openai short": {"type": "image_url", "image_url": _uri()},
    "responses": {"type": "input_image", "image_url": _uri()},
    "anthropic": {
        "type": "image",
        "source": {
            "type": "base64",
            "media_type": "image/png",
            "data": base64.b64encode(png("red")).decode("ascii"),
        },
    },
}


@pytest.mark.parametrize("image", IMAGES)
def test_an_image_inside_a_message_becomes_a_blob(tmp_path: Path, image: str) -> None:
    """The bytes are stored once, and not in the record; an address stays remote."""
    raw, blobs = openai(), MemoryBlobs()
    there = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    raw["messages"][0]["content"] = [{"type": "text", "text": "Look"}, IMAGES[image], there]
    (imported,) = read_chats(tmp_path, "openai-messages", raw, blobs=blobs)
    first, second = bundle_of(imported).assets
    assert (first.availability, first.uri) == (Availability.PRESENT, None)
    assert first.blob_sha256 in blobs.by_hash
    assert (second.availability, second.uri) == (Availability.REMOTE, "https://example.org/a.png")
    turn = bundle_of(imported).conversation.turns()[0]
    assert (turn.text, len(turn.attachments)) == ("Look", 2)


CALLS: dict[str, list[dict[str, Any]]] = {
    "openai": [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"function": {"name": "weather", "arguments": '{"city": "Bern"}'}}],
        },
        {"role": "tool", "content": "Rain"},
    ],
    "older": [
        {
            "role": "assistant",
            "content": "",
            "function_call": {"name": "weather", "arguments": '{"city": "Bern"}'},
        },
        {"role": "function", "name": "weather", "content": "Rain"},
    ],
    "anthropic": [
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "name": "weather", "input": {"city": "Bern"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "content": "Rain"}]},
    ],
}


@pytest.mark.parametrize("form", CALLS)
def test_a_call_of_a_tool_is_an_action_and_its_result_an_observation(
    tmp_path: Path, form: str
) -> None:
    """Neither is an utterance, and both are kept."""
    raw = openai() | {"messages": [{"role": "user", "content": "Weather?"}, *CALLS[form]]}
    (imported,) = read_chats(tmp_path, "openai-messages", raw)
    (round_,) = bundle_of(imported).conversation.rounds()
    _, call, result = round_.turns
    assert round_.kind is RoundKind.STEP
    assert call.action is not None
    assert (call.kind, call.speaker) == (TurnKind.ACTION, "assistant")
    assert (call.action.name, call.action.arguments) == ("weather", {"city": "Bern"})
    assert (result.kind, result.speaker, result.text) == (TurnKind.OBSERVATION, "tool", "Rain")


def test_an_image_of_sharegpt_is_shown_at_its_place(tmp_path: Path) -> None:
    """`<image>` is the place of the next one; paths never leave the folder."""
    (tmp_path / "boat.png").write_bytes(png("red"))
    raw = sharegpt() | {"images": ["boat.png", "../secret.png"]}
    raw["conversations"][2]["value"] = "<image>\nI bought it. <image>"
    (imported,) = read_chats(tmp_path, "sharegpt", raw)
    bundle = bundle_of(imported)
    third = bundle.conversation.turns()[2]
    assert (third.text, len(third.attachments)) == ("I bought it.", 2)
    present, outside = bundle.assets
    assert (present.availability, outside.availability) == ("present", "missing")
    assert "import.image_outside" in rules(imported)


def test_rounds_say_what_they_are_made_of(tmp_path: Path) -> None:
    """A message without a reply is an utterance, and no rule asks for the other side."""
    raw = openai()
    raw["messages"] = [raw["messages"][at] for at in (1, 0, 0, 1, 2)]
    (imported,) = read_chats(tmp_path, "openai-messages", raw)
    kinds = [str(each.kind) for each in bundle_of(imported).conversation.rounds()]
    assert kinds == ["utterance", "utterance", "exchange", "utterance"]
    assert "speakers.roles" not in {
        each.rule for each in check([bundle_of(imported)], RuleContext())
    }


@pytest.mark.parametrize("end", ["list", "lines"])
def test_messages_alone_are_one_dialogue(tmp_path: Path, end: str) -> None:
    """A file may be the messages that a client sends, as a list or one a line."""
    messages = openai()["messages"]
    lines = "".join(json.dumps(each) + "\n" for each in messages)
    text = json.dumps(messages) if end == "list" else lines
    (tmp_path / "talk.json").write_text(text, encoding="utf-8")
    (imported,) = import_all("openai-messages", tmp_path)
    assert bundle_of(imported).id == "talk"
    assert len(spoken(imported)) == 4


def test_a_speaker_that_nobody_knows_is_held_out(tmp_path: Path) -> None:
    """The message is kept as it is, with its reason."""
    raw = openai()
    raw["messages"].append({"role": "narrator", "content": "Later."})
    (imported,) = read_chats(tmp_path, "openai-messages", raw)
    assert [each.reasons for each in imported.held_out] == [["import.part_unreadable"]]
    assert len(spoken(imported)) == 4


@pytest.mark.parametrize(
    ("written", "when"),
    [
        (MAY_8, "2023-05-08T13:56:00"),
        (MAY_8 * 1000, "2023-05-08T13:56:00"),
        (str(MAY_8), "2023-05-08T13:56:00"),
        ("2023-05-08 13:56", "2023-05-08T13:56"),
        ("8 May 2023", "2023-05-08"),
        ("8/5/2023", None),
        (10**30, None),
        (True, None),
    ],
)
def test_a_time_with_one_reading_is_taken(tmp_path: Path, written: Any, when: str | None) -> None:
    """Others are a warning, and the dialogue has no date."""
    (imported,) = read_chats(tmp_path, "openai-messages", openai() | {"created_at": written})
    assert bundle_of(imported).conversation.sessions[0].date == when
    assert rules(imported) == ([] if when else ["import.time_unreadable"])


@pytest.mark.parametrize("name", NAMES)
def test_chats_are_read_only(name: str) -> None:
    """A refusal names the layouts that can be written."""
    with pytest.raises(UsageError, match=r"longmemeval.*read only"):
        foreign_format(name)
