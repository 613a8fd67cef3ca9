"""From two states of a history to the patches between them, record by record."""

from typing import Any, Final

from memassay.flows.engine.edit_layers import Key
from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import PatchStep
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation

_PARTS: Final = ("sessions", "checkpoints")
"""What of a conversation a change of its history can touch."""


def changes(before: Bundle, after: Bundle) -> list[tuple[Key, Record | None, Record | None]]:
    """Records that differ between two states, the conversation first."""
    old = {(kind_of(one), one.id): one for one in before.records()}
    new = {(kind_of(one), one.id): one for one in after.records()}
    keys = [*old, *(key for key in new if key not in old)]
    return [(key, old.get(key), new.get(key)) for key in keys if old.get(key) != new.get(key)]


def patch_between(before: Record | None, after: Record | None) -> list[PatchStep]:
    """The RFC 6902 patch from one state of a record to another; None is no record."""
    import jsonpatch

    if before is None or after is None:
        value = None if after is None else after.model_dump(mode="json")
        steps = [{"op": "replace", "path": "", "value": value}]
    elif isinstance(before, Conversation):
        steps = _conversation_patch(before.model_dump(mode="json"), after.model_dump(mode="json"))
    else:
        old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
        steps = jsonpatch.make_patch(old, new).patch
    return [PatchStep.model_validate(step) for step in steps]


def _conversation_patch(before: dict[str, Any], after: dict[str, Any]) -> list[dict[str, Any]]:
    """Session by session where their number stays, else all of them."""
    steps = []
    for name in _PARTS:
        if len(before[name]) != len(after[name]):
            steps.append({"op": "replace", "path": f"/{name}", "value": after[name]})
            continue
        for at, (old, new) in enumerate(zip(before[name], after[name], strict=True)):
            if old != new:
                steps += _session_patch(f"/{name}/{at}", old, new)
    return steps


def _session_patch(
    path: str, before: dict[str, Any], after: dict[str, Any]
) -> list[dict[str, Any]]:
    """Round by round where their number stays, else the whole session."""
    old, new = before.get("rounds", []), after.get("rounds", [])
    heads = [{**one, "rounds": []} for one in (before, after)]
    if len(old) != len(new) or heads[0] != heads[1]:
        return [{"op": "replace", "path": path, "value": after}]
    return [
        {"op": "replace", "path": f"{path}/rounds/{at}", "value": two}
        for at, (one, two) in enumerate(zip(old, new, strict=True))
        if one != two
    ]


def effect_of(before: Bundle, after: Bundle) -> str:
    """Hash of what an edit changes of a conversation, place by place, before and after.

    Equal for the same change of the same places, whatever the rest of the history is like.
    """
    old = before.conversation.model_dump(mode="json")
    new = after.conversation.model_dump(mode="json")
    steps = _conversation_patch(old, new)
    return content_hash([[step["path"], _at(old, step["path"]), step["value"]] for step in steps])


def _at(document: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document
