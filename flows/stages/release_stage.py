"""The stage that writes a release."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memassay.exports.release.agreement.identity import IDENTITY, WRITER, identity_hash, writer
from memassay.exports.release.layout import layout_versions
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.flows.stages.check_stages import RULES_ASKED
from memassay.flows.stages.import_stage import foreign_format
from memassay.schemas.base import Record
from memassay.schemas.contracts.collections import Collection
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.recipes import PathRecipe, ReleaseSection
from memassay.schemas.errors import MemassayError
from memassay.schemas.grouping import bundles_of
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ErratumFix, ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance
from memassay.schemas.judgements.review import Decision, HeldOut
from memassay.schemas.kinds import KINDS, kind_of
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.asset import PERSON
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.values.licences import join_licences
from memassay.synth.material.intake import is_sourced
from memassay.validators.certificates.certify import rules_sha256

EXTENDS: Final = "extends"
"""Field of a manifest's recipe: the release that it extends, and how that was made."""
_NAMED: Final = {"name", "version", "content_sha256", "recipe"}


class ReleaseStage:
    """An immutable, versioned export of everything that passed."""

    name = "release"
    version = "1"
    scope = Scope.COLLECTION
    reads = frozenset(KINDS) - {"manifest"}
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
        # Parquet is what a release is made of; the others stand beside it.
        beside = [name for name in recipe.release.formats if name != "parquet"]
        self.formats = {name: foreign_format(name) for name in beside}
        self.config: dict[str, Any] = {"recipe": self.recipe, "licence": self.licence}

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Write the release; gives its manifest."""
        content = self._content(list(collection.of()), context)
        digest = identity_hash(content.recipe, content.licence, _hashes(content))
        name = f"{self.section.name}-{self.section.version}-{digest[:8]}"
        named = replace(content, recipe={**content.recipe, IDENTITY: digest})
        return [write_release(self.folder / name, named)]

    def _content(self, records: Sequence[Record], context: StageContext) -> ReleaseContent:
        bundles = bundles_of(records)
        kept = {question.id for bundle in bundles for question in bundle.questions}
        kept |= {bundle.id for bundle in bundles}
        kept |= {persona.id for bundle in bundles for persona in bundle.personas}
        decisions = [item for item in records if isinstance(item, Decision)]
        certificates = [item for item in records if isinstance(item, Certificate)]
        return ReleaseContent(
            name=self.section.name,
            version=self.section.version,
            licence=join_licences([self.licence, *_own_licences(bundles)]),
            bundles=bundles,
            findings=[item for item in records if isinstance(item, Finding)],
            certificates=[item for item in certificates if item.item in kept],
            held_out=[item for item in records if isinstance(item, HeldOut)],
            provenance=[item for item in records if isinstance(item, Provenance)],
            decisions=[item for item in decisions if item.decided in kept],
            repairs=[item for item in records if isinstance(item, Repair)],
            flaws=[item for item in records if isinstance(item, Flaw)],
            bank=[item for item in records if isinstance(item, BankTally)],
            clusters=[item for item in records if isinstance(item, Cluster)],
            alterations=[
                item
                for item in records
                if isinstance(item, Alteration) and conversation_of(item.id) in kept
            ],
            errata=_with_fixes(records, bundles),
            blobs=context.blobs,
            recipe={
                **self.recipe,
                WRITER: writer(),
                RULES_ASKED: rules_sha256(),
                **layout_versions(self.formats),
            },
            foreign=self.formats,
        )

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


def _hashes(content: ReleaseContent) -> Iterator[tuple[str, str, str]]:
    """Kind, id and content hash of every record of a release."""
    for record in content.records():
        yield kind_of(record), record.id, content_hash(record)


def _with_fixes(records: Iterable[Record], bundles: Iterable[Bundle]) -> list[ReleasedErratum]:
    """Errata, each with what became of its item here."""
    states = {item.id: content_hash(item) for bundle in bundles for item in bundle.questions}
    found = []
    for one in records:
        if isinstance(one, ReleasedErratum):
            fix = ErratumFix.CHANGED if one.item in states else ErratumFix.WITHDRAWN
            if states.get(one.item) == one.item_sha256:
                fix = ErratumFix.KEPT
            found.append(one.model_copy(update={"fix": fix}))
    return found


def _own_licences(bundles: Iterable[Bundle]) -> list[str]:
    """The licences of files that others made: a sidecar, or a provider, says each one's."""
    own = [
        asset
        for bundle in bundles
        for asset in bundle.assets
        if asset.origin in ("user", PERSON) or is_sourced(asset)
    ]
    return sorted({asset.licence for asset in own if asset.licence})
