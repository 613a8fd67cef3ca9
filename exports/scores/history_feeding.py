"""Gives histories to memories turn by turn, and asks each question when its time has come."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memassay.exports.scores.memories import (
    Captions,
    MemoryAttachment,
    MemorySystem,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.exports.scores.memory_systems import RetrieverMemory, evidence_rounds, memory_name
from memassay.schemas.blame import blaming
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Session, SpeakerKind
from memassay.schemas.records.question import QAItem

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


def retrieve_all(
    memory: MemorySystem,
    bundle: Bundle,
    items: Iterable[QAItem],
    top_k: int,
    files: AttachedFiles | None = None,
    captions: Captions = Captions.PUBLIC,
) -> dict[str, RetrievalRecord]:
    """Ask a memory for what it finds for each item; by id of the item.

    Every item is asked when the sessions that it may see are over and no other has begun. Where
    what an item may see does not go on from what was seen before, the memory starts again.

    Args:
        memory: The memory; it is reset first.
        bundle: The conversation.
        items: Some of its questions.
        top_k: How many items it may give.
        files: Writes images where the memory looks at them; none are given without.
        captions: What it is given as the captions of images.

    Raises:
        UsageError: The memory gives no record.
        CodeError: It raises anything of its own.
    """
    called = f"memory {memory_name(memory)}"
    by_sight: dict[tuple[str, ...], list[QAItem]] = {}
    for item in items:
        seen = tuple(session.id for session in bundle.sessions_before(item))
        by_sight.setdefault(seen, []).append(item)
    memory.reset()
    known: tuple[str, ...] = ()
    found = {}
    for seen in sorted(by_sight, key=lambda ids: [natural_key(each) for each in ids]):
        if seen[: len(known)] != known:
            memory.reset()
            known = ()
        for name in seen[len(known) :]:
            with blaming(f"{called}, given session {name} of {bundle.id},", memory):
                for turn in turns_of(bundle, bundle.session_by_id[name], files, captions):
                    memory.ingest_turn(turn)
                memory.end_session(name)
        known = seen
        for item in by_sight[seen]:
            if isinstance(memory, RetrieverMemory):
                groups = evidence_rounds(bundle, item)
                memory.evidence = [place for group in groups for place in group]
            with blaming(f"{called}, asked {item.id},", memory):
                record = memory.retrieve(item.question.text, top_k)
            found[item.id] = _demand_record(record, called)
    return found


def _demand_record(record: RetrievalRecord, called: str) -> RetrievalRecord:
    """What a memory gave, if it is what a memory gives."""
    items = getattr(record, "items", None)
    if items is None or callable(items):
        raise UsageError(
            f"{called}: expected `retrieve` to give a RetrievalRecord with `items`, got "
            f"{type(record).__name__}; docs/python.md shows one"
        )
    return record


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
        kind = speaker.kind if speaker else SpeakerKind.HUMAN
        yield MemoryTurn(
            sample_id=bundle.id,
            session_id=session.id,
            turn_index=index,
            role=_ROLES.get(kind, kind.value),
            text=turn.text,
            attachments=tuple(
                _attachment(each, bundle, files, captions) for each in turn.attachments
            ),
            timestamp=turn.time or round_.date or session.date,
            turn_id=turn.id,
            round_id=round_.id,
            speaker=speaker.name if speaker else turn.speaker,
        )


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


def rounds_found(bundle: Bundle, record: RetrievalRecord) -> list[str]:
    """Ids of the rounds that retrieved items are from, best first, each once.

    What is from no round of the history stays under its own id: it takes a rank and is never
    evidence.
    """
    return rounds_at(bundle, [place for item in record.items for place in _places(item)])


def _places(item: RetrievalItem) -> list[str]:
    # Items of upstream's own class have no `rounds`.
    return list(getattr(item, "rounds", ())) or [item.memory_id]


def rounds_at(bundle: Bundle, places: Iterable[str]) -> list[str]:
    """Ids of the rounds of some places, each once: of a turn, an attachment, a session.

    A place that is not in the history stays as it is.
    """
    found: dict[str, None] = {}
    for place in places:
        found |= dict.fromkeys([each.id for each in bundle.rounds_of(place)] or [place])
    return list(found)
