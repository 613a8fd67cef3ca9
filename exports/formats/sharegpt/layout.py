"""ShareGPT's layout and that of the training sets that follow it.

`{"id": ..., "conversations": [{"from": "human", "value": ...}]}`, with `image` or `images` beside
it as LLaVA and LLaMA-Factory write them: an `<image>` in a text is the place of the next image;
those without a place are shown first.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from memassay.exports.foreign.dialogues.content import LeftOut, action_of, content_of, picture_of
from memassay.exports.foreign.dialogues.dialogue_format import (
    Dialogue,
    DialogueFormat,
    rest_of,
    text_of,
)
from memassay.exports.foreign.dialogues.messages import (
    ASSISTANT,
    CALL,
    SYSTEM,
    TOOL,
    USER,
    Message,
    Picture,
)
from memassay.exports.foreign.dialogues.rules import DIALOGUES
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import entries_of
from memassay.exports.foreign.rules import PART_UNREADABLE
from memassay.schemas.records.conversation import TurnKind

_MARKS: Final = ("conversations", "conversation")
_IDS: Final = ("id", "conversation_id")
_TIMES: Final = ("timestamp", "date", "created_at")
_KNOWN: Final = frozenset({*_MARKS, *_IDS, *_TIMES, "title", "model", "image", "images", "system"})
_KNOWN_MESSAGE: Final = frozenset({"from", "value", "role", "content", "text"})
_PLACE: Final = "<image>"


def _parse(dialogue: Dialogue) -> None:
    raw = dialogue.raw
    dialogue.title, dialogue.model = text_of(raw, "title"), text_of(raw, "model")
    dialogue.extras = rest_of(raw, _KNOWN)
    key = next((key for key in _TIMES if raw.get(key) is not None), None)
    dialogue.date = dialogue.moment(raw[key], (key,)) if key is not None else None
    if raw.get("system"):
        dialogue.leave_out("system", ("system",))
    mark = next(key for key in _MARKS if key in raw)
    listed = raw[mark] if isinstance(raw[mark], list) else []
    for at, part in enumerate(listed):
        parts: Parts = (mark, at)
        named = part.get("from", part.get("role")) if isinstance(part, dict) else None
        role = dialogue.role(named, parts)
        if role is None:
            expected = "a message under 'from' human, gpt, system or tool"
            dialogue.reading.hold(PART_UNREADABLE, parts, part, expected, "Name who speaks.")
        elif role == SYSTEM:
            dialogue.leave_out("system", parts)
        else:
            dialogue.say(parts, _turns(part, role, parts))
    dialogue.messages = list(_show(dialogue.messages, _pictures(raw)))


def _turns(raw: dict[str, Any], role: str, parts: Parts) -> Iterator[Message | LeftOut]:
    value = next((raw[key] for key in ("value", "content", "text") if key in raw), None)
    extras = rest_of(raw, _KNOWN_MESSAGE)
    if role == CALL:
        call = action_of("call", value)
        named = call.arguments if call is not None else {}
        action = action_of(named.get("name"), named.get("arguments")) or call
        yield Message(ASSISTANT, "", parts, TurnKind.ACTION, action=action, extras=extras)
        return
    kind = TurnKind.OBSERVATION if role == TOOL else TurnKind.UTTERANCE
    yield from content_of(Message(role, "", parts, kind, extras=extras), value)


def _pictures(raw: dict[str, Any]) -> list[Picture]:
    named = [*entries_of(raw.get("image")), *entries_of(raw.get("images"))]
    uris = (
        next((each[key] for key in ("path", "url", "uri", "file") if each.get(key)), None)
        if isinstance(each, dict)
        else each
        for each in named
    )
    found = (picture_of(each) for each in uris)
    return [each for each in found if each is not None]


def _show(messages: list[Message], pictures: list[Picture]) -> Iterator[Message]:
    """The messages with the images whose places they hold; the first of a user shows the rest."""
    wanted = sum(message.text.count(_PLACE) for message in messages)
    placed, rest = pictures[:wanted], pictures[wanted:]
    for message in messages:
        number = message.text.count(_PLACE)
        own, placed = placed[:number], placed[number:]
        # A place without an image stays as it is: something was shown there.
        text = message.text.replace(_PLACE, "", len(own)).strip() if own else message.text
        if message.speaker == USER and rest:
            own, rest = [*own, *rest], []
        yield replace(message, text=text, pictures=(*message.pictures, *own))


FORMAT: Final = DialogueFormat(
    name="sharegpt",
    what="objects with a list of 'conversations'",
    marks=_MARKS,
    ids=_IDS,
    parse=_parse,
    rules=DIALOGUES,
)
