"""Where everything that an importer reads is in its file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue

from memassay.exports.foreign.json_text import Parts
from memassay.schemas.contracts.origins import FilePlace, Origins
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.judgements.finding import Finding


@dataclass
class Trace:
    """Collects the origins of one conversation while it is read.

    Attributes:
        file: The file that is read.
        base: Place of the conversation in it.
        line: Line that its document begins on, where the file is JSON Lines.
        beside: Other files of the conversation, by the name that begins their places.
        lines: Of those that are JSON Lines, the line of each document.
    """

    file: Path
    base: Parts = ()
    line: int | None = None
    beside: Mapping[str, Path] = field(default_factory=dict)
    lines: Mapping[str, Sequence[int]] = field(default_factory=dict)
    _parts: dict[tuple[str, str], FilePlace] = field(default_factory=dict)
    _findings: dict[str, FilePlace] = field(default_factory=dict)
    _instead: dict[str, tuple[JsonValue, ...]] = field(default_factory=dict)

    @property
    def is_keyed(self) -> bool:
        """Whether the conversation has its id from the key under which it is in its file."""
        return any(isinstance(part, str) for part in self.base)

    def note_place(
        self, record: str, parts: Parts, fields: Mapping[str, str | Parts] | None = None
    ) -> None:
        """Note where a record, or a place of the conversation, is.

        Args:
            record: Its id or part key.
            parts: Its place in the file.
            fields: By JSON Pointer inside it, the keys below that place.
        """
        self._parts.setdefault((record, ""), self.place(parts))
        for own, keys in (fields or {}).items():
            below = (keys,) if isinstance(keys, str) else keys
            self._parts.setdefault((record, own), self.place((*parts, *below)))

    def note_finding(
        self, finding: Finding, parts: Parts | None, instead: Sequence[JsonValue] | None
    ) -> None:
        """Note where a finding was made, if its record does not say it, and what would mend it."""
        place = self.origins().of(finding.target, finding.pointer)
        if parts is not None:
            place = self.place(parts)
        if place is not None:
            self._findings[finding.id] = place
        if instead is not None:
            self._instead[finding.id] = tuple(instead)

    def place(self, parts: Parts) -> FilePlace:
        """A place of the conversation as a place of its file."""
        if parts and parts[0] in self.beside:
            name, below = str(parts[0]), parts[1:]
            if below and (lines := self.lines.get(name)):
                return FilePlace(self.beside[name], pointer(*below[1:]), lines[int(below[0])])
            return FilePlace(self.beside[name], pointer(*below))
        return FilePlace(self.file, pointer(*self.base, *parts), self.line)

    def origins(self) -> Origins:
        """All that was noted."""
        return Origins(self._parts, self._findings, self._instead)
