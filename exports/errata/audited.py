"""What an audit found, and where it is in the files."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final

from jsonpointer import JsonPointer, JsonPointerException
from pydantic import JsonValue

from memassay.exports.foreign.json_items import read_line
from memassay.exports.foreign.json_text import read_json
from memassay.exports.release.checking.spill import bundle_of, ids_of
from memassay.schemas.contracts.origins import FilePlace, Origins, part_key
from memassay.schemas.contracts.rules import Rule
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.errata import Certainty, FilePoint
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

RECENT: Final = 8
"""Conversations and documents in memory: findings are gone through one after the other."""
RIGHT: Final = 0.9
"""Share of a rule's warnings that must have been right, when read, to be sent to a maintainer."""
NOWHERE: Final = FilePoint(file=None)
"""Where nobody knows the place."""


@dataclass(frozen=True)
class Audited:
    """A data set as read and checked.

    Attributes:
        name: Name of the audited file or folder.
        format: Name of its format.
        root: Folder that paths are given from.
        bundles: The conversations that could be read.
        findings: What the import and the rules found.
        origins: By conversation, where everything stood.
        rules: By id, at least the rules that found something.
    """

    name: str
    format: str
    root: Path
    bundles: Sequence[Bundle]
    findings: Sequence[Finding]
    origins: Mapping[str, Origins] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)

    def bundle(self, conversation: str) -> Bundle | None:
        """A conversation that could be read, by its id."""
        return self._bundle(conversation) if conversation in self._ids else None

    def question(self, name: str) -> QAItem | None:
        """A question of any conversation, by its id."""
        conversation = conversation_of(name)
        return self._questions(conversation).get(name) if conversation in self._ids else None

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(ids_of(self.bundles))

    @cached_property
    def _bundle(self) -> Callable[[str], Bundle | None]:
        return lru_cache(RECENT)(partial(bundle_of, self.bundles))

    @cached_property
    def _questions(self) -> Callable[[str], Mapping[str, QAItem]]:
        def read(conversation: str) -> dict[str, QAItem]:
            bundle = self.bundle(conversation)
            return {} if bundle is None else {item.id: item for item in bundle.questions}

        return lru_cache(RECENT)(read)

    def document(self, place: FilePlace) -> Any:
        """The JSON document of a file, or of a line of it, that a place is in.

        Raises:
            SourceError: The file went or changed since it was imported.
        """
        return self._document(place.path, place.line)

    @cached_property
    def _document(self) -> Callable[[Path, int | None], Any]:
        def read(path: Path, line: int | None) -> Any:
            return read_json(path).value if line is None else read_line(path, line)

        return lru_cache(RECENT)(read)

    def relative(self, path: Path, line: int | None = None) -> str:
        """A path as the report gives it; of JSON Lines with the line, as each is a document."""
        inside = path.is_relative_to(self.root)
        name = path.relative_to(self.root).as_posix() if inside else path.name
        return name if line is None else f"{name}, line {line}"

    def is_form(self, finding: Finding) -> bool:
        """Whether an importer reports it: the form of the file is wrong, whatever it says."""
        rule = self.rules.get(finding.rule)
        return rule is not None and not (rule.conversation_check or rule.judge)

    def certainty(self, finding: Finding) -> Certainty:
        """How sure a finding is: by its severity, and by how often its rule was right when read."""
        if finding.severity is not Severity.WARNING:
            return Certainty.ERROR if finding.severity is Severity.ERROR else Certainty.NOTE
        rule = self.rules.get(finding.rule)
        measured = rule.measured if rule else None
        right = measured is not None and measured.share >= RIGHT
        return Certainty.PROBABLE if right or self.is_form(finding) else Certainty.POSSIBLE

    def instead(self, finding: Finding) -> tuple[JsonValue, ...] | None:
        """What an importer says should stand in the place of a finding; None if it cannot say."""
        origins = self.origins.get(conversation_of(finding.target), Origins())
        return origins.instead.get(finding.id)

    def place_of(self, finding: Finding) -> FilePlace | None:
        """The place in a file that a finding is about; None if none is known."""
        origins = self.origins.get(conversation_of(finding.target), Origins())
        if finding.id in origins.findings:
            return origins.findings[finding.id]
        found = self.place(finding.target, finding.pointer)
        return found or origins.of(conversation_of(finding.target))

    def place(self, record: str, pointer: str = "") -> FilePlace | None:
        """The place of a field of a record, or of the nearest part around it that is known."""
        bundle = self.bundle(record)
        origins = self.origins.get(conversation_of(record), Origins())
        if bundle is not None:
            part, rest = _part(bundle, pointer)
            if part:
                return origins.of(part_key(bundle.id, part), rest) or origins.of(record)
        return origins.of(record, pointer)

    def point(self, place: FilePlace | None) -> FilePoint:
        """A place as the report gives it: the nearest one around it that the file has."""
        if place is None:
            return NOWHERE
        document, pointer = self.document(place), place.pointer
        while not _has(document, pointer):
            pointer = pointer.rpartition("/")[0]
        return FilePoint(file=self.relative(place.path, place.line), pointer=pointer)

    def value(self, place: FilePlace) -> Any:
        """What is at a place; None where the file has no such place."""
        return JsonPointer(place.pointer).resolve(self.document(place), None)


def _has(document: Any, pointer: str) -> bool:
    try:
        JsonPointer(pointer).resolve(document)
    except JsonPointerException:
        return False
    return True


def _part(bundle: Bundle, pointer: str) -> tuple[str, str]:
    """The innermost session, round, turn or attachment of a place in a conversation, and the rest.

    `/sessions/2/rounds/4/turns/1/text` is `D3:5.2` and `/text`.
    """
    part: Any = bundle.conversation
    name, rest = "", pointer
    for key in ("sessions", "rounds", "turns", "attachments"):
        head, _, below = rest.removeprefix("/").partition("/")
        at, _, further = below.partition("/")
        if head != key or not at.isdecimal() or int(at) >= len(getattr(part, key)):
            break
        part = getattr(part, key)[int(at)]
        name, rest = part.id, f"/{further}" if further else ""
    return name, rest
