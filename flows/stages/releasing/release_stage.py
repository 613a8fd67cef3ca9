"""The stage that writes a release of its parts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.agreement.identity import IDENTITY, WRITER, identity_hash, writer
from memassay.exports.release.layout import layout_versions
from memassay.exports.release.parts.merging import ReleaseHead
from memassay.exports.release.parts.part import read_part
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import write_parts
from memassay.flows.stages.check_stages import RULES_ASKED
from memassay.flows.stages.releasing.pack_stage import formats_of
from memassay.flows.stages.releasing.released_logs import ReleasedLogs
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.recipes import PathRecipe, ReleaseSection
from memassay.schemas.errors import MemassayError
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.provenance import Manifest, ReleasePart
from memassay.schemas.kinds import DATA_KINDS, KINDS
from memassay.schemas.values.licences import join_licences
from memassay.validators.certificates.certify import rules_sha256

EXTENDS: Final = "extends"
"""Field of a manifest's recipe: the release that it extends, and how that was made."""
_NAMED: Final = {"name", "version", "content_sha256", "recipe"}


class ReleaseStage:
    """An immutable, versioned export of everything that passed."""

    name = "release"
    version = "1"
    scope = Scope.COLLECTION
    reads = (frozenset(KINDS) | {"part"}) - {"manifest"}
    writes = frozenset({"manifest"})

    def __init__(self, recipe: PathRecipe, folder: Path, parent: Manifest | None = None) -> None:
        """Say what to publish, below which folder, and which release it extends, if any."""
        self.section: ReleaseSection = recipe.release
        self.folder = folder
        lent = recipe.inject.sources if recipe.inject and not recipe.release.licence else []
        ours = [parent.licence] if parent is not None else []
        self.licence = join_licences(
            [recipe.licence, *sorted({one.licence for one in lent}), *ours]
        )
        self.recipe = recipe.model_dump(mode="json", exclude={"gates"})
        if parent is not None:
            self.recipe[EXTENDS] = parent.model_dump(mode="json", include=_NAMED)
        self.formats = formats_of(recipe.release)
        self.config: dict[str, Any] = {"recipe": self.recipe, "licence": self.licence}

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Write the release; gives its manifest."""
        found = sorted(collection.of("part"), key=lambda one: natural_key(conversation_of(one.id)))
        packed = [one for one in found if isinstance(one, ReleasePart)]
        names = [conversation_of(one.id) for one in packed]
        licences = sorted({name for one in packed for name in one.licences})
        logs = ReleasedLogs(collection)
        head = ReleaseHead(
            name=self.section.name,
            version=self.section.version,
            licence=join_licences([self.licence, *licences]),
            conversations=names,
            recipe={
                **self.recipe,
                WRITER: writer(),
                RULES_ASKED: rules_sha256(),
                **layout_versions(self.formats),
            },
            foreign=self.formats,
        )
        data = (one for one in collection.headers(*DATA_KINDS) if one.conversation in logs.kept)
        hashes = chain(((one.kind, one.id, one.sha256) for one in data), logs.hashes())
        digest = identity_hash(head.recipe, head.licence, hashes)
        name = f"{self.section.name}-{self.section.version}-{digest[:8]}"
        named = replace(head, recipe={**head.recipe, IDENTITY: digest})
        parts = (read_part(context.blobs.get(one.blob_sha256)) for one in packed)
        folder = self.folder / name
        return [write_parts(folder, named, parts, logs.by_stem(), context.blobs)]

    def release_folder(self, manifest: Manifest) -> Path:
        """The folder of a release this stage wrote."""
        digest = str(manifest.recipe[IDENTITY])
        return self.folder / f"{manifest.name}-{manifest.version}-{digest[:8]}"

    def is_written(self, made: Sequence[Record]) -> bool:
        """Whether the release is still there, every byte of it."""
        manifests = [record for record in made if isinstance(record, Manifest)]
        return all(self._is_whole(manifest) for manifest in manifests)

    def _is_whole(self, manifest: Manifest) -> bool:
        try:
            return open_release(self.release_folder(manifest)).manifest == manifest
        except MemassayError:
            return False
