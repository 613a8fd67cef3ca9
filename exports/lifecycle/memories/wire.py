"""What a memory gives, read whatever it is: objects of any class, or JSON of another process."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final

from memassay.exports.lifecycle.memories.shapes import MemoryTurn
from memassay.exports.release.text_lines import printable
from memassay.schemas.errors import CodeError

_WRITES: Final = frozenset({"add", "update"})
_MOST_ENTRIES: Final = 1_000_000


@dataclass(frozen=True)
class Entry:
    """Something that a memory wrote or holds.

    Attributes:
        text: What it says.
        ids: Its ids.
        session: Session that it is from; empty if it does not say.
    """

    text: str
    ids: tuple[str, ...] = ()
    session: str = ""


@dataclass(frozen=True)
class Found:
    """Something that a memory found.

    Attributes:
        text: What a model is shown of it.
        ids: Its ids, the memory's own first.
        image: File of an image that it shows; empty without one.
        rounds: Ids of rounds that it says it is from.
    """

    text: str
    ids: tuple[str, ...]
    image: str = ""
    rounds: tuple[str, ...] = ()


def read_snapshot(given: Any) -> list[Entry]:
    """What a memory holds.

    Raises:
        CodeError: It is no list of records with `text`.
    """
    return [
        Entry(
            _text(each, "text", "snapshot_memories"),
            _ids(each, "memory_id", "raw_backend_id"),
            str(_field(each, "session_id") or ""),
        )
        for each in _as_list(given, "snapshot_memories")
    ]


def read_delta(given: Any, session: str) -> list[Entry]:
    """What a memory wrote in a session; what it kept, suppressed or archived is not written.

    Raises:
        CodeError: It is no list of records with `text`.
    """
    return [
        Entry(_text(each, "text", "export_memory_delta"), _ids(each, "raw_backend_id"), session)
        for each in _as_list(given, "export_memory_delta")
        if str(_field(each, "op") or "add") in _WRITES
    ]


def read_finds(given: Any, top_k: int) -> list[Found]:
    """What a memory found, best first.

    Raises:
        CodeError: It is no record with `items` that have `memory_id` and `text`.
    """
    items = _field(given, "items")
    if items is None or callable(items):
        raise CodeError(
            "expected `retrieve` to give a RetrievalRecord with `items`, got "
            f"{type(given).__name__}; docs/python.md shows one"
        )
    return [
        Found(
            _text(each, "text", "retrieve"),
            _ids(each, "memory_id", "raw_backend_id"),
            str(_field(each, "image_path") or ""),
            tuple(map(str, _as_list(_field(each, "rounds") or (), "retrieve", "rounds"))),
        )
        for each in islice(_as_list(items, "retrieve"), top_k)
    ]


def turn_document(turn: MemoryTurn) -> dict[str, Any]:
    """A turn as JSON; its pictures are written to files now."""
    document = {
        name: value for name, value in vars(turn).items() if name not in {"attachments", "spoken"}
    }
    shown = [
        {"caption": one.caption, "type": one.type, "image_id": one.image_id, "file_path": path}
        for one in turn.attachments
        for path in [one.file_path]
    ]
    return {**document, "attachments": shown}


def plain(value: Any) -> Any:
    """A record of any class for `json.dumps`."""
    if hasattr(value, "__dataclass_fields__"):
        return asdict(value)
    if isinstance(value, Mapping | set | frozenset | tuple):
        return dict(value) if isinstance(value, Mapping) else list(value)
    if isinstance(value, Iterator):
        return list(islice(value, _MOST_ENTRIES))
    if hasattr(value, "tolist"):  # a number or an array of numpy
        return value.tolist()
    return vars(value) if hasattr(value, "__dict__") else str(value)


def _as_list(given: Any, method: str, what: str = "records") -> Iterable[Any]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise CodeError(f"expected `{method}` to give a list of {what}, got {_excerpt(given)}")
    return islice(given, _MOST_ENTRIES)


def _field(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)


def _text(record: Any, name: str, method: str) -> str:
    value = _field(record, name)
    if not isinstance(value, str):
        raise CodeError(
            f"expected `{method}` to give records with a {name}, got {_excerpt(record)}"
        )
    return str(printable(value))


def _ids(record: Any, *names: str) -> tuple[str, ...]:
    values: Sequence[Any] = [_field(record, name) for name in names]
    return tuple(dict.fromkeys(str(value) for value in values if value not in (None, "")))


def _excerpt(given: Any) -> str:
    text = " ".join(repr(given).split())
    return text if len(text) <= 80 else f"{text[:80]}..."
