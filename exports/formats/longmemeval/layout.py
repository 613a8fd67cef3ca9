"""LongMemEval's on-disk layout: a JSON list of questions, each with a history of its own.

The three files of a release (`longmemeval_s`, `_m`, `_oracle`) have one shape. Reading is in
`reading`, writing in `writing`.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.folders import item_id, json_files, listed_sources, unique_sources
from memassay.exports.foreign.json_items import read_item
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.longmemeval.reading import EntryReader
from memassay.exports.formats.longmemeval.rules import RULES
from memassay.exports.formats.longmemeval.strict import unanswerable
from memassay.exports.formats.longmemeval.writing import HISTORY, NAME, EntryWriter, mend
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.judgements.layouts import Arrangement, Lost, Named, Unfit, Written
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

FILE_NAME: Final = "longmemeval.json"
"""Name of the file that an export writes."""
_IDS: Final = ("question_id",)


class LongMemEval:
    """LongMemEval (repository xiaowu0162/LongMemEval), a list of questions a file."""

    name = NAME
    rules = RULES
    version = 2

    def sources(self, path: Path) -> list[Source]:
        """The questions of a file, or of all JSON files of a folder.

        Raises:
            SourceError: The path does not exist, a file of it is no list of questions, two
                questions of different files share an id, or a link leads out of the folder.
        """
        what = "a list of LongMemEval questions"
        return unique_sources(
            source for file in json_files(path, what) for source in _sources(file)
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:  # noqa: ARG002
        """One question and its history as records.

        Raises:
            SourceError: The file changed since its questions were found.
        """
        document = read_item(source.path, source.span)
        reading = Reading(source.id, Trace(source.path, source.base, source.line))
        first = source.id == item_id(document.value, _IDS, source.id, "question")
        return EntryReader(reading).read(document, first)

    def write(self, bundle: Bundle) -> Written:
        """An item for each question, as it stood where it came from this layout."""
        return _layout_of(EntryWriter(bundle), EntryWriter.entry)

    def export(self, bundle: Bundle) -> Written:
        """The same; ids, lists and labels have the forms that upstream's code demands."""
        return _layout_of(EntryWriter(bundle), mend)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """One file holds them all."""
        return Arrangement(lists=[FILE_NAME])

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that upstream's code cannot read, answer or score."""
        return unanswerable(bundle, folder / FILE_NAME)


def _layout_of(
    writer: EntryWriter, entry: Callable[[EntryWriter, QAItem], dict[str, Any]]
) -> Written:
    entries = [_item_of(item, entry(writer, item)) for item in writer.bundle.questions]
    return Written(items={FILE_NAME: entries}, unfit=writer.unfit())


def _item_of(item: QAItem, entry: dict[str, Any]) -> Named:
    why = f"{NAME}'s reader keeps the last question of an id"
    fix = "Give it an id of its own."
    second = Unfit(item.id, "the question", why, Lost.NOT_READ, str(item.type), fix)
    return Named(entry, str(entry.get("question_id")), second)


def _sources(path: Path) -> list[Source]:
    found = listed_sources(path, (HISTORY,), _IDS, "question")
    if not found:
        raise SourceError(
            f"{path}: expected a JSON list of LongMemEval questions, got none; "
            "name the file that holds them"
        )
    return found


FORMAT: Final = LongMemEval()
