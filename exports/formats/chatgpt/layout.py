"""The data export of ChatGPT: `conversations.json`, a list of conversations, each a tree.

The branch that ends at `current_node` is the dialogue. Times are UTC: the export has no zone.
What people did not see (system messages, hidden ones, notes of the model to itself) is left out
and listed. Images are looked for beside the file, under the id of their pointer.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.dialogues.branches import branch
from memassay.exports.foreign.dialogues.content import LeftOut, action_of, content_of
from memassay.exports.foreign.dialogues.dialogue_format import (
    Dialogue,
    DialogueFormat,
    rest_of,
    text_of,
)
from memassay.exports.foreign.dialogues.messages import (
    ASSISTANT,
    SYSTEM,
    TOOL,
    Message,
    Picture,
)
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.rules import PART_UNREADABLE
from memassay.exports.formats.chatgpt.rules import BRANCH_UNNAMED, RULES
from memassay.schemas.records.conversation import TurnKind

_IDS: Final = ("conversation_id", "id")
_KNOWN: Final = frozenset(
    {*_IDS, "title", "create_time", "update_time", "mapping", "current_node", "default_model_slug"}
)
_KNOWN_MESSAGE: Final = frozenset(
    {
        *("id", "author", "create_time", "update_time", "content", "status", "end_turn"),
        *("weight", "metadata", "recipient", "channel"),
    }
)
_UNSEEN: Final = {
    "user_editable_context": "context of the user",
    "model_editable_context": "context of the model",
    "thoughts": "thoughts of the model",
    "reasoning_recap": "thoughts of the model",
}
"""By type of a content, what it is that people do not see."""
_ASSET: Final = re.compile(r"[a-z-]+://(?:[^/]*/)*(?P<id>file[-_][A-Za-z0-9_-]{4,80})")


def _parse(dialogue: Dialogue) -> None:
    raw = dialogue.raw
    dialogue.title, dialogue.model = text_of(raw, "title"), text_of(raw, "default_model_slug")
    dialogue.date = dialogue.moment(raw.get("create_time"), ("create_time",))
    dialogue.extras = rest_of(raw, _KNOWN)
    mapping = raw.get("mapping")
    nodes = {
        name: node
        for name, node in (mapping.items() if isinstance(mapping, dict) else ())
        if isinstance(node, dict)
    }
    shown = _branch(dialogue, nodes)
    for name in nodes:
        if name not in shown and isinstance(nodes[name].get("message"), dict):
            dialogue.leave_out("on other branches", ("mapping", name, "message"))
    for name in shown:
        message, parts = nodes[name].get("message"), ("mapping", name, "message")
        if isinstance(message, dict):
            _say(dialogue, message, parts)
        elif message is not None:
            fix = "Write an object, or null."
            dialogue.reading.hold(PART_UNREADABLE, parts, message, "a message", fix)


def _branch(dialogue: Dialogue, nodes: dict[str, Any]) -> list[str]:
    """Names of the nodes from the root to the one that was shown last."""
    parents = {name: node["parent"] for name, node in nodes.items() if node.get("parent") in nodes}
    for name, node in nodes.items():
        children = node.get("children")
        for child in children if isinstance(children, list) else []:
            if isinstance(child, str) and child in nodes:
                parents.setdefault(child, name)
    leaf = dialogue.raw.get("current_node")
    if not isinstance(leaf, str) or leaf not in nodes:
        ends = [name for name in nodes if name not in set(parents.values())]
        if not ends:
            return []
        got, leaf = leaf, max(ends, key=lambda name: _time(nodes[name]))
        if len(ends) > 1 or got is not None:
            fix = f"Name it; {leaf}, the latest, was read."
            dialogue.note(BRANCH_UNNAMED, ("current_node",), "the last node shown", got, fix)
    found, rooted = branch(leaf, parents)
    if not rooted:
        fix = f"Correct them; the {len(found)} nodes of the circle were read."
        dialogue.note(BRANCH_UNNAMED, ("mapping",), "parents up to a root", "a circle", fix)
    return found


def _time(node: dict[str, Any]) -> float:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, dict) else None
    return float(time) if isinstance(time, int | float) else 0.0


def _say(dialogue: Dialogue, raw: dict[str, Any], parts: Parts) -> None:
    author, content, metadata = (
        each if isinstance(each, dict) else {}
        for each in (raw.get("author"), raw.get("content"), raw.get("metadata"))
    )
    role, kind = dialogue.role(author.get("role"), parts), content.get("content_type")
    unseen = _UNSEEN.get(kind) if isinstance(kind, str) else None
    if role in (None, "call"):
        expected = "a message of an author: user, assistant, tool or system"
        dialogue.reading.hold(PART_UNREADABLE, parts, raw, expected, "Name who speaks.")
    elif role == SYSTEM:
        dialogue.leave_out("system", parts)
    elif metadata.get("is_visually_hidden_from_conversation") or unseen:
        dialogue.leave_out(unseen or "hidden", parts)
    else:
        dialogue.model = text_of(metadata, "model_slug") or dialogue.model
        spoken = Message(
            str(role),
            "",
            parts,
            TurnKind.OBSERVATION if role == TOOL else TurnKind.UTTERANCE,
            dialogue.moment(raw.get("create_time"), (*parts, "create_time")),
            extras=rest_of(raw, _KNOWN_MESSAGE),
        )
        turns = list(_turns(dialogue, spoken, raw.get("recipient"), content))
        if turns or not isinstance(kind, str) or kind == "text":
            dialogue.say(parts, iter(turns))
        else:
            dialogue.leave_out(f"of type {kind[:40]}", parts)


def _turns(
    dialogue: Dialogue, spoken: Message, recipient: Any, content: dict[str, Any]
) -> Iterator[Message | LeftOut]:
    listed = content.get("parts")
    pieces = listed if isinstance(listed, list) else [text_of(content, "text", "result", "content")]
    if spoken.speaker == ASSISTANT and isinstance(recipient, str) and recipient not in ("", "all"):
        words = "\n".join(each for each in pieces if isinstance(each, str))
        if words:
            action = action_of(recipient, words)
            yield replace(spoken, kind=TurnKind.ACTION, action=action)
        return
    assets = [(at, _asset(each)) for at, each in enumerate(pieces)]
    pictures = [_picture(dialogue.folder, each) for _, each in assets if each is not None]
    shown = {at for at, each in assets if each is not None}
    rest = [None if at in shown else each for at, each in enumerate(pieces)]
    yield from content_of(replace(spoken, pictures=tuple(pictures)), rest)


def _asset(part: Any) -> str | None:
    """The pointer of a part that is an image."""
    pointer = part.get("asset_pointer") if isinstance(part, dict) else None
    image = isinstance(part, dict) and part.get("content_type") == "image_asset_pointer"
    return pointer if image and isinstance(pointer, str) else None


def _picture(folder: Path, pointer: str) -> Picture:
    """An image by its pointer: the file beside the export whose name begins with its id."""
    named = _ASSET.match(pointer)
    found = sorted(folder.glob(f"**/{named['id']}*")) if named is not None else []
    files = [path for path in found if path.is_file()]
    place = files[0].relative_to(folder).as_posix() if files else None
    return Picture(pointer, place or (named["id"] if named is not None else pointer))


FORMAT: Final = DialogueFormat(
    name="chatgpt",
    what="conversations with a 'mapping', as the data export of ChatGPT has them",
    marks=("mapping",),
    ids=_IDS,
    parse=_parse,
    rules=RULES,
)
