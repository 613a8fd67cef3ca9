"""A copy of a conversation that was taken in: what is known of it, under another id."""

from memassay.schemas.base import Record
from memassay.schemas.changes.merging import rename_bundle
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle


def copy_bundle(bundle: Bundle, new: str) -> Bundle:
    """A conversation and all its records, named as if it had been read under another id."""
    own: list[Record] = bundle.records()
    names = {one.id: record_id(new, one.id.partition("/")[2]) for one in own if one.id != bundle.id}
    made = rename_bundle(bundle, new, names, {})
    return made.model_copy(
        update={"conversation": made.conversation.model_copy(update={"id": new})}
    )


def copy_finding(one: Finding, old: str, new: str) -> Finding:
    """What a finding about a conversation says of its copy; about a file, it is as it was."""
    target, message = (_rename(text, old, new) for text in (one.target, one.message))
    return Finding.make(one.rule, one.severity, target, one.pointer, message, one.fix)


def copy_held_out(one: HeldOut, old: str, new: str) -> HeldOut:
    """What was held out of a conversation, as of its copy."""
    place = _rename(one.record, old, new)
    changed = {
        "id": f"held-out-{content_hash([place, *one.reasons, one.content])[:16]}",
        "record": place,
        "messages": [_rename(message, old, new) for message in one.messages],
    }
    return one.model_copy(update=changed)


def _rename(text: str, old: str, new: str) -> str:
    """A text that begins with the id of the conversation, or of one of its records."""
    rest = text.removeprefix(old)
    return f"{new}{rest}" if rest != text and rest[:1] in ("", "/", ".") else text
