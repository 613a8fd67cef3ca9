"""What the review pages are given of an assignment: the record, and the history beside it."""

from functools import lru_cache
from typing import Final

from memassay.annotation.pages.content import AssignmentContent, ItemHead
from memassay.flows.review.assignments import assignment_of
from memassay.flows.store.workspace import Workspace
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

_KEPT: Final = 32
"""Conversations that are kept parsed."""
_SIGNATURES: Final = {
    b"\x89PNG\r\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"RIFF": "image/webp",
}


class AssignedContent:
    """The content of the assignments of one open workspace."""

    def __init__(self, workspace: Workspace) -> None:
        """Use an open workspace."""
        self.workspace = workspace
        self._bundle = lru_cache(_KEPT)(self._parse)

    def content(self, head: ItemHead) -> AssignmentContent:
        """All that is shown of an assignment; without a history where none is known."""
        item = self.workspace.queue.item(head.item)
        assignment = assignment_of(self.workspace, item)
        bundle = None
        if assignment.conversation:
            hashes = self._hashes(item.run, assignment.conversation)
            bundle = self._bundle(hashes, assignment.conversation) if hashes else None
        return AssignmentContent(head, assignment, bundle)

    def _hashes(self, run: str, conversation: str) -> tuple[str, ...]:
        """All that belongs to a conversation as a gate saw it: of this run, else of any other."""
        contexts = self.workspace.queue.contexts_of(conversation)
        own = [found for found in contexts if found[0] == run]
        if not contexts:
            return ()
        where = (own or contexts)[-1]
        return tuple(self.workspace.queue.context(*where, conversation))

    def _parse(self, hashes: tuple[str, ...], conversation: str) -> Bundle | None:
        records = self.workspace.store.get_all(list(hashes))
        kept = [one for one in records if not isinstance(one, QAItem)]
        whole = any(one.id == conversation for one in kept)
        return Bundle.from_records(kept) if whole else None

    def image_bytes(self, head: ItemHead, part: int) -> tuple[bytes, str]:
        """Bytes and media type of an image that an assignment shows.

        Raises:
            UsageError: It shows none there.
        """
        shown = self.content(head).assignment.shown
        blob = shown[part].blob_sha256 if 0 <= part < len(shown) else None
        if blob is None:
            raise UsageError(f"review item {head.item}: expected an image it shows, got {part}")
        data = self.workspace.blobs.get(blob)
        known = (kind for start, kind in _SIGNATURES.items() if data.startswith(start))
        return data, next(known, "application/octet-stream")
