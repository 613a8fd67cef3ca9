"""What every importer needs: findings and held-out parts, evidence ids, and lossless extras."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from pydantic import JsonValue

from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.rules import (
    EVIDENCE_MALFORMED,
    EVIDENCE_NOT_A_ROUND,
    ID_MALFORMED,
    ID_REPEATED,
    KEY_REPEATED,
    KEY_UNKNOWN,
    PART_UNREADABLE,
    SHAPE,
    TEXT_BROKEN,
)
from memassay.exports.foreign.tracing import Trace
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import Place, parse_place, round_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle

AS_READ: Final = "as_read"
"""Key in the extras of a format: by field, how our writing (`ours`) differs from the file's."""

_LOOSE_PLACE: Final = re.compile(r"D([0-9]{1,6}):([0-9]{1,6})")
_LONGEST_ID: Final = 60


def quote_value(value: Any) -> str:
    """A JSON value as a message quotes it: on one line, cut after 60 characters."""
    text = value if isinstance(value, str) else canonical_json(value)
    text = " ".join(text.split())
    return f"'{text}'" if len(text) <= 60 else f"'{text[:57]}...'"


class Reading:
    """Collects what the reading of one conversation brings to light.

    Attributes:
        conversation: Id of the conversation.
    """

    def __init__(self, conversation: str, trace: Trace) -> None:
        """Start without findings; `trace` keeps where everything stood."""
        self.conversation, self.trace = conversation, trace
        self._findings: dict[str, Finding] = {}
        self._held_out: list[HeldOut] = []

    def note(
        self,
        rule: Rule,
        target: str,
        place: str,
        message: str,
        fix: str,
        *,
        at: Parts | None = None,
        instead: Sequence[JsonValue] | None = None,
    ) -> None:
        """Report a defect of a record; the message continues `<record id>.<field>`.

        Args:
            rule: What it breaks.
            target: Id of the record.
            place: JSON Pointer inside the record.
            message: What is there and what was expected.
            fix: What the owner of the file can do.
            at: Its place in the file, if the record alone does not say it.
            instead: What should stand there: none if it should go, several in a list.
        """
        finding = rule.finding(target, place, message, fix)
        if self._findings.setdefault(finding.id, finding) is finding:
            self.trace.note_finding(finding, at, instead)

    def hold(
        self,
        rule: Rule,
        parts: Parts,
        raw: Any,
        expected: str,
        fix: str,
        owner: str | None = None,
        base: Parts = (),
    ) -> None:
        """Keep a part of the file of which no record can be made, with its reason.

        Args:
            rule: What it breaks.
            parts: Its place in the file.
            raw: Its JSON.
            expected: What was expected of it, as in `expected X, got 'Y'`.
            fix: What its owner can do.
            owner: Record that suffers from it; None if no record does.
            base: What names the file, if it is not the conversation's own.
        """
        target = self.conversation + pointer(*parts)
        message = f"{target}: expected {expected}, got {quote_value(raw)}"
        self.note(rule, owner or target, "", message, fix, at=(*base, *parts))
        content = canonical_json(raw)
        self._held_out.append(
            HeldOut(
                id=f"held-out-{content_hash([target, rule.id, content])[:16]}",
                record=target,
                kind="raw",
                stage="import",
                status="quarantined",
                reasons=[rule.id],
                messages=[message],
                content=content,
            )
        )

    def note_document(
        self, document: Document, owner: Callable[[Parts], str], base: Parts = ()
    ) -> None:
        """Report repeated keys and broken texts of a file, each about the record it belongs to.

        Args:
            document: The file.
            owner: The record that a place of it belongs to.
            base: What names the file, if it is not the conversation's own.
        """
        for found in document.repetitions:
            parts = (*found.parts, found.key)
            self.hold(
                KEY_REPEATED,
                parts,
                found.dropped,
                "a key that is there once",
                "Keep one of the values; the last one was read.",
                owner(parts),
                base,
            )
        for parts in document.broken:
            target = owner(parts)
            self.note(
                TEXT_BROKEN,
                target,
                "",
                f"{target}: expected whole characters at {pointer(*parts)}, got half a surrogate "
                "pair, read as U+FFFD",
                "Write the character whole.",
                at=(*base, *parts),
            )

    def note_unknown(self, raw: Mapping[str, Any], known: Collection[str], target: str) -> None:
        """Report keys that the format does not have."""
        for key in raw:
            if key not in known:
                self.note(
                    KEY_UNKNOWN,
                    target,
                    "",
                    f"{target}: expected the keys of the format, got also {quote_value(key)}",
                    "Nothing, if it is meant; it is kept in extras.",
                )

    def result(self, bundle: Bundle | None) -> Imported:
        """The result of the reading."""
        findings, held_out = tuple(self._findings.values()), tuple(self._held_out)
        return Imported(bundle, findings, held_out, self.trace.origins())


def as_object(reading: Reading, parts: Parts, raw: Any, what: str) -> dict[str, Any] | None:
    """The raw part if it is a JSON object; otherwise it is held out and None is given."""
    if isinstance(raw, dict):
        return raw
    reading.hold(PART_UNREADABLE, parts, raw, f"an object ({what})", f"Write {what} as an object.")
    return None


@dataclass
class RoundIds:
    """The round ids of one conversation.

    Attributes:
        key: Key under which the file gives them.
        claimed: Every id that the file gives to a round somewhere.
        used: Those given to records so far.
    """

    key: str
    claimed: set[str]
    used: set[str] = field(default_factory=set)


def well_formed(text: Any) -> Place | None:
    """A place id as parsed; None for everything else, ids of absurd length included."""
    return parse_place(text) if isinstance(text, str) and len(text) <= _LONGEST_ID else None


def rounds_in(text: str) -> list[str]:
    """The round ids that can be read in a text, without padding, in its order."""
    pairs = [(int(left), int(right)) for left, right in _LOOSE_PLACE.findall(text)]
    return [f"D{left}:{right}" for left, right in pairs if left and right]


def free_id(make: Callable[[int], str], start: int, taken: Collection[str]) -> str:
    """The first id from a number on that nothing else has or claims."""
    return next(name for name in map(make, count(start)) if name not in taken)


def settle_round_id(
    reading: Reading, parts: Parts, raw: Any, session: str, position: int, rounds: RoundIds
) -> str | None:
    """The id of a round (or LoCoMo turn) as its file gives it, or by position if that is none.

    Args:
        reading: Takes the findings.
        parts: Place of the round in the file.
        raw: The round as it is in the file.
        session: Id of its session.
        position: 1-based position in its session.
        rounds: The ids of the conversation; the one given is noted there.

    Returns:
        The id, or None if another round has it: then the round is held out.
    """
    written = raw.get(rounds.key)
    place = well_formed(written)
    if place is not None and place.turn is None and place.round and place.session == session:
        if written in rounds.used:
            expected = f"a {rounds.key} that no other has"
            reading.hold(
                ID_REPEATED, parts, raw, expected, f"Give it another number; it has {written}."
            )
            return None
        settled = str(written)
    else:
        taken = rounds.used | rounds.claimed
        readable = rounds_in(written) if isinstance(written, str) else []
        fitting = [name for name in readable if name.startswith(f"{session}:")]
        if len(fitting) == 1 and fitting[0] not in taken:
            settled = fitting[0]
        else:
            settled = free_id(lambda number: round_id(session, number), position, taken)
        reading.note(
            ID_MALFORMED,
            reading.conversation,
            "",
            f"{reading.conversation}{pointer(*parts, rounds.key)}: expected an id of session "
            f"{session} such as '{round_id(session, position)}', got {quote_value(written)}",
            f"Write '{settled}', under which it was read.",
            at=(*parts, rounds.key),
            instead=[settled] if rounds.key in raw else None,
        )
    rounds.used.add(settled)
    return settled


def evidence_places(reading: Reading, target: str, field: Parts, raw: Any) -> list[str]:
    """The places that an evidence list names; malformed entries give what is readable in them.

    Args:
        reading: Takes the findings.
        target: Id of the question.
        field: Place of the list in the file; its last part is the list's name.
        raw: The list as it is in the file; None if it is absent.
    """
    if raw is None:
        return []
    if not isinstance(raw, list):
        reading.note(
            SHAPE,
            target,
            "/evidence",
            f"{target}.{field[-1]}: expected a list of round ids, got {quote_value(raw)}",
            "Write a list; upstream reads a string as a list of its characters.",
        )
        raw = [raw] if isinstance(raw, str) else []
    places: list[str] = []
    for at, entry in enumerate(raw):
        for place in _entry_places(reading, target, (*field, at), entry):
            listed = ("groups", "canonical")
            inside = {f"/evidence/{each}/{len(places)}": (*field, at) for each in listed}
            reading.trace.note_place(target, (), inside)
            places.append(place)
    return places


def _entry_places(reading: Reading, target: str, parts: Parts, entry: Any) -> Iterable[str]:
    place, name = well_formed(entry), parts[-2]
    if place is None:
        found = rounds_in(entry) if isinstance(entry, str) else []
        reading.note(
            EVIDENCE_MALFORMED,
            target,
            "/evidence",
            f"{target}.{name}: expected one round id, written D<session>:<round>, "
            f"got {quote_value(entry)}",
            f"Write {', '.join(map(repr, found))}, each as an entry of its own."
            if found
            else "Look the round up; no id can be read in it.",
            at=parts,
            instead=found or None,
        )
        return found
    if place.round is None or place.turn is not None:
        reading.note(
            EVIDENCE_NOT_A_ROUND,
            target,
            "/evidence",
            f"{target}.{name}: expected a round id, written D<session>:<round>, "
            f"got {quote_value(entry)}",
            "Write the round that holds it.",
            at=parts,
        )
    return [entry]


def entries_of(value: Any) -> list[Any]:
    """A list as it is, nothing as no entries, anything else as its only entry."""
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def same_json(left: Any, right: Any) -> bool:
    """Whether two JSON values are one: `1`, `1.0` and `true` are three, order of keys is none."""
    return canonical_json(left) == canonical_json(right)


def own_extras(extras: Mapping[str, Any], name: str) -> dict[str, Any]:
    """What the extras of a record keep of a file of one format."""
    own = extras.get(name, {})
    return own if isinstance(own, dict) else {}


def extras_for(
    raw: Mapping[str, Any], ours: Mapping[str, Any], known: Collection[str]
) -> dict[str, Any]:
    """What extras must hold so that `restored` gives the raw object back from our writing of it.

    Args:
        raw: The object as it is in the file.
        ours: The object as we write it from the record.
        known: Keys that the format has; others are kept under their own name.
    """
    extras = {key: raw[key] for key in raw if key not in known and key != AS_READ}
    differing: dict[str, Any] = {}
    for key in [*ours, *(key for key in raw if key not in ours and key not in extras)]:
        if key in raw and key in ours and same_json(raw[key], ours[key]):
            continue
        sides = {"ours": ours, "theirs": raw}
        differing[key] = {name: side[key] for name, side in sides.items() if key in side}
    return {**extras, **({AS_READ: differing} if differing else {})}


def restore(
    ours: Mapping[str, Any], extras: Mapping[str, Any], known: Collection[str]
) -> dict[str, Any]:
    """The object as it stood in the file, as far as the record was not changed since.

    Args:
        ours: The object as we write it from the record.
        extras: What `kept` gave when the record was made.
        known: Keys that the format has.
    """
    whole = {**ours, **{key: extras[key] for key in extras if key not in {*known, AS_READ}}}
    for key, sides in extras.get(AS_READ, {}).items():
        unchanged = same_json(ours[key], sides["ours"]) if key in ours and "ours" in sides else None
        if unchanged is False or (unchanged is None and (key in ours or "ours" in sides)):
            continue
        if "theirs" in sides:
            whole[key] = sides["theirs"]
        else:
            del whole[key]
    return whole
