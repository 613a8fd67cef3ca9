"""JSON patches as one unified diff, for `git apply`: all other bytes of the files stay."""

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import jsonpatch

from memassay.schemas.judgements.errata import FilePatch

_MARK: Final = "\ufeff"
_NO_NEWLINE: Final = "\n\\ No newline at end of file\n"


class Style(NamedTuple):
    """How a JSON file is written.

    Attributes:
        mark: Byte order mark, or nothing.
        options: For `json.dumps`.
        newline: Of its lines.
        end: Behind its last bracket.
    """

    mark: str
    options: dict[str, Any]
    newline: str
    end: str

    def write(self, value: Any) -> str:
        """The text of a document."""
        text = json.dumps(value, **self.options).replace("\n", self.newline)
        return f"{self.mark}{text}{self.end}"


def text_patch(root: Path, patches: Sequence[FilePatch]) -> tuple[str, list[str]]:
    """The unified diff of all patches, and the files whose bytes it cannot keep.

    Args:
        root: Folder that the files are named from.
        patches: One for each file; they apply.
    """
    parts, left = list[str](), list[str]()
    for patch in patches:
        text = _plain_text(root / patch.file)
        style = style_of(text) if text is not None else None
        if text is None or style is None:
            left.append(patch.file)
            continue
        steps = [step.model_dump(mode="json", exclude_unset=True) for step in patch.operations]
        value = jsonpatch.apply_patch(json.loads(text.removeprefix(_MARK)), steps)
        parts.append(_diff(patch.file, text, style.write(value)))
    return "".join(parts), left


def _plain_text(path: Path) -> str | None:
    """The text of a file that is one JSON document; None of a packed one and of JSON Lines."""
    try:
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def style_of(text: str) -> Style | None:
    """How a JSON text is written; None if writing it so does not give the same text."""
    mark = _MARK if text.startswith(_MARK) else ""
    body = text.removeprefix(_MARK)
    value = json.loads(body)
    newline = "\r\n" if "\r\n" in body else "\n"
    end = body[len(body.rstrip()) :]
    for options in _options(body.rstrip().split("\n")):
        style = Style(mark, options, newline, end)
        if style.write(value) == text:
            return style
    return None


def _options(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Ways to write a document that begins with these lines."""
    shapes: list[Mapping[str, Any]] = [{}, {"separators": (",", ":")}]
    if len(lines) > 1:
        first = lines[1]
        shapes = [{"indent": first[: len(first) - len(first.lstrip())]}]
    for shape in shapes:
        for ascii_only in (False, True):
            yield {**shape, "ensure_ascii": ascii_only}


def _diff(name: str, old: str, new: str) -> str:
    lines = difflib.unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    return "".join(line if line.endswith("\n") else line + _NO_NEWLINE for line in lines)


def _lines(text: str) -> list[str]:
    """Lines as `git` counts them: other separators of Unicode are letters of a line."""
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
