"""Dialogues as chat models take them: `{"messages": [{"role": ..., "content": ...}]}` each.

Content is a text or a list of parts (text, `image_url`, calls of tools and their results, also as
Anthropic writes them). A call is a turn of kind action, its result one of kind observation.
"""

from collections.abc import Iterator
from typing import Any, Final

from memassay.exports.foreign.dialogues.content import LeftOut, action_of, content_of
from memassay.exports.foreign.dialogues.dialogue_format import (
    Dialogue,
    DialogueFormat,
    rest_of,
    text_of,
)
from memassay.exports.foreign.dialogues.messages import ASSISTANT, SYSTEM, TOOL, Message
from memassay.exports.foreign.dialogues.rules import DIALOGUES
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.rules import PART_UNREADABLE
from memassay.schemas.records.conversation import TurnKind

_IDS: Final = ("id", "conversation_id", "custom_id", "uuid")
_TIMES: Final = ("created_at", "create_time", "created", "timestamp", "date")
_KNOWN: Final = frozenset({"messages", "title", "model", *_IDS, *_TIMES})
_KNOWN_MESSAGE: Final = frozenset(
    {"role", "content", "tool_calls", "function_call", "refusal", *_TIMES}
)


def _parse(dialogue: Dialogue) -> None:
    raw = dialogue.raw
    dialogue.title, dialogue.model = text_of(raw, "title"), text_of(raw, "model")
    dialogue.date = _moment(dialogue, raw, ())
    dialogue.extras = rest_of(raw, _KNOWN)
    listed = raw.get("messages")
    for at, part in enumerate(listed if isinstance(listed, list) else []):
        parts: Parts = ("messages", at)
        role = dialogue.role(part.get("role"), parts) if isinstance(part, dict) else None
        if role == SYSTEM:
            dialogue.leave_out("system", parts)
        elif role in (None, "call"):
            expected = "a message with a role: user, assistant, tool or system"
            dialogue.reading.hold(PART_UNREADABLE, parts, part, expected, "Name who speaks.")
        else:
            dialogue.say(parts, _turns(dialogue, part, str(role), parts))


def _turns(
    dialogue: Dialogue, raw: dict[str, Any], role: str, parts: Parts
) -> Iterator[Message | LeftOut]:
    """What a message says, then the tools that it calls."""
    spoken = Message(
        role,
        "",
        parts,
        TurnKind.OBSERVATION if role == TOOL else TurnKind.UTTERANCE,
        _moment(dialogue, raw, parts),
        extras=rest_of(raw, _KNOWN_MESSAGE),
    )
    calls = raw.get("tool_calls")
    listed = [*calls] if isinstance(calls, list) else []
    listed += [{"function": raw["function_call"]}] if raw.get("function_call") else []
    # A model that refuses says so beside its content.
    content = raw["content"] if raw.get("content") is not None else raw.get("refusal")
    said = list(content_of(spoken, content))
    yield from said
    for call in listed:
        named = call.get("function", call) if isinstance(call, dict) else None
        action = action_of(named.get("name"), named.get("arguments")) if named else None
        if action is None or not isinstance(call, dict):
            yield LeftOut(parts, "a call of a tool without a name")
            continue
        extras = {"id": call["id"]} if isinstance(call.get("id"), str) else {}
        extras |= {} if said else spoken.extras
        yield Message(ASSISTANT, "", parts, TurnKind.ACTION, spoken.time, action, extras=extras)


def _moment(dialogue: Dialogue, raw: dict[str, Any], parts: Parts) -> str | None:
    key = next((key for key in _TIMES if raw.get(key) is not None), None)
    return dialogue.moment(raw[key], (*parts, key)) if key is not None else None


FORMAT: Final = DialogueFormat(
    name="openai-messages",
    what="objects with a list of 'messages'",
    marks=("messages",),
    ids=_IDS,
    parse=_parse,
    rules=DIALOGUES,
    bare="role",
)
