"""The content of a message: a text, or a list of parts, as OpenAI and Anthropic write them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, NoReturn

from memassay.exports.foreign.dialogues.messages import ASSISTANT, TOOL, Message, Picture
from memassay.exports.foreign.images import place_below
from memassay.exports.foreign.json_text import Parts
from memassay.schemas.records.conversation import Action, TurnKind

_TEXTS: Final = {
    "text": "text",
    "input_text": "text",
    "output_text": "text",
    "refusal": "refusal",
    "audio_transcription": "text",
}
"""By type of a part, the key of its text."""
_IMAGES: Final = frozenset({"image_url", "input_image", "image"})
_ADDRESSES: Final = ("http://", "https://", "data:")


@dataclass(frozen=True)
class LeftOut:
    """A part of which no turn can be made.

    Attributes:
        parts: Its place in the file.
        type: What it calls itself.
    """

    parts: Parts
    type: str


def content_of(message: Message, raw: Any) -> Iterator[Message | LeftOut]:
    """The turns of a message, from its content.

    Texts and images beside each other are one turn; a call of a tool and its result are turns of
    their own.

    Args:
        message: Who speaks, when and where, without text. What it shows and its extras go with
            the first turn.
        raw: The content as it is in the file.
    """
    spoken: Message | None = None
    shown = [message] if message.pictures else []
    for piece in chain(shown, _pieces(replace(message, pictures=()), raw)):
        if not isinstance(piece, Message):
            yield piece
        elif spoken and piece.kind is spoken.kind is message.kind:
            text = _join(spoken.text, piece.text)
            pictures = spoken.pictures + piece.pictures
            spoken = replace(spoken, text=text, pictures=pictures)
        else:
            if spoken:
                yield spoken
                piece = replace(piece, extras={})
            spoken = piece
    if spoken:
        yield spoken


def _join(left: str, right: str) -> str:
    """Two parts of one message; on a line each, unless one of them brings its own space."""
    apart = bool(left and right) and not (left[-1].isspace() or right[0].isspace())
    return f"{left}\n{right}" if apart else left + right


def action_of(name: Any, arguments: Any) -> Action | None:
    """A call of a tool; arguments that are no object are kept as one; None without a name."""
    if not isinstance(name, str) or not name:
        return None
    read = _decode(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(read, dict):
        read = {} if arguments in (None, "") else {"input": read}
    return Action(name=name, arguments=read)


def picture_of(written: Any) -> Picture | None:
    """An image named by its address or by a path below the folder of the file."""
    if not isinstance(written, str) or not written:
        return None
    path = written.removeprefix("file://")
    return Picture(written, None if written.startswith(_ADDRESSES) else place_below(path))


def _pieces(message: Message, raw: Any) -> Iterator[Message | LeftOut]:
    """The parts of a content, each as a turn."""
    for at, part in enumerate(raw if isinstance(raw, list) else [raw]):
        parts = (*message.parts, at) if isinstance(raw, list) else message.parts
        if isinstance(part, str):
            yield replace(message, text=part)
        elif isinstance(part, dict):
            yield from _piece(message, part, parts)
        elif part is not None:
            yield LeftOut(parts, type(part).__name__)


def _piece(message: Message, part: dict[str, Any], parts: Parts) -> Iterator[Message | LeftOut]:
    kind = part.get("type") or part.get("content_type") or ("text" if "text" in part else "")
    kind = kind if isinstance(kind, str) else ""
    action = action_of(part.get("name"), part.get("input")) if kind == "tool_use" else None
    picture = picture_of(_image_uri(part, kind)) if kind in _IMAGES else None
    text = _text(part.get(_TEXTS.get(kind, "")))
    if text is not None:
        yield replace(message, text=text)
    elif picture is not None:
        yield replace(message, pictures=(picture,))
    elif action is not None:
        yield replace(message, speaker=ASSISTANT, kind=TurnKind.ACTION, action=action)
    elif kind == "tool_result":
        for result in content_of(replace(message, parts=parts), part.get("content")):
            if isinstance(result, Message):
                result = replace(result, speaker=TOOL, kind=TurnKind.OBSERVATION)
            yield result
    else:
        yield LeftOut(parts, kind or "a part without a type")


def _text(value: Any) -> str | None:
    """A text, also of the form `{"value": ...}`."""
    value = value.get("value") if isinstance(value, dict) else value
    return value if isinstance(value, str) else None


def _image_uri(part: dict[str, Any], kind: str) -> Any:
    """Where an image is: an address, a path, or base64 with its media type."""
    named = next(
        (part[key] for key in (kind, "image_url", "source", "url", "path", "image") if key in part),
        None,
    )
    if isinstance(named, dict) and isinstance(named.get("data"), str):
        return f"data:{named.get('media_type', '')};base64,{named['data']}"
    return named.get("url") if isinstance(named, dict) else named


def _decode(text: str) -> Any:
    """The JSON of a text; the text itself where it is none."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return text


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)
