"""M3Exam's on-disk layout: a folder per persona with `conversation.json` and `question.json`.

Reading is in `reading` and `questions`, writing in `writing`. Neither code nor
data of M3Exam is published where we could read it: docs/m3exam.md says what of the layout is
known from the paper and what is our choice.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memassay.exports.foreign.folders import existing, json_files, unique_sources
from memassay.exports.foreign.images import ImageIntake, inside
from memassay.exports.foreign.json_items import read_listed, read_sole
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.rules import EVERY_FILE, SESSIONS_OF_ROUNDS
from memassay.exports.foreign.session_layout import SESSIONS, with_days
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.m3exam.metrics import METRICS
from memassay.exports.formats.m3exam.reading import PersonaReader
from memassay.exports.formats.m3exam.strict import unanswerable
from memassay.exports.formats.m3exam.writing import (
    CONVERSATION_FILE,
    NAME,
    QUESTION_FILE,
    files_of,
    folder_names,
    image_names,
    layout_of,
    profile_json,
    unfit_of,
    with_types_of_facts,
)
from memassay.exports.formats.mem_gallery.exported import with_names
from memassay.exports.release.text_lines import indented_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle


class M3Exam:
    """M3Exam (paper §2.3, A.3), one persona a folder."""

    name = NAME
    rules = RuleRegistry(EVERY_FILE, SESSIONS_OF_ROUNDS)
    version = 2
    metrics = METRICS

    def sources(self, path: Path) -> list[Source]:
        """The personas of a folder: the folder itself, or those directly below it.

        Raises:
            SourceError: The path does not exist, holds no persona, or a link leads out of it.
        """
        found = existing(path)
        if found.is_file() and found.name == CONVERSATION_FILE:
            found = found.absolute().parent
        files = _conversations(found) if found.is_dir() else []
        if not files:
            json_files(found, "in the folder of an M3Exam persona")
            raise SourceError(
                f"{path}: expected M3Exam personas, each a folder with {CONVERSATION_FILE} and "
                f"{QUESTION_FILE}, got none; name the folder that holds them"
            )
        return unique_sources(
            Source(
                id=slug(each.absolute().parent.name, "persona"),
                path=each,
                position=0,
                files=(each, *_others(each)),
            )
            for each in files
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One persona as records.

        Raises:
            SourceError: A file is no JSON of the right kind, or a link leads out of the folder.
        """
        document, place = read_sole(source.path, SESSIONS)
        folder = source.path.absolute().parent
        if not isinstance(document.value, dict):
            raise SourceError(
                f"{source.path}: expected a JSON object with 'multi_session_dialogues', got none; "
                f"a list of questions belongs into {QUESTION_FILE}"
            )
        bank = folder / QUESTION_FILE
        questions, lines = read_listed(bank, "question") if bank.is_file() else (None, ())
        beside = {CONVERSATION_FILE: source.path, QUESTION_FILE: bank}
        trace = Trace(source.path, place.base, place.line, beside, {QUESTION_FILE: lines})
        reading = Reading(source.id, trace)
        intake = ImageIntake(reading, blobs, licence)
        return PersonaReader(reading, folder, intake).read(document, questions)

    def write(self, bundle: Bundle) -> Written:
        """Both files of a persona, its images and its PDFs."""
        return _layout_of(bundle, of_another=False)

    def export(self, bundle: Bundle) -> Written:
        """The same; records of other layouts take on its dates, types and names."""
        return _layout_of(bundle, of_another=bundle.conversation.collection != NAME)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:
        """A folder for each persona."""
        return Arrangement(folder_names(conversations))

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that a reader of the paper's layout cannot read, answer or score."""
        return unanswerable(NAME, bundle, folder)


def _layout_of(given: Bundle, *, of_another: bool) -> Written:
    bundle = with_names(given) if of_another else given
    names, talk = image_names(bundle), bundle.conversation
    layout = layout_of(bundle, names)
    document = layout.document(talk, profile_json(talk))
    bank = layout.questions(bundle.questions)
    if of_another:
        with_days(document)
        with_types_of_facts(bank)
    return Written(
        texts={CONVERSATION_FILE: indented_json(document), QUESTION_FILE: indented_json(bank)},
        files=files_of(bundle, names),
        unfit=unfit_of(bundle),
    )


def _conversations(folder: Path) -> list[Path]:
    """Every `conversation.json` of a persona's folder, or of the folders directly in it."""
    try:
        if (folder / CONVERSATION_FILE).is_file():
            return [inside(folder / CONVERSATION_FILE, folder)]
        below = sorted(each for each in folder.iterdir() if each.is_dir())
        files = [each / CONVERSATION_FILE for each in below]
        return [inside(each, folder) for each in files if each.is_file()]
    except OSError as error:
        raise SourceError(
            f"{folder}: expected a readable folder, got: {error.strerror or error}"
        ) from error


def _others(conversation: Path) -> list[Path]:
    """The other files of a persona's folder; reading it depends on them."""
    folder = conversation.absolute().parent
    found = sorted(each for each in folder.rglob("*") if each.is_file())
    return [inside(each, folder) for each in found if each.name != CONVERSATION_FILE]


FORMAT: Final = M3Exam()
