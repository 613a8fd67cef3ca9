"""WorldMemArena's on-disk layout: a sample a file, in folders by domain, its images beside it.

Reading is in `reading`, `turns`, `points` and `questions`, writing in `writing`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memassay.exports.foreign.folders import existing, json_files, unique_sources
from memassay.exports.foreign.images import ImageIntake, inside
from memassay.exports.foreign.json_items import read_sole
from memassay.exports.foreign.json_text import read_json
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.mem_gallery.exported import with_names
from memassay.exports.formats.worldmemarena.naming import NAME, Names, within_others
from memassay.exports.formats.worldmemarena.reading import TOPS, SampleReader, note_at_root
from memassay.exports.formats.worldmemarena.rules import RULES
from memassay.exports.formats.worldmemarena.strict import unanswerable
from memassay.exports.formats.worldmemarena.turns import images_in
from memassay.exports.formats.worldmemarena.unfit import unfit_of
from memassay.exports.formats.worldmemarena.writing import SESSIONS, SampleWriter, folder_of
from memassay.exports.release.layout import UNFIT
from memassay.exports.release.text_lines import indented_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind

SMALL: Final = "small_ids.json"
"""Upstream's list of the samples of its small split; its loader looks at no other list."""


class WorldMemArena:
    """WorldMemArena (repository UCSB-AI/WorldMemArena, `eval_framework`), one sample a file."""

    name = NAME
    rules = RULES
    version = 1

    def sources(self, path: Path) -> list[Source]:
        """A sample, or every JSON file below a folder, as upstream's loader looks for them.

        Raises:
            SourceError: The path does not exist, holds no JSON file, or a link leads out of it.
        """
        path = existing(path)
        root = path if path.is_dir() else path.absolute().parent
        files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        samples = [
            inside(each, root)
            for each in files
            if each.name not in (SMALL, UNFIT) and not each.is_dir()
        ]
        if not samples:
            json_files(path, "a WorldMemArena sample")
            raise SourceError(
                f"{path}: expected WorldMemArena samples, each a JSON file, got none; name the "
                "folder that holds 'agent' and 'lifelong'"
            )
        return unique_sources(_source(each, root) for each in samples)

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One sample as records.

        Raises:
            SourceError: The file is no JSON, or a link leads out of its folder.
        """
        document, place = read_sole(source.path, SESSIONS)
        reading = Reading(source.id, Trace(source.path, place.base, place.line))
        intake = ImageIntake(reading, blobs, licence)
        folder = source.path.absolute().parent
        if any((folder / top).is_dir() for top in TOPS):
            note_at_root(reading, source.path.name)
        return SampleReader(reading, folder, intake).read(document)

    def write(self, bundle: Bundle) -> Written:
        """`<domain>/<sample>.json` and the present images below `<domain>/images/`."""
        return _layout_of(bundle, Names.of(bundle, own=True))

    def export(self, bundle: Bundle) -> Written:
        """The same; ids of which one is part of another are replaced."""
        return _layout_of(_with_names(bundle), _sound_names(bundle))

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """They share the folders: their files bear their names."""
        return Arrangement()

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that the loader cannot read or never asks, or the scorer not credit."""
        writer = SampleWriter(_with_names(bundle), _sound_names(bundle))
        return unanswerable(bundle, writer, folder / folder_of(bundle) / f"{bundle.id}.json")


def _layout_of(bundle: Bundle, names: Names) -> Written:
    writer, folder = SampleWriter(bundle, names), folder_of(bundle)
    return Written(
        texts={f"{folder}/{bundle.id}.json": indented_json(writer.sample())},
        files=[(f"{folder}/{place}", asset) for place, asset in writer.files().items()],
        unfit=unfit_of(bundle, names),
    )


def _sound_names(bundle: Bundle) -> Names:
    """The ids of the file that it came from, or new ones where one of them is part of another."""
    names = Names.of(bundle, own=True)
    return Names.of(bundle, own=False) if within_others(names.evidence()) else names


def _with_names(bundle: Bundle) -> Bundle:
    """The same where people say their names, if there are several, whom the layout calls user."""
    people = [each for each in bundle.conversation.speakers if each.kind is SpeakerKind.HUMAN]
    return with_names(bundle) if len(people) > 1 else bundle


def _source(path: Path, root: Path) -> Source:
    raw = read_json(path).value
    written = raw.get("sample_id") if isinstance(raw, dict) else None
    fallback = slug("-".join(path.relative_to(root).with_suffix("").parts), "sample")
    return Source(
        id=slug(written, fallback) if isinstance(written, str) else fallback,
        path=path,
        position=0,
        files=(path, *images_in(raw, path.absolute().parent)),
    )


FORMAT: Final = WorldMemArena()
