"""Histories as memories are given them: turns with their images, and files of these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memassay.exports.lifecycle.memories.shapes import Captions, MemoryAttachment, MemoryTurn
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Session, SpeakerKind

_ROLES: Final = {
    SpeakerKind.HUMAN: "user",
    SpeakerKind.ASSISTANT: "assistant",
    SpeakerKind.AGENT: "assistant",
}


@dataclass(frozen=True)
class AttachedFiles:
    """Writes what turns show to a folder, file by file, when a memory asks for it.

    Attributes:
        folder: Where files are written; it is the caller's to delete.
        blobs: Where bytes are.
    """

    folder: Path
    blobs: BlobStore
    _written: dict[str, str] = field(default_factory=dict)

    def path_of(self, asset: Asset | None) -> str | None:
        """The file of an asset; None if its bytes are not there."""
        digest = asset.blob_sha256 if asset else None
        if asset is None or digest is None or digest not in self.blobs:
            return None
        if digest not in self._written:
            ending = (asset.media_type or "").rpartition("/")[2] or "bin"
            file = self.folder / f"{digest}.{ending}"
            file.write_bytes(self.blobs.get(digest))
            self._written[digest] = str(file)
        return self._written[digest]


def turns_of(
    bundle: Bundle,
    session: Session,
    files: AttachedFiles | None = None,
    captions: Captions = Captions.PUBLIC,
) -> Iterator[MemoryTurn]:
    """The turns of a session as a memory is given them."""
    speakers = {each.id: each for each in bundle.conversation.speakers}
    turns = [(round_, turn) for round_ in session.rounds for turn in round_.turns]
    for index, (round_, turn) in enumerate(turns):
        speaker = speakers.get(turn.speaker)
        shown = tuple(_attachment(each, bundle, files, captions) for each in turn.attachments)
        kind = speaker.kind if speaker else SpeakerKind.HUMAN
        yield MemoryTurn(
            sample_id=bundle.id,
            session_id=session.id,
            turn_index=index,
            role=_ROLES.get(kind, kind.value),
            text=_with_images(turn.text, shown),
            attachments=shown,
            timestamp=turn.time or round_.date or session.date,
            turn_id=turn.id,
            round_id=round_.id,
            speaker=speaker.name if speaker else turn.speaker,
            spoken=turn.text,
        )


def _with_images(text: str, shown: Sequence[MemoryAttachment]) -> str:
    """A text with id and caption of each image, as upstream's loader writes it."""
    blocks = [
        f"image:\nimage_id: {one.image_id}" + f"\nimage_caption: {one.caption}" * bool(one.caption)
        for one in shown
    ]
    return "\n\n".join([text, "\n".join(blocks)]) if blocks else text


def _attachment(
    attachment: Attachment, bundle: Bundle, files: AttachedFiles | None, captions: Captions
) -> MemoryAttachment:
    asset = bundle.asset_by_id.get(attachment.asset)
    texts = [attachment.caption] if captions is not Captions.NONE else []
    if captions is Captions.ASSET and asset is not None:
        texts.append(asset.transcription)
    caption = "\n".join(filter(None, texts))
    if files is None:
        return MemoryAttachment(caption, attachment.id)
    return MemoryAttachment(caption, attachment.id, file=lambda: files.path_of(asset))
