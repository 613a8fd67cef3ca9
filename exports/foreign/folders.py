"""The files of a foreign data set: found inside its folder only, in a fixed order; written."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.images import inside
from memassay.exports.foreign.json_items import ItemPlace, list_items
from memassay.exports.release.layout import UNFIT
from memassay.schemas.contracts.protocols import Source
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import natural_key, slug

ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
"""What the names of JSON files and of JSON Lines end with, plain and packed."""


def json_files(path: Path, what: str) -> list[Path]:
    """A JSON file, or those directly in a folder, by name, without our own report of an export.

    Args:
        path: File or folder.
        what: What is expected in a file, for the message.

    Raises:
        SourceError: The path does not exist, holds no JSON file, or a link leads out of it.
    """
    path = existing(path)
    if not path.is_dir():
        return [inside(path, path.absolute().parent)]
    try:
        found = sorted(
            each for each in path.iterdir() if each.name.endswith(ENDINGS) and each.name != UNFIT
        )
    except OSError as error:
        raise SourceError(
            f"{path}: expected a readable folder, got: {error.strerror or error}"
        ) from error
    if not found:
        raise SourceError(
            f"{path}: expected *.json or *.jsonl files, each {what}, got none; "
            "name the folder that holds them"
        )
    return [inside(each, path) for each in found if not each.is_dir()]


def existing(path: Path) -> Path:
    """The path, once it is sure that something is there.

    Raises:
        SourceError: Nothing is there, or its name is none.
    """
    try:
        if path.exists():
            return path
        linked = path.is_symlink()
    except OSError:
        linked = False
    if linked:
        inside(path, path.absolute().parent)
    raise SourceError(f"{path}: expected a file or folder, got nothing; check the path")


def source_of(name: str, path: Path, place: ItemPlace, beside: Iterable[Path] = ()) -> Source:
    """The source of one item of a file; `beside` are the other files that reading it needs."""
    return Source(
        id=name,
        path=path,
        position=place.position,
        files=(path, *beside),
        span=place.span,
        base=place.base,
        line=place.line,
    )


def listed_sources(
    path: Path,
    marks: Sequence[str],
    ids: Sequence[str],
    what: str,
    beside: Callable[[Any], Iterable[Path]] = lambda _: (),
) -> list[Source]:
    """The items of a file as sources; one that repeats an id gets its position behind it.

    Args:
        path: The file.
        marks: Keys of which every item has one.
        ids: Keys of an item's id; the first that is a text is taken, else file and position.
        what: What an item is called, for its id where the file gives none that can be one.
        beside: The other files that the reading of an item needs.

    Raises:
        SourceError: Two items would have one id even so, or as `list_items`.
    """
    found: dict[str, Source] = {}
    for document, place in list_items(path, *marks):
        name = item_id(document.value, ids, place.name(path), what)
        own = f"{name[:100]}-{place.position + 1}" if name in found else name
        source = source_of(own, path, place, beside(document.value))
        if found.setdefault(own, source) is not source:
            raise SourceError(
                f"{path}: expected an id of its own for {what} {place.position + 1}, got '{own}' "
                f"twice; give each {what} a '{ids[0]}' of its own"
            )
    return list(found.values())


def holds_item(path: Path, marks: Sequence[str]) -> bool:
    """Whether a file holds an item with one of some keys."""
    items = (document.value for document, _ in list_items(path, *marks))
    return any(isinstance(each, dict) and not each.keys().isdisjoint(marks) for each in items)


def item_id(raw: Any, ids: Sequence[str], name: str, what: str) -> str:
    """Conversation id of an item: what one of its keys says, or what its file calls it."""
    fallback = slug(name, f"{what}-{name.rpartition('-')[2]}")
    own = raw if isinstance(raw, dict) else {}
    written = next((own[key] for key in ids if isinstance(own.get(key), str)), "")
    return slug(written, fallback)


def unique_sources(sources: Iterable[Source]) -> list[Source]:
    """Sources in natural order of their ids.

    Raises:
        SourceError: Two of them have one id.
    """
    found: dict[str, Source] = {}
    for source in sources:
        other = found.setdefault(source.id, source)
        if other is not source:
            raise SourceError(
                f"{source.path}: expected an id of its own, got '{source.id}' like {other.path}; "
                "rename one of the files"
            )
    return sorted(found.values(), key=lambda source: natural_key(source.id))
