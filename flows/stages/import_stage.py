"""The stage that takes other people's data in."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memassay.exports.formats.registry import FORMATS
from memassay.flows.stages.released_source import RELEASED
from memassay.schemas.base import Record
from memassay.schemas.changes.copying import copy_bundle, copy_finding, copy_held_out
from memassay.schemas.contracts.protocols import (
    BlobStore,
    ForeignFormat,
    Imported,
    ImportFormat,
    Scope,
    Source,
    StageContext,
)
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.copies import with_copies
from memassay.schemas.errors import RecipeError, SourceError, UsageError
from memassay.schemas.hashing import content_hash, file_sha256
from memassay.schemas.judgements.finding import Severity


def format_names() -> list[str]:
    """The names of all foreign formats, in order."""
    return sorted(FORMATS)


def written_formats() -> list[str]:
    """The names of those that can be written, in order."""
    return [name for name in FORMATS if isinstance(FORMATS[name], ForeignFormat)]


def foreign_format(name: str) -> ForeignFormat:
    """The foreign format of a name that can be written.

    Raises:
        UsageError: There is none.
    """
    form = FORMATS.get(name)
    if not isinstance(form, ForeignFormat):
        got = f"{name!r}, which is read only" if form is not None else repr(name)
        raise UsageError(f"format: expected one of {', '.join(written_formats())}, got {got}")
    return form


def _layout(name: str) -> ImportFormat:
    """The layout of a name; a release of ours is one to take in too."""
    if name != RELEASED.name and name not in FORMATS:
        raise UsageError(f"format: expected one of {', '.join(format_names())}, got {name!r}")
    return RELEASED if name == RELEASED.name else FORMATS[name]


class ImportStage:
    """Foreign files into records; one shard a conversation."""

    name = "import"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(
        self, sections: Sequence[SourceSection], folder: Path, strict: bool, copies: int = 1
    ) -> None:
        """Find the conversations of every source.

        Args:
            sections: The sources.
            folder: What their paths are relative to.
            strict: Whether a source with an error is refused.
            copies: How often each conversation is taken in.

        Raises:
            SourceError: A source does not exist or holds nothing of its format.
            RecipeError: Two sources hold a conversation of the same id.
        """
        self.strict = strict
        self.config: dict[str, Any] = {"strict": strict}
        found: dict[str, tuple[SourceSection, Source]] = {}
        for section in sections:
            for source in _layout(section.format).sources(folder / section.path):
                if source.id in found:
                    other = found[source.id][1].path
                    raise RecipeError(
                        f"sources: conversation {source.id} is in {other} and in {source.path}; "
                        "name one of them only"
                    )
                found[source.id] = (section, source)
        self.found = with_copies(found, copies)

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
        imported = self.read(context.shard, context.blobs)
        for finding in imported.findings:
            context.emit(finding)
        yield from imported.records()

    def read(self, shard: str, blobs: BlobStore) -> Imported:
        """One conversation as its format reads it, with where everything stood.

        Raises:
            SourceError: Its file cannot be read, or it has errors and the recipe is strict.
        """
        section, source = self.found[shard]
        imported = _layout(section.format).read(source, blobs, section.licence)
        errors = [item for item in imported.findings if item.severity is Severity.ERROR]
        if self.strict and errors:
            raise SourceError(
                f"{source.path}: {len(errors)} errors refused because of strict; first: "
                f"{errors[0].message}"
            )
        return imported if shard == source.id else copy_of(imported, source.id, shard)


def copy_of(imported: Imported, old: str, new: str) -> Imported:
    """What was read of a conversation, named as if it had been read under another id.

    Args:
        imported: What was read; where it was in its files is not kept.
        old: The id that it has.
        new: The id of the copy.
    """
    bundle = imported.bundle
    return Imported(
        bundle=copy_bundle(bundle, new) if bundle is not None else None,
        findings=tuple(copy_finding(one, old, new) for one in imported.findings),
        held_out=tuple(copy_held_out(one, old, new) for one in imported.held_out),
    )
