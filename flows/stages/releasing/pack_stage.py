"""The stage that makes a release's parts, one of each conversation."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from memassay.exports.release.agreement.identity import writer
from memassay.exports.release.layout import layout_versions
from memassay.exports.release.parts.packing import make_part
from memassay.exports.release.parts.part import pack_part
from memassay.flows.stages.import_stage import foreign_format
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import ForeignFormat, Scope, StageContext
from memassay.schemas.contracts.recipes import ReleaseSection
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.provenance import ReleasePart
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.asset import PERSON
from memassay.schemas.records.bundle import Bundle
from memassay.synth.material.intake import is_sourced

PARQUET: Final = "parquet"
"""What a release is made of; other formats of a recipe stand beside it."""


def formats_of(section: ReleaseSection) -> dict[str, ForeignFormat]:
    """The foreign layouts that a release has, by name."""
    return {name: foreign_format(name) for name in section.formats if name != PARQUET}


class PackStage:
    """What a release will hold of each conversation, in bytes that follow from it alone."""

    name = "pack"
    version = "2"
    scope = Scope.CONVERSATION
    reads = DATA_KINDS

    def __init__(self, section: ReleaseSection) -> None:
        """Say which layouts the release has; their versions and ours are part of the key."""
        self.formats = formats_of(section)
        self.config: dict[str, Any] = {
            "memassay": writer(),
            "formats": sorted(self.formats),
            **layout_versions(self.formats),
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The part of one conversation; its bytes are in the blob store."""
        bundle = Bundle.from_records(records)
        part = pack_part(make_part(bundle, context.blobs, self.formats))
        yield ReleasePart(
            id=record_id(bundle.id, "part"),
            blob_sha256=context.blobs.put(part),
            licences=_own_licences(bundle),
        )


def _own_licences(bundle: Bundle) -> list[str]:
    """The licences of files that others made: a sidecar, or a provider, says each one's."""
    own = [one for one in bundle.assets if one.origin in ("user", PERSON) or is_sourced(one)]
    return sorted({one.licence for one in own if one.licence})
