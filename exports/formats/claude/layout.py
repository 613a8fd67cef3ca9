"""The data export of Claude.ai: `conversations.json`, a list of conversations of `chat_messages`.

Each message has a `sender`, a `text` and, in newer exports, a list `content` of parts, which says
more: calls of tools and their results are turns of their own.
"""

from typing import Any, Final

from memassay.exports.foreign.dialogues.branches import branch
from memassay.exports.foreign.dialogues.content import content_of, picture_of
from memassay.exports.foreign.dialogues.dialogue_format import (
    Dialogue,
    DialogueFormat,
    rest_of,
    text_of,
)
from memassay.exports.foreign.dialogues.messages import Message
from memassay.exports.foreign.dialogues.rules import DIALOGUES, PART_LEFT_OUT
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import entries_of
from memassay.exports.foreign.rules import PART_UNREADABLE

_IDS: Final = ("uuid", "id")
_KNOWN: Final = frozenset(
    {
        *_IDS,
        "name",
        "model",
        "account",
        "chat_messages",
        "created_at",
        "updated_at",
        "current_leaf_message_uuid",
    }
)
_KNOWN_MESSAGE: Final = frozenset(
    {
        *("uuid", "text", "content", "sender", "created_at", "updated_at", "files", "files_v2"),
        *("index", "parent_message_uuid"),
    }
)
_SHOWN: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif")


def _parse(dialogue: Dialogue) -> None:
    raw = dialogue.raw
    dialogue.title, dialogue.model = text_of(raw, "name"), text_of(raw, "model")
    dialogue.date = dialogue.moment(raw.get("created_at"), ("created_at",))
    dialogue.extras = rest_of(raw, _KNOWN)
    listed = raw.get("chat_messages")
    messages = dict(enumerate(listed if isinstance(listed, list) else []))
    for at in _branch(dialogue, messages):
        part, parts = messages[at], ("chat_messages", at)
        role = dialogue.role(part.get("sender"), parts) if isinstance(part, dict) else None
        if role is None or not isinstance(part, dict):
            expected = "a message of a 'sender' human or assistant"
            dialogue.reading.hold(PART_UNREADABLE, parts, part, expected, "Name who speaks.")
        else:
            _say(dialogue, part, role, parts)


def _branch(dialogue: Dialogue, messages: dict[int, Any]) -> list[int]:
    """Positions of the messages that were shown last; all of them where none was edited."""
    place = {
        each["uuid"]: at
        for at, each in messages.items()
        if isinstance(each, dict) and isinstance(each.get("uuid"), str)
    }
    parents = {
        name: messages[at].get("parent_message_uuid")
        for name, at in place.items()
        if messages[at].get("parent_message_uuid") in place
    }
    leaf = dialogue.raw.get("current_leaf_message_uuid")
    if leaf not in place or len(place) < len(messages):
        return list(messages)
    shown = [place[name] for name in branch(leaf, parents)[0]]
    for at in sorted(messages.keys() - set(shown)):
        dialogue.leave_out("on other branches", ("chat_messages", at))
    return shown


def _say(dialogue: Dialogue, raw: dict[str, Any], role: str, parts: Parts) -> None:
    content = raw.get("content")
    time = dialogue.moment(raw.get("created_at"), (*parts, "created_at"))
    extras = rest_of(raw, _KNOWN_MESSAGE)
    for at, each in enumerate(entries_of(extras.get("attachments"))):
        name = each.get("file_name") if isinstance(each, dict) else each
        place, fix = (*parts, "attachments", at), "Nothing; its text is kept in extras."
        dialogue.note(PART_LEFT_OUT, place, "texts and images", name, fix)
    if not extras.get("attachments"):
        extras.pop("attachments", None)
    files = (
        each.get("file_name") if isinstance(each, dict) else None
        for each in [*entries_of(raw.get("files")), *entries_of(raw.get("files_v2"))]
    )
    names = list(dict.fromkeys(each for each in files if isinstance(each, str)))
    shown = [picture_of(each) for each in names if each.lower().endswith(_SHOWN)]
    for name in names:
        if not name.lower().endswith(_SHOWN):
            dialogue.note(PART_LEFT_OUT, (*parts, "files"), "images", name, "Nothing.")
    pictures = tuple(each for each in shown if each is not None)
    spoken = Message(role, "", parts, time=time, pictures=pictures, extras=extras)
    said = content if isinstance(content, list) and content else raw.get("text")
    dialogue.say(parts, content_of(spoken, said))


FORMAT: Final = DialogueFormat(
    name="claude",
    what="conversations with 'chat_messages', as the data export of Claude.ai has them",
    marks=("chat_messages",),
    ids=_IDS,
    parse=_parse,
    rules=DIALOGUES,
)
