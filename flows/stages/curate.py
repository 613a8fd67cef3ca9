"""The path `curate`: import, validate, compare, assay, release."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.flows.edits.images import PERSON
from memassay.flows.recipes.loading import CurateRecipe, Recipe, ReleaseSection, SourceSection
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import (
    BlobStore,
    ForeignFormat,
    Scope,
    Source,
    StageContext,
)
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import RecipeError, SourceError, UsageError
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance
from memassay.schemas.judgements.review import Decision, HeldOut
from memassay.schemas.kinds import DATA_KINDS, KINDS
from memassay.schemas.records.bundle import Bundle, group_by_conversation
from memassay.schemas.values.licences import joined
from memassay.synth.material.intake import is_sourced
from memassay.validators.certificates.certify import certify
from memassay.validators.check import RULES, check_collection, check_conversation

BUNDLED = DATA_KINDS
"""Kinds of record that make up a bundle."""


def foreign_format(name: str) -> ForeignFormat:
    """The foreign format of a name.

    Raises:
        UsageError: There is none.
    """
    if name not in FORMATS:
        raise UsageError(f"format: expected one of {', '.join(sorted(FORMATS))}, got {name!r}")
    return FORMATS[name]


class ImportStage:
    """Foreign files into records; one shard a conversation."""

    name = "import"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, sections: Sequence[SourceSection], folder: Path, strict: bool) -> None:
        """Find the conversations of every source.

        Raises:
            SourceError: A source does not exist or holds nothing of its format.
            RecipeError: Two sources hold a conversation of the same id.
        """
        self.strict = strict
        self.config: dict[str, Any] = {"strict": strict}
        self.found: dict[str, tuple[SourceSection, Source]] = {}
        for section in sections:
            for source in foreign_format(section.format).sources(folder / section.path):
                if source.id in self.found:
                    other = self.found[source.id][1].path
                    raise RecipeError(
                        f"sources: conversation {source.id} is in {other} and in {source.path}; "
                        "name one of them only"
                    )
                self.found[source.id] = (section, source)

    def shards(self) -> dict[str, list[str]]:
        """By conversation, the hashes of its files and of how they are to be read."""
        known: dict[Path, str] = {}
        shards: dict[str, list[str]] = {}
        for shard, (section, source) in self.found.items():
            for path in source.files:
                known.setdefault(path, file_sha256(path))
            names = [[path.name, known[path]] for path in source.files]
            how = [section.format, section.licence, source.position, names]
            shards[shard] = [content_hash(how)]
        return shards

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The records of one conversation.

        Raises:
            SourceError: Its file cannot be read, or it has errors and the recipe is strict.
        """
        section, source = self.found[context.shard]
        imported = foreign_format(section.format).read(source, context.blobs, section.licence)
        errors = [item for item in imported.findings if item.severity is Severity.ERROR]
        if self.strict and errors:
            raise SourceError(
                f"{source.path}: {len(errors)} errors refused because of strict; first: "
                f"{errors[0].message}"
            )
        for finding in imported.findings:
            context.emit(finding)
        if imported.bundle is not None:
            yield from imported.bundle.records()
        yield from imported.held_out


class ValidateStage:
    """Rules about one conversation."""

    name = "validate"
    version = "1"
    scope = Scope.CONVERSATION
    reads = BUNDLED

    def __init__(self, thresholds: dict[str, float], audited: Collection[str] = ()) -> None:
        """Take the numbers that the recipe sets, and the rules that audits have applied already.

        What people let pass at the gate of an audited stage must not be held again.
        """
        self.rules = [rule for rule in RULES if rule.id not in audited]
        rules = [[rule.id, str(rule.severity), rule.what] for rule in self.rules]
        self.config: dict[str, Any] = {"thresholds": thresholds, "rules": content_hash(rules)}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Only findings; the records go on as they are."""
        bundle = Bundle.from_records(records)
        for finding in check_conversation(bundle, self._context(context.blobs), self.rules):
            context.emit(finding)
        return ()

    def _context(self, blobs: BlobStore) -> RuleContext:
        return RuleContext(blobs=blobs, thresholds=self.config["thresholds"])


class CompareStage(ValidateStage):
    """Rules about all conversations together: balance, constants, duplicates."""

    name = "compare"
    scope = Scope.COLLECTION

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Only findings; the records go on as they are."""
        for finding in check_collection(
            bundles_of(records), self._context(context.blobs), self.rules
        ):
            context.emit(finding)
        return ()


class AssayStage:
    """A certificate for every question."""

    name = "assay"
    version = "1"
    scope = Scope.CONVERSATION
    reads = BUNDLED | {"finding", "certificate"}
    config: dict[str, Any] = {}  # noqa: RUF012

    def run(self, records: Sequence[Record], _context: StageContext) -> Iterable[Record]:
        """The certificates of one conversation; what probes gave before stays on their items."""
        findings = [record for record in records if isinstance(record, Finding)]
        known = [record for record in records if isinstance(record, Certificate)]
        probed = {one.item_sha256: one.probes for one in known}
        own = [record for record in records if not isinstance(record, Finding | Certificate)]
        return certify(Bundle.from_records(own), findings, probed)


class ReleaseStage:
    """An immutable, versioned export of everything that passed."""

    name = "release"
    version = "1"
    scope = Scope.COLLECTION
    reads = frozenset(KINDS) - {"manifest"}
    writes = frozenset({"manifest"})

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        """Say what to publish and below which folder."""
        self.section: ReleaseSection = recipe.release
        self.folder = folder
        self.licence = _licence_of(recipe)
        self.recipe = recipe.model_dump(mode="json", exclude={"gates"})
        # Parquet is what a release is made of; the others stand beside it.
        beside = [name for name in recipe.release.formats if name != "parquet"]
        self.formats = {name: foreign_format(name) for name in beside}
        self.config: dict[str, Any] = {"recipe": self.recipe, "licence": self.licence}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """Write the release; gives its manifest."""
        digest = content_hash([self.config, [content_hash(record) for record in records]])
        name = f"{self.section.name}-{self.section.version}-{digest[:8]}"
        return [write_release(self.folder / name, self._content(records, context, digest))]

    def _content(
        self, records: Sequence[Record], context: StageContext, digest: str
    ) -> ReleaseContent:
        bundles = bundles_of(records)
        kept = {question.id for bundle in bundles for question in bundle.questions}
        kept |= {bundle.id for bundle in bundles}
        kept |= {persona.id for bundle in bundles for persona in bundle.personas}
        decisions = [item for item in records if isinstance(item, Decision)]
        certificates = [item for item in records if isinstance(item, Certificate)]
        return ReleaseContent(
            name=self.section.name,
            version=self.section.version,
            licence=joined([self.licence, *_own_licences(bundles)]),
            bundles=bundles,
            findings=[item for item in records if isinstance(item, Finding)],
            certificates=[item for item in certificates if item.item in kept],
            held_out=[item for item in records if isinstance(item, HeldOut)],
            provenance=[item for item in records if isinstance(item, Provenance)],
            decisions=[item for item in decisions if item.decided in kept],
            repairs=[item for item in records if isinstance(item, Repair)],
            flaws=[item for item in records if isinstance(item, Flaw)],
            bank=[item for item in records if isinstance(item, BankTally)],
            blobs=context.blobs,
            recipe={**self.recipe, "inputs_sha256": digest},
            foreign=self.formats,
        )

    def release_folder(self, manifest: Manifest) -> Path:
        """The folder of a release this stage wrote."""
        digest = str(manifest.recipe["inputs_sha256"])
        return self.folder / f"{manifest.name}-{manifest.version}-{digest[:8]}"

    def is_written(self, made: Sequence[Record]) -> bool:
        """Whether every file of the release is still there, in its size."""
        manifests = [record for record in made if isinstance(record, Manifest)]
        return all(self._is_whole(manifest) for manifest in manifests)

    def _is_whole(self, manifest: Manifest) -> bool:
        folder = self.release_folder(manifest)
        sizes = {folder / file.path: file.size for file in manifest.files}
        return (folder / "manifest.json").is_file() and all(
            path.is_file() and path.stat().st_size == size for path, size in sizes.items()
        )


def _licence_of(recipe: Recipe) -> str:
    """The licence of what a release is made of: the sources', or our own worlds'.

    A user's own files keep the licence they came with, whatever the rest is published under.
    """
    stated = recipe.release.licence
    if isinstance(recipe, CurateRecipe):
        return stated or " AND ".join(sorted({section.licence for section in recipe.sources}))
    own = [recipe.material.licence] if recipe.material is not None else []
    return joined([stated or "CC-BY-4.0", *own])


def _own_licences(bundles: Iterable[Bundle]) -> list[str]:
    """The licences of files that others made: a sidecar, or a provider, says each one's."""
    own = [
        asset
        for bundle in bundles
        for asset in bundle.assets
        if asset.origin in ("user", PERSON) or is_sourced(asset)
    ]
    return sorted({asset.licence for asset in own if asset.licence})


def bundles_of(records: Iterable[Record]) -> list[Bundle]:
    """Bundles of the conversations among records, in natural order of their ids."""
    groups = group_by_conversation(records)
    return [
        Bundle.from_records(own)
        for own in groups.values()
        if any(isinstance(record, KINDS["conversation"]) for record in own)
    ]
