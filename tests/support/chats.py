"""Small chats of every format, with the same words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from memassay.schemas.contracts.protocols import Imported
from support.foreign_cases import bundle_of, import_all
from support.release_builder import MemoryBlobs

NAMES = ("chatgpt", "claude", "openai-messages", "sharegpt")
MAY_8 = 1683554160


def node(role: str, text: Any, parent: str | None, at: int, **message: Any) -> dict[str, Any]:
    """A node of a tree of messages."""
    return {
        "parent": parent,
        "message": {
            "author": {"role": role},
            "create_time": MAY_8 + at,
            "content": {"content_type": "text", "parts": [text]},
            "recipient": "all",
            "metadata": {},
            **message,
        },
    }


def chatgpt() -> dict[str, Any]:
    """A conversation of ChatGPT's export, with a reply that was made again."""
    return {
        "title": "Mast",
        "conversation_id": "c-1",
        "create_time": float(MAY_8),
        "current_node": "a3",
        "mapping": {
            "r": {"parent": None, "message": None},
            "s": node("system", "Be kind.", "r", 0),
            "u1": node("user", "Spruce or ash?", "s", 0),
            "a1": node("assistant", "Ash.", "u1", 10),
            "a2": node("assistant", "Spruce.", "u1", 20, metadata={"model_slug": "m"}),
            "u2": node("user", "I bought it.", "a2", 86400),
            "a3": node("assistant", "Good.", "u2", 86410),
        },
        "gizmo": 7,
    }


def claude() -> dict[str, Any]:
    """The same in the export of Claude.ai."""
    said = [("human", "Spruce or ash?", "2023-05-08T13:56:00.5Z"), ("assistant", "Spruce.", None)]
    said += [("human", "I bought it.", "2023-05-09T13:56:00Z"), ("assistant", "Good.", None)]
    messages = [{"sender": who, "text": text, "created_at": when} for who, text, when in said]
    return {"uuid": "c-1", "name": "Mast", "chat_messages": messages, "gizmo": 7}


def openai() -> dict[str, Any]:
    """The same as messages."""
    said = ["Spruce or ash?", "Spruce.", "I bought it.", "Good."]
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(said)]
    return {"id": "c-1", "title": "Mast", "messages": messages, "gizmo": 7}


def sharegpt() -> dict[str, Any]:
    """The same in ShareGPT's layout."""
    messages = [
        {"from": {"user": "human", "assistant": "gpt"}[each["role"]], "value": each["content"]}
        for each in openai()["messages"]
    ]
    return {"id": "c-1", "title": "Mast", "conversations": messages, "gizmo": 7}


RAW: dict[str, Callable[[], dict[str, Any]]] = {
    "chatgpt": chatgpt,
    "claude": claude,
    "openai-messages": openai,
    "sharegpt": sharegpt,
}


def read_chats(
    folder: Path, name: str, *raw: Any, blobs: MemoryBlobs | None = None
) -> list[Imported]:
    """Chats, written and imported."""
    folder.mkdir(exist_ok=True)
    path = folder / "conversations.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    return import_all(name, path, blobs)


def spoken(imported: Imported) -> list[tuple[str, str]]:
    """Who says what."""
    return [(turn.speaker, turn.text) for turn in bundle_of(imported).conversation.turns()]
