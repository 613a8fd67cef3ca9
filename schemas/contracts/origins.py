"""Where records are in the foreign files they were read from, and what would mend a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue


@dataclass(frozen=True)
class FilePlace:
    """A place in a foreign JSON file.

    Attributes:
        path: The file.
        pointer: JSON Pointer (RFC 6901) from the top of the document.
        line: 1-based line that the document begins on, in JSON Lines; else the file is one.
    """

    path: Path
    pointer: str
    line: int | None = None


@dataclass(frozen=True)
class Origins:
    """What an importer notes of where everything was.

    Attributes:
        parts: By record (or place of a conversation, see `part_key`) and JSON Pointer inside it,
            the place in the file. What is not listed is at the nearest part above it.
        findings: By finding, the place in the file that it is about, where it is known better.
        instead: By finding, the values that should be in its place: none if it should go, the
            second and later ones behind the first. Findings without an entry leave it open.
    """

    parts: Mapping[tuple[str, str], FilePlace] = field(default_factory=dict)
    findings: Mapping[str, FilePlace] = field(default_factory=dict)
    instead: Mapping[str, tuple[JsonValue, ...]] = field(default_factory=dict)

    def of(self, record: str, pointer: str = "") -> FilePlace | None:
        """The place of a field of a record, or of the nearest part above it that is known."""
        while (record, pointer) not in self.parts:
            if not pointer:
                return None
            pointer = pointer.rpartition("/")[0]
        return self.parts[record, pointer]


def part_key(conversation: str, place: str) -> str:
    """The key of a session, round, turn or attachment among the parts; no record has such an id."""
    return f"{conversation} {place}"
