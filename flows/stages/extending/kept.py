"""The stage that takes over a release, so that more can be added to it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from memassay.exports.release.layout import MANIFEST
from memassay.exports.release.reader import Release
from memassay.flows.engine.units import COLLECTION, KEPT
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.rules import LooksAt
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.provenance import Manifest, Provenance
from memassay.validators.check import RULES
from memassay.validators.registry import UNREAD_TEXT

_ASKED_AGAIN: Final = frozenset(
    [UNREAD_TEXT, *(rule.id for rule in RULES if rule.looks_at is not LooksAt.READER)]
)
"""Rules that are applied to the whole again; what other rules found is taken over."""


@dataclass(frozen=True)
class Parent:
    """The release that is extended."""

    release: Release

    @property
    def manifest(self) -> Manifest:
        """What it says of itself."""
        return self.release.manifest

    @cached_property
    def conversations(self) -> frozenset[str]:
        """Ids of its conversations."""
        return frozenset(one.id for one in self.release.conversations())


class KeptStage:
    """The conversations of a release as they are, with what was found and decided about them."""

    name = KEPT
    version = "2"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, parent: Parent) -> None:
        """Take the release."""
        self.parent = parent
        self.config: dict[str, Any] = {"release": parent.manifest.content_sha256}

    def shards(self) -> dict[str, list[str]]:
        """By conversation the hash of the release; one more shard for what is about them."""
        digest = file_sha256(self.parent.release.folder / MANIFEST)
        names = [*sorted(self.parent.conversations), COLLECTION]
        return {name: [content_hash([digest, name])] for name in names}

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The records of one conversation, their bytes stored; or what is about them."""
        if context.shard == COLLECTION:
            return self._about()
        release = self.parent.release
        bundle = release.bundle(context.shard)
        for asset in bundle.assets:
            if asset.blob_sha256 is not None and asset.blob_sha256 in release.blobs:
                context.blobs.put(release.blobs.get(asset.blob_sha256))
        return bundle.records()

    def _about(self) -> Iterator[Record]:
        """Certificates, decisions, what was held out, and how all of it was made."""
        release = self.parent.release
        yield from release.certificates()
        yield from release.held_out()
        yield from release.decisions()
        yield from release.repairs()
        yield from release.flaws()
        yield from release.bank()
        yield from release.clusters()
        yield from release.alterations()
        # Nothing looks again at what is held out: what was found in it is its reason still.
        held = {one.record for one in release.held_out()}
        for one in release.findings():
            if one.rule not in _ASKED_AGAIN or held & {one.target, conversation_of(one.target)}:
                yield one
        yield from map(self._with_new_id, release.provenance())

    def _with_new_id(self, one: Provenance) -> Provenance:
        """How a record was made, under an id that no stage of this run gives."""
        made_by = self.parent.manifest.content_sha256[:8]
        return one if "@" in one.id else one.model_copy(update={"id": f"{one.id}@{made_by}"})
