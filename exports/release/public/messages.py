"""Histories and questions as messages of OpenAI's chat interface, with images as parts."""

import base64
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.exports.release.public.asking import prompt_of
from memassay.exports.release.text_lines import portable_json
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Session, SpeakerKind, Turn
from memassay.schemas.records.question import QAItem

Message = dict[str, Any]
_ASSISTANTS: Final = (SpeakerKind.ASSISTANT, SpeakerKind.AGENT)


def messages_of(item: QAItem, bundle: Bundle, blobs: BlobStore) -> list[Message]:
    """The history that an item may see, and the item.

    Args:
        item: A question of the bundle.
        bundle: Its conversation.
        blobs: The bytes of assets; what is not there is shown by its caption alone.
    """
    history = history_messages(bundle, bundle.sessions_before(item), blobs)
    return [*history, question_message(item, bundle, blobs)]


def history_messages(
    bundle: Bundle, sessions: Sequence[Session], blobs: BlobStore
) -> Iterator[Message]:
    """Sessions as messages: one that opens a session with its date, then one for each turn."""
    people = [each for each in bundle.conversation.speakers if each.kind is SpeakerKind.HUMAN]
    names = {
        each.id: f"{each.name}: "
        for each in bundle.conversation.speakers
        if each.kind not in _ASSISTANTS and (len(people) > 1 or each.kind is not SpeakerKind.HUMAN)
    }
    assistants = {each.id for each in bundle.conversation.speakers if each.kind in _ASSISTANTS}
    for session in sessions:
        date = f", {session.date}" if session.date else ""
        yield {"role": "user", "content": f"[Session {session.id}{date}]"}
        for turn in (turn for round_ in session.rounds for turn in round_.turns):
            text = names.get(turn.speaker, "") + _text(turn)
            shown = _parts(turn.attachments, bundle, blobs)
            if turn.speaker not in assistants:
                yield _message("user", text, shown)
                continue
            yield _message("assistant", text, [])
            if shown:
                # Only a user's message may have parts that are no text.
                yield _message("user", "[The assistant shows:]", shown)


def question_message(item: QAItem, bundle: Bundle, blobs: BlobStore) -> Message:
    """What is asked, with its images and the form that its answer must have."""
    shown = _parts(item.question.attachments, bundle, blobs)
    return _message("user", prompt_of(item, bundle), shown)


def places_message(text: str, places: Sequence[str], bundle: Bundle, blobs: BlobStore) -> Message:
    """A text with what the rounds of some places show."""
    rounds = {one.id: one for place in places for one in bundle.rounds_of(place)}
    shown = [each for one in rounds.values() for turn in one.turns for each in turn.attachments]
    return _message("user", text, _parts(shown, bundle, blobs))


def _text(turn: Turn) -> str:
    if turn.action is None:
        return turn.text
    return "\n".join(filter(None, [turn.text, portable_json(turn.action.model_dump(mode="json"))]))


def _message(role: str, text: str, shown: list[Message]) -> Message:
    if not shown:
        return {"role": role, "content": text}
    return {"role": role, "content": [{"type": "text", "text": text}, *shown]}


def _parts(attachments: Sequence[Attachment], bundle: Bundle, blobs: BlobStore) -> list[Message]:
    """Each attachment as its id and caption, and its bytes where they are there."""
    parts: list[Message] = []
    for each in attachments:
        caption = f": {each.caption}" if each.caption else ""
        parts.append({"type": "text", "text": f"[{each.id}{caption}]"})
        asset = bundle.asset_by_id.get(each.asset)
        if asset is None or asset.blob_sha256 is None or asset.blob_sha256 not in blobs:
            continue
        data = base64.b64encode(blobs.get(asset.blob_sha256)).decode("ascii")
        uri = f"data:{asset.media_type};base64,{data}"
        if (asset.media_type or "").startswith("image/"):
            parts.append({"type": "image_url", "image_url": {"url": uri}})
        else:
            name = f"{each.id.replace(':', '_')}.{(asset.media_type or '').rpartition('/')[2]}"
            parts.append({"type": "file", "file": {"filename": name, "file_data": uri}})
    return parts
