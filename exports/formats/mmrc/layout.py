"""Our layout for MMRC's dialogues: `dialogues.json`, a list of them, beside their images.

MMRC's data is not published where we could read it; the paper says what a dialogue holds (§3.1,
§3.3), names and places are our choice: docs/mmrc.md. Reading is in `reading` and `questions`,
writing in `writing`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.folders import json_files, source_of, unique_sources
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_items import list_items, read_item
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.mmrc.reading import DialogueReader, images_in
from memassay.exports.formats.mmrc.rules import RULES
from memassay.exports.formats.mmrc.strict import unanswerable
from memassay.exports.formats.mmrc.writing import NAME, DialogueWriter
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle

FILE_NAME: Final = "dialogues.json"
"""Name of the file that an export writes."""


class MMRC:
    """MMRC (paper §3), a list of single dialogues a file."""

    name = NAME
    rules = RULES
    version = 2

    def sources(self, path: Path) -> list[Source]:
        """The dialogues of a file, or of all JSON files of a folder.

        Raises:
            SourceError: The path does not exist, a file of it is no list of dialogues, two
                dialogues share an id, or a link leads out of the folder.
        """
        return unique_sources(
            source
            for file in json_files(path, "a list of MMRC dialogues")
            for source in _sources(file)
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One dialogue as records.

        Raises:
            SourceError: The file changed since its dialogues were found, or a link leads out of
                its folder.
        """
        document = read_item(source.path, source.span)
        reading = Reading(source.id, Trace(source.path, source.base, source.line))
        intake = ImageIntake(reading, blobs, licence)
        return DialogueReader(reading, source.path.absolute().parent, intake).read(document)

    def write(self, bundle: Bundle) -> Written:
        """An item of the file, and the present images below `images/`."""
        writer = DialogueWriter(bundle)
        items = {FILE_NAME: [writer.dialogue()]}
        return Written(items=items, files=list(writer.files().items()), unfit=writer.unfit())

    def export(self, bundle: Bundle) -> Written:
        """As `write`: the records' own forms are those of the layout."""
        return self.write(bundle)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """One file holds them all."""
        return Arrangement(lists=[FILE_NAME])

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that a reader of single dialogues cannot read, show or judge."""
        return unanswerable(bundle, folder / FILE_NAME)


def _sources(path: Path) -> list[Source]:
    found = [
        source_of(
            _id(document.value, place.name(path)),
            path,
            place,
            images_in(document.value, path.absolute().parent),
        )
        for document, place in list_items(path, "turns")
    ]
    if not found:
        raise SourceError(
            f"{path}: expected a JSON list of MMRC dialogues, got none; "
            "name the file that holds them"
        )
    return found


def _id(raw: Any, name: str) -> str:
    """Conversation id of a dialogue: its `id`, or what its file calls it."""
    fallback = slug(name, f"dialogue-{name.rpartition('-')[2]}")
    written = raw.get("id") if isinstance(raw, dict) else None
    return slug(written, fallback) if isinstance(written, str) else fallback


FORMAT: Final = MMRC()
