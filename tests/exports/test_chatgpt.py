"""ChatGPT's data export: a tree of messages, of which people saw one branch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.chats import MAY_8, chatgpt, node, read_chats, spoken
from support.foreign_cases import bundle_of, only, rules
from support.release_builder import MemoryBlobs, png

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.asset import Availability
from memassay.validators.check import check


def test_what_people_did_not_see_is_left_out_and_listed(tmp_path: Path) -> None:
    """System and hidden messages, thoughts and the context of the user are in no text."""
    raw = chatgpt()
    hidden = {"is_visually_hidden_from_conversation": True}
    secret = {"content_type": "user_editable_context", "user_profile": "secret"}
    raw["mapping"]["u1"]["parent"] = "p"
    raw["mapping"]["p"] = node("user", "", "h", 0, content=secret)
    raw["mapping"]["h"] = node("user", "secret", "s", 0, metadata=hidden)
    (imported,) = read_chats(tmp_path, "chatgpt", raw)
    assert "secret" not in bundle_of(imported).conversation.model_dump_json()
    said = [each.message for each in imported.findings if each.rule == "import.message_left_out"]
    assert len(said) == 4
    assert any("on other branches, left out: /mapping/a1/message" in each for each in said)
    assert all(any(f"/mapping/{name}/" in each for each in said) for name in "shp")


BRANCHES: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str], str]] = {
    "earlier node": (lambda raw: raw.update(current_node="a1"), ["Ash."], ""),
    "no current node": (
        lambda raw: raw.pop("current_node"),
        ["Spruce.", "Good."],
        "import.branch_unnamed",
    ),
    "unknown node": (
        lambda raw: raw.update(current_node="zz"),
        ["Spruce.", "Good."],
        "import.branch_unnamed",
    ),
    "one branch, unknown node": (
        lambda raw: (raw.update(current_node="gone"), raw["mapping"].pop("a1")),
        ["Spruce.", "Good."],
        "import.branch_unnamed",
    ),
    "children alone": (
        lambda raw: (
            raw["mapping"]["u2"].pop("parent"),
            raw["mapping"]["a2"].update(children=["u2", 7]),
        ),
        ["Spruce.", "Good."],
        "",
    ),
    "circle": (
        lambda raw: raw["mapping"]["r"].update(parent="a3"),
        ["Spruce.", "Good."],
        "import.branch_unnamed",
    ),
}


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_branch_of_the_current_node_is_the_dialogue(tmp_path: Path, branch: str) -> None:
    """Other replies and edits are not; a doubt is a warning."""
    change, replies, rule = BRANCHES[branch]
    raw = chatgpt()
    change(raw)
    (imported,) = read_chats(tmp_path, "chatgpt", raw)
    assert [text for who, text in spoken(imported) if who == "assistant"] == replies
    assert rules(imported) == ([rule] if rule else [])


def test_a_time_that_goes_back_is_left_out(tmp_path: Path) -> None:
    """So that no rule on times holds the dialogue out; 0 is no time at all."""
    raw = chatgpt()
    raw["mapping"]["a2"]["message"]["create_time"] = MAY_8 - 5
    raw["mapping"]["u2"]["message"]["create_time"] = 0
    (imported,) = read_chats(tmp_path, "chatgpt", raw)
    times = [turn.time for turn in bundle_of(imported).conversation.turns()]
    assert times[1:3] == [None, None]
    assert rules(imported) == ["import.time_back"]
    found = {each.rule for each in check([bundle_of(imported)], RuleContext())}
    assert "time.turn_in_session" not in found


def test_an_empty_chat_is_a_warning(tmp_path: Path) -> None:
    """It is held out, and nothing is wrong with the others."""
    empty, whole = read_chats(tmp_path, "chatgpt", chatgpt() | {"mapping": {}, "id": 1}, chatgpt())
    assert (empty.bundle, rules(empty)) == (None, ["import.dialogue_empty"])
    assert bundle_of(whole).id == "c-1-2"
    assert rules(whole) == ["import.dialogue_renamed"]


def test_images_of_chatgpt_are_beside_its_file(tmp_path: Path) -> None:
    """A pointer is resolved by its id; one without a file is missing, with a warning."""
    (tmp_path / "user-x").mkdir()
    (tmp_path / "user-x" / "file-AbC12-boat.png").write_bytes(png("red"))
    raw, blobs = chatgpt(), MemoryBlobs()
    pointers = ("file-service://file-AbC12", "sediment://file_00ff99")
    shown = [{"content_type": "image_asset_pointer", "asset_pointer": each} for each in pointers]
    raw["mapping"]["u2"]["message"]["content"] = {
        "content_type": "multimodal_text",
        "parts": [*shown, "I bought it.", {"content_type": "audio_asset_pointer"}],
    }
    (imported,) = read_chats(tmp_path, "chatgpt", raw, blobs=blobs)
    assets = bundle_of(imported).assets
    assert [each.availability for each in assets] == [Availability.PRESENT, Availability.MISSING]
    assert assets[0].blob_sha256 in blobs.by_hash
    assert rules(imported) == ["import.image_left_behind"]
    assert "audio_asset_pointer" in only(imported, "import.part_left_out").message
    (source,) = FORMATS["chatgpt"].sources(tmp_path)
    assert [path.name for path in source.files][1:] == ["file-AbC12-boat.png"]
