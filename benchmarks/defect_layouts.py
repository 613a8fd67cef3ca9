"""Foreign layouts kept in step with changed records, as a careful forger would keep them."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

Document = dict[str, Any]
Pair = tuple[dict[str, Document], dict[str, Document]]


@dataclass(frozen=True)
class LayoutChange:
    """Records before and after.

    Attributes:
        conversations: By id.
        questions: By id.
        blobs: Bytes by asset id.
    """

    conversations: Pair
    questions: Pair
    blobs: tuple[dict[str, bytes], dict[str, bytes]]


def follow(layouts: dict[str, bytes], change: LayoutChange) -> None:
    """Write changed questions, turns, captions and images into the layouts."""
    texts = _changed_texts(change.conversations)
    items = _changed_items(change.questions)
    images = _changed_blobs(change.blobs)
    for name, data in list(layouts.items()):
        if not name.startswith("formats/"):
            continue
        if (new := images.get(hashlib.sha256(data).hexdigest())) is not None:
            layouts[name] = new
        elif name.endswith(".json") and (texts or items):
            document = _walk(json.loads(data), texts, items)
            layouts[name] = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _changed_texts(pair: Pair) -> dict[str, str]:
    changed: dict[str, str] = {}
    for name, old in pair[0].items():
        new = pair[1].get(name, old)
        if old == new:
            continue
        before, after = _texts(old), _texts(new)
        for key, text in before.items():
            if after.get(key, text) != text and len(text) > 3:
                changed[text] = after[key]
    return changed


def _texts(conversation: Document) -> dict[tuple[str, str], str]:
    found = {}
    for session in conversation["sessions"]:
        for round_ in session["rounds"]:
            for turn in round_["turns"]:
                found[turn["id"], "text"] = turn["text"] or ""
                for shown in turn["attachments"]:
                    found[turn["id"], shown["id"]] = shown.get("caption") or ""
    return found


def _changed_items(pair: Pair) -> dict[str, list[tuple[Document, Document]]]:
    changed: dict[str, list[tuple[Document, Document]]] = {}
    for name, old in pair[0].items():
        new = pair[1].get(name, old)
        if old != new:
            changed.setdefault(old["question"]["text"], []).append((old, new))
    return changed


def _changed_blobs(pair: tuple[dict[str, bytes], dict[str, bytes]]) -> dict[str, bytes]:
    return {
        hashlib.sha256(old).hexdigest(): pair[1].get(name, old)
        for name, old in pair[0].items()
        if pair[1].get(name, old) is not old
    }


def _walk(node: Any, texts: dict[str, str], items: dict[str, list[Any]]) -> Any:
    if isinstance(node, str):
        return texts.get(node, node)
    if isinstance(node, list):
        return [_walk(one, texts, items) for one in node]
    if not isinstance(node, dict):
        return node
    for old, new in items.get(node["question"], ()) if _is_item(node) else ():
        if _holds(node, old):
            return _entry(node, old, new)
    return {name: _walk(one, texts, items) for name, one in node.items()}


def _is_item(node: Document) -> bool:
    return isinstance(node.get("question"), str)


def _holds(node: Document, old: Document) -> bool:
    """Whether an entry of a layout is about an item: its places agree."""
    for name in _PLACES:
        if node.get(name):
            return bool(node[name] == old["evidence"]["canonical"])
    return True


_PLACES: Final = ("supporting_facts", "clue", "evidence")
_ANSWERS: Final[tuple[Callable[[Document], Any], ...]] = (
    lambda answer: [*answer["values"], *answer["equivalents"], *answer["coarser"]],
    lambda answer: [*answer["values"], *answer["equivalents"]],
    lambda answer: answer["values"],
    lambda answer: ", ".join(answer["values"]),
    lambda answer: "; ".join(answer["values"]),
    lambda answer: answer["values"][0] if answer["values"] else "",
)


def _entry(node: Document, old: Document, new: Document) -> Document:
    entry = {**node, "question": new["question"]["text"]}
    for name in ("answer", "label", "adversarial_answer"):
        if name not in entry:
            continue
        for form in _ANSWERS:
            if str(form(old["answer"])) == str(entry[name]):
                entry[name] = form(new["answer"])
                break
    for name in _PLACES:
        if name in entry:
            entry[name] = new["evidence"]["canonical"]
    return entry
