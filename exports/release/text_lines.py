"""JSON texts of a release: strict in both directions, and always valid UTF-8."""

import json
import re
from pathlib import Path
from typing import Any, Final, NoReturn

from memassay.schemas.errors import UsageError
from memassay.schemas.files import MIB, FileKind, read_lines
from memassay.schemas.hashing import canonical_json

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"expected a finite number, got {name}")


_STRICT: Final = json.JSONDecoder(parse_constant=_refuse_constant)
"""Made once: `json.loads` makes one for each call, which costs as much as a small record."""


class NestedError(ValueError):
    """JSON whose lists and objects are nested beyond reading."""


def strict_json(text: str | bytes) -> Any:
    """Decoded JSON; unlike the standard reader it refuses NaN, the infinities and UTF-16.

    Raises:
        ValueError: The text is not JSON in UTF-8.
        NestedError: It is nested beyond reading.
    """
    try:
        return _STRICT.decode(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except RecursionError:
        raise NestedError("lists and objects that are nested too deeply") from None


def written_lines(path: Path, what: str) -> list[tuple[int, bytes]]:
    """The lines of a file that a person wrote, numbered from 1; empty ones are skipped.

    Args:
        path: The file.
        what: What it holds, for the message: `predictions`.

    Raises:
        UsageError: The file cannot be read.
    """
    lines = read_lines(path, FileKind(f"a file of {what}", 4 * MIB, "shorten the line"))
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def json_object(line: bytes, where: str, example: str) -> dict[str, Any]:
    """The object on a line that a person wrote.

    Raises:
        UsageError: It is none; the message names the place and shows an example.
    """
    try:
        document = strict_json(line)
    except ValueError as error:
        raise UsageError(
            f"{where}: expected one JSON object, got {error}; write it as {example}"
        ) from error
    if not isinstance(document, dict):
        got = type(document).__name__
        raise UsageError(f"{where}: expected one JSON object, got {got}; write it as {example}")
    return document


def indented_json(value: Any) -> str:
    """The text of a JSON file that people read: two spaces of indentation, a final newline."""
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def portable_json(value: Any) -> str:
    r"""Canonical JSON that can be written as UTF-8.

    Foreign files hold lone surrogates (``\ud83d``). They have no UTF-8 form, so they are written
    as the escapes they came as.
    """
    text = canonical_json(value)
    if text.isascii():
        return text
    return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def printable(value: Any) -> Any:
    """The value with every lone surrogate in its texts replaced by U+FFFD."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {name: printable(item) for name, item in value.items()}
    return value
