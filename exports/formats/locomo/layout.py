"""LoCoMo's on-disk layout: a JSON list of samples, as `data/locomo10.json`.

Reading is in `reading` and `questions`, writing in `writing`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from memassay.exports.foreign.folders import item_id, json_files, listed_sources, unique_sources
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_items import read_item
from memassay.exports.foreign.json_text import read_json
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.locomo.metrics import METRICS
from memassay.exports.formats.locomo.reading import SampleReader
from memassay.exports.formats.locomo.rules import RULES
from memassay.exports.formats.locomo.strict import unanswerable
from memassay.exports.formats.locomo.writing import NAME, exported_json, sample_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle

FILE_NAME: Final = "locomo.json"
"""Name of the file that an export writes."""
_IDS: Final = ("sample_id",)


class Locomo:
    """LoCoMo (repository snap-research/LoCoMo), a list of samples a file."""

    name = NAME
    rules = RULES
    version = 3
    metrics = METRICS

    def sources(self, path: Path) -> list[Source]:
        """The samples of a file, or of all JSON files of a folder.

        Raises:
            SourceError: The path does not exist, a file of it is no list of samples, two samples
                of different files share an id, or a link leads out of the folder.
        """
        return unique_sources(
            source
            for file in json_files(path, "a list of LoCoMo samples")
            for source in _sources(file)
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One sample as records.

        Raises:
            SourceError: The file changed since its samples were found.
        """
        document = read_item(source.path, source.span)
        ours = source.id == item_id(document.value, _IDS, source.id, "sample")
        reading = Reading(source.id, Trace(source.path, source.base, source.line))
        return SampleReader(ImageIntake(reading, blobs, licence)).read(document, ours)

    def write(self, bundle: Bundle) -> Written:
        """An item of the file; the layout has no image files."""
        sample, unfit = sample_json(bundle)
        return Written(items={FILE_NAME: [sample]}, unfit=unfit)

    def export(self, bundle: Bundle) -> Written:
        """The same; refusals have the `answer` without which upstream's evaluator stops."""
        sample, unfit = exported_json(bundle)
        return Written(items={FILE_NAME: [sample]}, unfit=unfit)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """One file holds them all."""
        return Arrangement(lists=[FILE_NAME])

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that task_eval cannot read, answer or score."""
        return unanswerable(NAME, bundle, folder / FILE_NAME)


def _sources(path: Path) -> list[Source]:
    found = listed_sources(path, ("conversation",), _IDS, "sample")
    if not found:
        _refuse(path)
    return found


def _refuse(path: Path) -> NoReturn:
    """Say what a file without samples is instead."""
    value = read_json(path).value
    if isinstance(value, list):
        raise SourceError(f"{path}: expected LoCoMo samples, got an empty list")
    got = "an object" if isinstance(value, dict) else "no list"
    raise SourceError(
        f"{path}: expected a JSON list of LoCoMo samples, got {got}; "
        "name the file that holds the samples"
    )


FORMAT: Final = Locomo()
