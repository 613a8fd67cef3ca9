"""Exports that a reader upstream can answer whole, and the ways to spoil a file of them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from memassay.exports.formats.registry import FORMATS
from memassay.schemas.contracts.protocols import StrictFormat
from memassay.schemas.records.bundle import Bundle
from support.foreign_cases import (
    QUESTIONS,
    SESSIONS,
    bundle_of,
    import_all,
    scenario,
    write_samples,
    write_scenario,
)
from support.foreign_cases import sample as plain_sample
from support.release_builder import MemoryBlobs, png
from support.written_layouts import export

Change = Callable[[Any], Any]


def gallery(folder: Path, blobs: MemoryBlobs, raw: Any = None, name: str = "Boat") -> Bundle:
    """The scenario of tests with its images."""
    images = folder / "image" / "Boat"
    images.mkdir(parents=True)
    for number, file in enumerate(("D1_IMG_001.png", "QA_IMG_001.png")):
        (images / file).write_bytes(png(("red", "blue")[number]))
    path = write_scenario(folder, raw or scenario(), name)
    return bundle_of(import_all("mem-gallery", path, blobs)[0])


def sample(folder: Path, raw: Any = None) -> Bundle:
    """The LoCoMo sample of tests."""
    folder.mkdir()
    return bundle_of(import_all("locomo", write_samples(folder, raw or plain_sample()))[0])


def strict(name: str) -> StrictFormat:
    """A layout that has a strict reader."""
    found = FORMATS[name]
    assert isinstance(found, StrictFormat)
    return found


def exported(name: str, bundle: Bundle, blobs: MemoryBlobs, folder: Path) -> tuple[Bundle, Any]:
    """What of a bundle stays in an export, and the entries of the questions that do not."""
    kept, unfit = export(strict(name), [bundle], blobs, folder)
    left = [item for item in bundle.questions if item.id in kept]
    return bundle.model_copy(update={"questions": left}), [
        each for each in unfit if each.reason is not None
    ]


def _folder(name: str, bundle: Bundle, folder: Path) -> Path:
    """Where in an export of one conversation its files lie."""
    return folder / strict(name).arrange([bundle.id]).folders.get(bundle.id, "")


def edit(path: Path, change: Change) -> None:
    """Change a JSON file; a change that gives something puts it in place of the document."""
    raw = json.loads(path.read_text(encoding="utf-8"))
    given = change(raw)
    path.write_text(json.dumps(raw if given is None else given), encoding="utf-8")


def spoiled(name: str, kept: Bundle, folder: Path) -> dict[int, str]:
    """Reasons of the strict reader by position among the questions, and nothing else."""
    found = strict(name).unanswerable(kept, _folder(name, kept, folder))
    assert all(each.reason and each.why and each.fix and each.type for each in found)
    at = {item.id: number for number, item in enumerate(kept.questions)}
    return {at[each.record]: str(each.reason) for each in found}


def assert_answerable(whole: Bundle, folder: Path, name: str) -> None:
    """Whatever is wrong with records, a strict reader says what is left out and reads the rest."""
    kept, _ = exported(name, whole, MemoryBlobs(), folder)
    assert spoiled(name, kept, folder) == {}


def question(at: int, **fields: Any) -> Change:
    """Change fields of a question of a scenario."""
    return lambda raw: raw[QUESTIONS][at].update(fields)


def round_(session: int, at: int, **fields: Any) -> Change:
    """Change fields of a round of a scenario or persona."""
    return lambda raw: raw[SESSIONS][session]["dialogues"][at].update(fields)


def asked(at: int, **fields: Any) -> Change:
    """Change fields of a question of the first sample of a file."""
    return lambda raw: raw[0]["qa"][at].update(fields)


def banked(at: int, **fields: Any) -> Change:
    """Change fields of a question of a bank."""
    return lambda raw: raw[at].update(fields)


def said(**fields: Any) -> Change:
    """Change keys of the conversation of the first sample of a file."""
    return lambda raw: raw[0]["conversation"].update(fields)


def without(key: str, *path: Any) -> Change:
    """Drop a key of an object somewhere in a document."""

    def change(raw: Any) -> None:
        for step in path:
            raw = raw[step]
        del raw[key]

    return change


def files(folder: Path) -> dict[str, bytes]:
    """Every file of an export but its list of what is left out."""
    found = (path for path in folder.rglob("*") if path.is_file() and path.name != "unfit.json")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def reasons(found: Sequence[Any]) -> dict[str, str]:
    """Reasons by the last part of the question's id."""
    return {each.record.partition("/")[2]: str(each.reason) for each in found}
