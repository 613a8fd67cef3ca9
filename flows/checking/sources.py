"""Takes foreign files in, one source at a time, in as many processes as there are."""

import pickle
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from memassay.exports.errata.audited import RECENT
from memassay.exports.release.checking.spill import Block, Spill, SpilledBundles, write_blocks
from memassay.flows.checking.record_lines import Lines, write_lines
from memassay.flows.stages.import_stage import ImportStage
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Mapper
from memassay.schemas.contracts.origins import Origins
from memassay.schemas.contracts.protocols import BlobStore, Imported
from memassay.schemas.errors import SourceError
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import kind_of
from memassay.schemas.values.caches import clear_text_caches


@dataclass(frozen=True)
class Taking:
    """What a process must know that takes sources in.

    Attributes:
        stage: Reads them.
        blobs: Takes their bytes.
        scratch: Folder for what is read.
    """

    stage: ImportStage
    blobs: BlobStore
    scratch: Path


class Taken(NamedTuple):
    """What one source gave.

    Attributes:
        findings: Every defect seen while it was read.
        held_out: Parts of which no record could be made.
        counts: Its records by kind.
        lines: Where they are as lines of JSON, by kind.
        blocks: Where they are for whoever reads them again, by conversation.
        origins: The file that says where everything was.
    """

    findings: Sequence[Finding]
    held_out: Sequence[HeldOut]
    counts: Counter[str]
    lines: Mapping[str, Lines] = {}
    blocks: Mapping[str, Block] = {}
    origins: Path | None = None


def take_lines(taking: Taking, shard: str) -> Taken | SourceError:
    """Take one source in as lines of JSON; a refusal waits for its turn to be raised."""
    try:
        imported = taking.stage.read(shard, taking.blobs)
    except SourceError as error:
        return error
    return _reply(imported)._replace(lines=write_lines(_new_file(taking), _data(imported)))


def take_blocks(taking: Taking, shard: str) -> Taken | SourceError:
    """Take one source in as records to be read again; a refusal waits for its turn, too."""
    try:
        imported = taking.stage.read(shard, taking.blobs)
    except SourceError as error:
        return error
    blocks = write_blocks(taking.scratch, _new_file(taking).name, _data(imported))
    origins = _new_file(taking)
    origins.write_bytes(pickle.dumps(imported.origins, pickle.HIGHEST_PROTOCOL))
    return _reply(imported)._replace(blocks=blocks, origins=origins)


def _reply(imported: Imported) -> Taken:
    counts = Counter(map(kind_of, imported.records()))
    return Taken(imported.findings, imported.held_out, counts)


def _data(imported: Imported) -> list[Record]:
    return imported.bundle.records() if imported.bundle else []


def _new_file(taking: Taking) -> Path:
    """A file of its own: a process may have died while it wrote one for this source."""
    with tempfile.NamedTemporaryFile(dir=taking.scratch, delete=False) as file:
        return Path(file.name)


def each_taken(
    work: Callable[[Taking, str], Taken | SourceError], taking: Taking, mapper: Mapper
) -> Iterator[tuple[str, Taken]]:
    """What every source gave, by its conversation, in the order of the sources.

    Raises:
        SourceError: One cannot be read, or has errors and the stage is strict.
    """
    shards = [*taking.stage.found]
    for shard, taken in zip(shards, mapper.map(work, taking, shards), strict=True):
        # The next source has other texts; kept, these would grow with every one.
        clear_text_caches()
        if isinstance(taken, SourceError):
            raise taken
        yield shard, taken


class SpilledOrigins(Mapping[str, Origins]):
    """By conversation, where everything was in its files; read when it is asked for."""

    def __init__(self, spill: Spill, files: Mapping[str, Path]) -> None:
        """Take where they are; the spill keeps the folder as long as they may be read."""
        self._spill, self._files = spill, files
        self._read = lru_cache(RECENT)(lambda name: pickle.loads(files[name].read_bytes()))

    def __getitem__(self, name: str) -> Origins:
        origins: Origins = self._read(name)
        return origins

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, name: object) -> bool:
        return name in self._files


class Sources(NamedTuple):
    """Foreign files taken in, their records on the disk.

    Attributes:
        bundles: Conversations in natural order of their ids.
        findings: Every defect seen while they were read.
        origins: By conversation, where everything was.
    """

    bundles: SpilledBundles
    findings: list[Finding]
    origins: SpilledOrigins


def take_sources(stage: ImportStage, blobs: BlobStore, mapper: Mapper) -> Sources:
    """Take sources in, to be read again conversation by conversation.

    Raises:
        SourceError: One cannot be read.
    """
    spill = Spill.temporary()
    findings: list[Finding] = []
    origins: dict[str, Path] = {}
    for shard, taken in each_taken(take_blocks, Taking(stage, blobs, spill.folder), mapper):
        spill.add(taken.blocks)
        findings += taken.findings
        if taken.origins is not None:
            origins[shard] = taken.origins
    return Sources(SpilledBundles(spill), findings, SpilledOrigins(spill, origins))
