"""Mem-Gallery's on-disk layout: `dialog/<Name>.json` beside `image/<Name>/`.

Reading is in `reading`, `images` and `questions`, writing in `writing`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.folders import existing, json_files, unique_sources
from memassay.exports.foreign.images import ImageIntake, inside
from memassay.exports.foreign.json_items import read_sole, stem
from memassay.exports.foreign.reading import Reading
from memassay.exports.foreign.session_layout import SESSIONS
from memassay.exports.foreign.tracing import Trace
from memassay.exports.formats.mem_gallery.exported import exported_json
from memassay.exports.formats.mem_gallery.reading import ScenarioReader
from memassay.exports.formats.mem_gallery.rules import RULES
from memassay.exports.formats.mem_gallery.splitting import with_one_image_a_round
from memassay.exports.formats.mem_gallery.strict import unanswerable
from memassay.exports.formats.mem_gallery.writing import (
    NAME,
    image_files,
    scenario_json,
    scenario_name,
)
from memassay.exports.release.text_lines import indented_json
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.judgements.layouts import Arrangement, Unfit, Written
from memassay.schemas.records.bundle import Bundle

_RESULTS: Final = ("_results_", "_evaluate_result_")


class MemGallery:
    """Mem-Gallery (repository YuanchenBei/Mem-Gallery), one scenario a file."""

    name = NAME
    rules = RULES
    version = 4

    def sources(self, path: Path) -> list[Source]:
        """The scenarios of a file, a dialog folder, a data folder or the benchmark's root.

        Raises:
            SourceError: The path does not exist, holds no scenario, or a link leads out of it.
        """
        files = [
            each
            for each in json_files(_dialog_folder(existing(path)), "a Mem-Gallery scenario")
            if not any(mark in each.name for mark in _RESULTS)
        ]
        if not files:
            raise SourceError(f"{path}: expected Mem-Gallery scenarios, got result files only")
        return unique_sources(
            Source(
                id=slug(stem(each), "scenario"),
                path=each,
                position=0,
                files=(each, *_images(each)),
            )
            for each in files
        )

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One scenario as records.

        Raises:
            SourceError: The file is no JSON object, or a link leads out of the data folder.
        """
        document, place = read_sole(source.path, SESSIONS)
        if not isinstance(document.value, dict):
            raise SourceError(
                f"{source.path}: expected a JSON object with 'multi_session_dialogues' and "
                f"'human-annotated QAs', got a {_kind(document.value)}; a list of conversations "
                "may be LoCoMo"
            )
        reading = Reading(source.id, Trace(source.path, place.base, place.line))
        intake = ImageIntake(reading, blobs, licence)
        reader = ScenarioReader(reading, stem(source.path), _data_folder(source.path), intake)
        return reader.read(document)

    def write(self, bundle: Bundle) -> Written:
        """`dialog/<Name>.json` and the present images below `image/`."""
        return _layout_of(bundle, *scenario_json(bundle))

    def export(self, bundle: Bundle) -> Written:
        """The same with one image a round; records of others take on its dates and refusals."""
        return _layout_of(bundle, *exported_json(bundle))

    def arrange(self, conversations: Sequence[str]) -> Arrangement:  # noqa: ARG002
        """They share the folders: their files bear their names."""
        return Arrangement()

    def unanswerable(self, bundle: Bundle, folder: Path) -> list[Unfit]:
        """The questions that run_bench.py cannot read or answer, or evaluation.py not score."""
        bundle, _ = with_one_image_a_round(bundle)
        return unanswerable(NAME, bundle, scenario_name(bundle.conversation), folder)


def _layout_of(bundle: Bundle, scenario: dict[str, Any], unfit: list[Unfit]) -> Written:
    path = f"dialog/{scenario_name(bundle.conversation)}.json"
    files = list(image_files(bundle).items())
    return Written(texts={path: indented_json(scenario)}, files=files, unfit=unfit)


def _dialog_folder(path: Path) -> Path:
    """Where the scenarios are: the path itself, or the nearest `dialog` folder below it."""
    for below in ("dialog", "data/dialog", "benchmark/data/dialog"):
        if (path / below).is_dir():
            return inside(path / below, path)
    return path


def _data_folder(scenario: Path) -> Path:
    """The folder that holds `dialog` and `image`; a scenario elsewhere has its images beside it."""
    parent = scenario.absolute().parent
    return parent.parent if parent.name == "dialog" else parent


def _images(scenario: Path) -> list[Path]:
    """The files of a scenario's image folder; reading it depends on them."""
    data = _data_folder(scenario)
    found = sorted((data / "image" / stem(scenario)).rglob("*"))
    return [inside(path, data) for path in found if path.is_file()]


def _kind(value: object) -> str:
    return {list: "list", str: "text", bool: "truth value"}.get(type(value), "number or null")


FORMAT: Final = MemGallery()
