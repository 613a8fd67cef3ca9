"""What would mend a foreign file: JSON Patch (RFC 6902), every old value tested first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from jsonpointer import JsonPointer
from pydantic import JsonValue

from memassay.exports.errata.audited import Audited
from memassay.schemas.contracts.origins import FilePlace
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.errata import FilePatch
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import PatchOperation, PatchStep


@dataclass(frozen=True)
class Change:
    """Other values at a place of a file.

    Attributes:
        place: The place.
        old: What is there.
        new: What should: nothing if the place is to go, several for entries of a list.
    """

    place: FilePlace
    old: JsonValue
    new: tuple[JsonValue, ...]


def change_of(audited: Audited, finding: Finding) -> Change | None:
    """What would mend a finding; None if nobody but a person can say.

    An importer says it of a place in the file, a rule of a place in a record: then the file
    must hold there just what the record holds.
    """
    instead, place = audited.instead(finding), audited.place_of(finding)
    if instead is not None and place is not None:
        return Change(place, audited.value(place), instead)
    rule = audited.rules.get(finding.rule)
    bundle = audited.bundle(conversation_of(finding.target))
    said = rule.mend(bundle, finding) if rule is not None and rule.mend and bundle else None
    if said is None:
        return None
    place = audited.place(finding.target, said.pointer)
    if place is None:
        return None
    old = audited.value(place)
    same = said.old is None or said.old == old
    return Change(place, old, said.new) if same else None


def patches(audited: Audited, changes: Iterable[Change]) -> list[FilePatch]:
    """Changes as a patch for each file; of two for one place the first counts."""
    by_file: dict[str, dict[str, Change]] = {}
    for change in changes:
        name = audited.relative(change.place.path, change.place.line)
        by_file.setdefault(name, {}).setdefault(change.place.pointer, change)
    return sorted(
        (FilePatch(file=name, operations=_operations(own)) for name, own in by_file.items()),
        key=lambda patch: natural_key(patch.file),
    )


def _operations(changes: dict[str, Change]) -> list[PatchStep]:
    """The last places of a file first, so that no change moves the place of another one."""
    gone = [pointer for pointer, change in changes.items() if not change.new]
    kept = [
        change
        for pointer, change in changes.items()
        if not any(pointer.startswith(f"{above}/") for above in gone)
    ]
    kept.sort(key=lambda change: _position(change.place.pointer), reverse=True)
    return [step for change in kept for step in _steps(change)]


def _position(pointer: str) -> tuple[Any, ...]:
    return tuple(natural_key(part) for part in JsonPointer(pointer).parts)


def _steps(change: Change) -> list[PatchStep]:
    pointer, new = change.place.pointer, change.new
    test = PatchStep(op=PatchOperation.TEST, path=pointer, value=change.old)
    if not new:
        return [test, PatchStep(op=PatchOperation.REMOVE, path=pointer)]
    steps = [test, PatchStep(op=PatchOperation.REPLACE, path=pointer, value=new[0])]
    if len(new) > 1:
        list_, _, at = pointer.rpartition("/")
        steps += _add_entries(list_, int(at) + 1, new[1:])
    return steps


def _add_entries(list_: str, start: int, entries: Sequence[JsonValue]) -> list[PatchStep]:
    return [
        PatchStep(op=PatchOperation.ADD, path=f"{list_}/{at}", value=entry)
        for at, entry in enumerate(entries, start=start)
    ]
