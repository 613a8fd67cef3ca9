"""M2A's on-disk layout: a JSON list of samples beside the images that their paths lead to.

Reading is in `reading` and `questions`, writing in `writing`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memassay.exports.foreign.folders import json_files, source_of, unique_sources
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_items import list_items, read_item
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.m2a.reading import SampleReader
from memassay.exports.formats.m2a.rules import RULES
from memassay.exports.formats.m2a.strict import unanswerable
from memassay.exports.formats.m2a.writing import NAME, files_of, sample_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle

FILE_NAME: Final = "m2a.json"
"""Name of the file that an export writes."""
SAMPLES: Final = 100
"""Conversations that upstream's evaluator reads unless it is told otherwise (n_sample_conv)."""
TURNS: Final = 10_000
"""Turns that it reads of each (n_sample_msg)."""


class M2A:
    """M2A (repository Little-Fridge/M2A), a list of samples a file."""

    name = NAME
    rules = RULES
    version = 3

    def sources(self, path: Path) -> list[Source]:
        """The samples of a file, or of all JSON files of a folder.

        Raises:
            SourceError: The path does not exist, a file of it is no list of samples, or a link
                leads out of the folder.
        """
        return unique_sources(
            source
            for file in json_files(path, "a list of M2A samples")
            for source in _sources(file)
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One sample as records.

        Raises:
            SourceError: The file changed since its samples were found, or a link of an image
                leads out of its folder.
        """
        reading = Reading(source.id, Trace(source.path, source.base, source.line))
        intake = ImageIntake(reading, blobs, licence)
        folder = source.path.absolute().parent
        return SampleReader(intake, folder).read(read_item(source.path, source.span))

    def write(self, bundle: Bundle) -> Written:
        """An item of the file, and its images below the folder of that."""
        sample, unfit = sample_json(bundle)
        if len(list(bundle.conversation.turns())) > TURNS:
            why = f"{NAME} reads {TURNS} turns unless n_sample_msg says more"
            unfit.append(Unfit(bundle.id, f"turns after {TURNS}", why))
        return Written(items={FILE_NAME: [sample]}, files=list(files_of(bundle)), unfit=unfit)

    def export(self, bundle: Bundle) -> Written:
        """As `write`: the records' own forms are those that upstream reads."""
        return self.write(bundle)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:
        """One file holds them all; upstream's defaults would cut some off without a word."""
        why = f"{NAME} reads {SAMPLES} conversations unless n_sample_conv says more"
        beyond = [Unfit(name, "conversation", why) for name in conversations[SAMPLES:]]
        return Arrangement(lists=[FILE_NAME], unfit=beyond)

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that the evaluator cannot read, show or judge."""
        return unanswerable(NAME, bundle, folder / FILE_NAME)


def _sources(path: Path) -> list[Source]:
    found = [
        source_of(slug(place.name(path), f"sample-{place.position + 1}"), path, place)
        for _, place in list_items(path, "conversation")
    ]
    if not found:
        raise SourceError(
            f"{path}: expected a JSON list of M2A samples, got none; write each as an item of it"
        )
    return found


FORMAT: Final = M2A()
