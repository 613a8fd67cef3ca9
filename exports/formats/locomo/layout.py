"""LoCoMo's on-disk layout: a JSON list of samples, as `data/locomo10.json`.

Reading is in `locomo_import`, writing in `locomo_export`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.folders import json_files, unique_sources
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, read_json, write_json
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.rules import IMPORT_RULES, book_of
from memassay.exports.formats.locomo.reading import SampleReader
from memassay.exports.formats.locomo.writing import NAME, sample_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source, Unfit
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.records.bundle import Bundle

FILE_NAME: Final = "locomo.json"
"""Name of the file that an export writes."""

_NOT_OURS: Final = frozenset(
    {
        "import.answer_not_canonical",
        "import.answer_not_image_ids",
        "import.image_base",
        "import.image_outside",
        "import.profile_incomplete",
        "import.round_empty",
        "import.round_wordless",
        "import.type_not_canonical",
    }
)


class Locomo:
    """LoCoMo (repository snap-research/LoCoMo), a list of samples a file."""

    name = NAME
    rules = book_of(rule for rule in IMPORT_RULES if rule.id not in _NOT_OURS)

    def sources(self, path: Path) -> list[Source]:
        """The samples of a file, or of all JSON files of a folder.

        Raises:
            SourceError: The path does not exist, a file of it is no list of samples, two samples
                of different files share an id, or a link leads out of the folder.
        """
        return unique_sources(
            Source(id=name, path=file, position=position, files=(file,))
            for file in json_files(path, "a list of LoCoMo samples")
            for position, name in enumerate(_ids(_samples(file).value, file))
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One sample as records.

        Raises:
            SourceError: The file is no list of samples, or became shorter since it was found.
        """
        document = _samples(source.path)
        if source.position >= len(document.value):
            raise SourceError(
                f"{source.path}: expected at least {source.position + 1} samples, got "
                f"{len(document.value)}; the file changed while it was read"
            )
        raw = document.value[source.position]
        ours = source.id == _id(raw, source.position, source.path)
        intake = ImageIntake(Reading(source.id), blobs, licence)
        return SampleReader(intake).read(_part(document, source.position), ours)

    def write(self, bundles: Sequence[Bundle], blobs: BlobStore, folder: Path) -> list[Unfit]:  # noqa: ARG002
        """Write one file with all conversations; the layout has no image files."""
        samples = [sample_json(bundle) for bundle in bundles]
        write_json(folder / FILE_NAME, [sample for sample, _ in samples])
        return [each for _, unfit in samples for each in unfit]


def _samples(path: Path) -> Document:
    document = read_json(path)
    if not isinstance(document.value, list):
        hint = "put the sample into a list"
        if not isinstance(document.value, dict) or "conversation" not in document.value:
            hint = "name the file that holds the samples"
        got = "an object" if isinstance(document.value, dict) else "no list"
        raise SourceError(f"{path}: expected a JSON list of LoCoMo samples, got {got}; {hint}")
    if not document.value:
        raise SourceError(f"{path}: expected LoCoMo samples, got an empty list")
    return document


def _id(raw: Any, position: int, path: Path) -> str:
    """Conversation id of a sample: its `sample_id`, or the file's name and the position."""
    fallback = slug(f"{path.stem[:100]}-{position + 1}", f"sample-{position + 1}")
    written = raw.get("sample_id") if isinstance(raw, dict) else None
    return slug(written, fallback) if isinstance(written, str) else fallback


def _ids(samples: list[Any], path: Path) -> list[str]:
    """Conversation ids of a file; a repeated one gets the position behind it."""
    ids: list[str] = []
    for position, raw in enumerate(samples):
        name = _id(raw, position, path)
        ids.append(f"{name[:100]}-{position + 1}" if name in ids else name)
    return ids


def _part(document: Document, position: int) -> Document:
    """One sample of a file, with what was wrong with its own JSON."""
    return Document(
        document.value[position],
        tuple(found.below(1) for found in document.repetitions if found.parts[:1] == (position,)),
        tuple(parts[1:] for parts in document.broken if parts[:1] == (position,)),
    )
