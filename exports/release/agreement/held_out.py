"""What is held out of a release, compared with what was found and made."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from memassay.exports.release import rules
from memassay.exports.release.agreement.known import EDITS, Known
from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut, ReasonCode
from memassay.schemas.kinds import DATA_KINDS

ASKED: Final = ("error", "edit", "warning", "drawn", "policy", "decided")
"""Why a gate asks about a record where no finding says it."""
_STATUS: Final = ("pending", "quarantined", "rejected")
_REPAIR: Final = "write the release again from its records"


class _Said(NamedTuple):
    """What the rest of a release says of what is held out.

    Attributes:
        noted: Its findings by conversation.
        made: Content hashes that provenance names; None where people changed records.
        known: The names there are.
    """

    noted: Mapping[str, Sequence[Finding]]
    made: Collection[str] | None
    known: Known


def held_out_agrees(records: Mapping[str, Sequence[Record]], known: Known) -> Iterator[Finding]:
    """Findings about what a release that stages made says it holds out.

    Args:
        records: Its records by kind.
        known: The names that it may use.
    """
    noted: dict[str, list[Finding]] = {}
    for each in records.get("finding", ()):
        if isinstance(each, Finding):
            noted.setdefault(conversation_of(each.target), []).append(each)
    traced = [each for each in records.get("provenance", ()) if isinstance(each, Provenance)]
    edited = any(each.id.endswith(EDITS) for each in traced)
    made = None if edited else {sha256 for each in traced for sha256 in each.made}
    said = _Said(noted, made, known)
    for held in records.get("held_out", ()):
        if isinstance(held, HeldOut):
            for field, expected, got in _differences(held, said):
                message = f"{held.id}.{field}: expected {expected}, got '{got}'"
                yield rules.HELD_OUT.finding(held.id, pointer(field), message, _REPAIR)


def _differences(held: HeldOut, said: _Said) -> Iterator[tuple[str, str, object]]:
    """Field, what was expected, what is there."""
    if held.id != (wanted := _id_of(held)):
        yield "id", wanted, held.id
    stages = said.known.stages
    if stages is not None and held.stage not in stages:
        yield "stage", f"one of {', '.join(sorted(stages))}", held.stage
    if held.status not in _STATUS:
        yield "status", f"one of {', '.join(_STATUS)}", held.status
    elif (held.status == "rejected") != (held.reasons[0] in {*ReasonCode}):
        yield "status", f"one for the reasons {', '.join(held.reasons)}", held.status
    yield from _content(held, said.made)
    if held.kind != "edit":
        yield from _reasons(held, said)


def _id_of(held: HeldOut) -> str:
    """The id that follows from the rest; a raw source counts by its place, reason and content."""
    if held.kind == "raw":
        body = [held.record, held.reasons[0], held.content]
        return f"held-out-{content_hash(body)[:16]}"
    name = _document(held).get("id") if held.kind == "edit" else held.record
    return f"held-{held.stage}-{held.kind}-{name}"


def _content(held: HeldOut, made: Collection[str] | None) -> Iterator[tuple[str, str, object]]:
    """The record itself: as it would be released, and made by a stage."""
    document = _document(held)
    if held.kind == "raw":
        return
    named = document.get("target" if held.kind == "edit" else "id")
    if named != held.record:
        yield "content", f"JSON of {held.record}", named or held.content[:40]
    elif canonical_json(document) != held.content:
        yield "content", "the record as releases write it", f"{held.content[:40]}…"
    elif held.kind in DATA_KINDS and made is not None and content_hash(document) not in made:
        yield "content", "a record that provenance names", f"other content of {held.record}"


def _reasons(held: HeldOut, said: _Said) -> Iterator[tuple[str, str, object]]:
    """The findings it rests on are listed, all of them, and nothing else is a reason."""
    noted = said.noted.get(conversation_of(held.record), ())
    own = [each for each in noted if each.message in held.messages]
    missing = {*held.messages} - {each.message for each in own}
    # What people edited is told where they work, not in the list of a release.
    told = [each for each in held.reasons if each.startswith("edit.")]
    if missing and not told:
        yield "messages", "what findings of the release say", sorted(missing)[0]
    rules_said = {each.rule for each in own}
    for reason in held.reasons:
        plain = reason in ASKED or reason in {*ReasonCode}
        if not plain and reason not in rules_said and reason not in told:
            yield "reasons", "rules that found something in it, or reasons of gates", reason
    for rule in sorted(rules_said - {*held.reasons}):
        yield "reasons", f"{rule} among them", ", ".join(held.reasons)
    checking = said.known.checking.get(held.stage, ())
    for each in noted:
        if each.target == held.record and each.rule in checking and each not in own:
            yield "messages", f"{each.message!r} among them", f"{len(held.messages)} others"
    errors = any(each.severity is Severity.ERROR for each in own)
    if held.status == "quarantined" and held.kind != "raw" and not errors:
        yield "status", "pending, as no error was found in it", held.status


def _document(held: HeldOut) -> dict[str, Any]:
    """What is held out, decoded; empty where it is no JSON object."""
    try:
        document = json.loads(held.content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
