"""WorldMemArena's samples read as records; what its loader would pass over is in the findings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, quote_value
from memassay.exports.foreign.rules import (
    FIELD_MISSING,
    ID_MALFORMED,
    ID_REPEATED,
    KEY_MISSING,
    SHAPE,
)
from memassay.exports.formats.worldmemarena.extras import RawParts, with_extras
from memassay.exports.formats.worldmemarena.naming import NAME, SESSION, within_others
from memassay.exports.formats.worldmemarena.points import Placed, PointReader
from memassay.exports.formats.worldmemarena.questions import CheckpointReader
from memassay.exports.formats.worldmemarena.rules import (
    FILE_AT_ROOT,
    FILE_STRAY,
    ID_WITHIN_ANOTHER,
    POINTS_MISPLACED,
    POINTS_REPLACED,
    POINTS_UNREACHED,
    SESSION_NAMELESS,
)
from memassay.exports.formats.worldmemarena.turns import (
    ASSISTANT,
    USER,
    Raw,
    TurnReader,
    objects,
    places_of,
    time_of,
)
from memassay.exports.formats.worldmemarena.writing import (
    CHECKPOINTS,
    DIALOGUE,
    KNOWN_SESSION,
    KNOWN_TOP,
    POINTS,
    S00,
    SESSIONS,
    USER_NAME,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.ids import session_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    IMPORTED,
    Conversation,
    Session,
    SessionArc,
    Speaker,
    SpeakerKind,
)
from memassay.schemas.records.ledger import Fact, Mention

TOPS: Final = ("agent", "lifelong")
"""Folders below the root of the data set."""
_KINDS: Final = {USER: SpeakerKind.HUMAN, ASSISTANT: SpeakerKind.ASSISTANT}
_ARCS: Final = {str(each): each for each in SessionArc}


def _date_of(raw: Raw) -> str | None:
    """The time of the first turn of a session that has one."""
    times = (time_of(each.get("timestamp")) for each in objects(raw.get(DIALOGUE)))
    return next((time for time in times if time), None)


def _domain(folder: Path) -> str | None:
    """The folders of a file from `agent` or `lifelong` on."""
    found = [at for at, part in enumerate(folder.parts) if part in TOPS]
    return "/".join(folder.parts[found[-1] :]) if found else None


def note_at_root(reading: Reading, name: str) -> None:
    """Report a sample that lies beside the folders of samples."""
    target = reading.conversation
    message = f"{target}: expected a folder below the root, got {name} at the root itself"
    fix = "Move it, such as into lifelong/personal; upstream's loader passes over it."
    reading.note(FILE_AT_ROOT, target, "", message, fix)


class SampleReader:
    """Reads one sample; what it cannot make a record of is held out."""

    def __init__(self, reading: Reading, folder: Path, intake: ImageIntake) -> None:
        """Start with nothing read.

        Args:
            reading: Takes the findings; knows the conversation's id.
            folder: Folder of the file; paths of images begin there.
            intake: Makes asset records.
        """
        self.reading, self._folder = reading, folder
        self._turns = TurnReader(reading, folder, intake)
        self._places: dict[tuple[str, Any], Mention] = {}
        self._points = PointReader(reading, self._places)
        self._raw_sessions: dict[str, Raw] = {}
        self._raw_blocks: dict[str, Raw] = {}
        self._at: dict[str, Parts] = {}
        self._sessions: dict[str, str] = {}

    def read(self, document: Document) -> Imported:
        """The sample as records; of a file that is none, a finding."""
        raw = document.value
        self.reading.note_document(document, lambda _: self.reading.conversation)
        if not isinstance(raw, dict) or not isinstance(raw.get(SESSIONS), list):
            stray = not isinstance(raw, dict) or "sample_id" not in raw
            fix = "Move it out of the folders of samples, or write the sample."
            expected = f"a sample with 'sample_id' and '{SESSIONS}'"
            self.reading.hold(FILE_STRAY if stray else KEY_MISSING, (), raw, expected, fix)
            return self.reading.result(None)
        self._note_top(raw)
        sessions = list(self._read_sessions(raw[SESSIONS]))
        if not sessions:
            fix = "Write the sessions."
            self.reading.hold(KEY_MISSING, (SESSIONS,), raw[SESSIONS], "at least one session", fix)
            return self.reading.result(None)
        self._places.update(places_of(sessions, self._turns))
        self._read_points(raw)
        asked = CheckpointReader(
            self.reading, self._sessions, self._fact_by_name(), self._turns.image_of
        )
        for at, part in self._entries(raw, CHECKPOINTS):
            asked.read((CHECKPOINTS, at), part)
        talk = self._talk(sessions, asked, raw.get(USER_NAME))
        bundle = Bundle(
            conversation=talk,
            assets=list(self._turns.assets.values()),
            facts=self._points.facts,
            mentions=self._points.mentions,
            questions=asked.questions,
        )
        self._note_ids()
        parts = RawParts(
            raw,
            self._raw_sessions,
            self._raw_blocks,
            self._turns.raw_turns,
            self._turns.raw_images,
            self._points.raw_points,
            asked.raw_checkpoints,
            asked.raw_questions,
        )
        return self.reading.result(with_extras(bundle, parts))

    def _note_top(self, raw: Raw) -> None:
        target = self.reading.conversation
        if raw.get("sample_id") != target:
            missing = "sample_id" not in raw
            message = (
                f"{target}.sample_id: expected ASCII letters, digits, '.', '_' and '-', "
                f"got {quote_value(raw.get('sample_id'))}"
            )
            fix = f"Write '{target}', under which it was read."
            fix += " Upstream's loader stops without one." if missing else ""
            rule = FILE_STRAY if missing else ID_MALFORMED
            self.reading.note(rule, target, "", message, fix, at=("sample_id",))
        self.reading.note_unknown(raw, KNOWN_TOP, target)
        self.reading.trace.note_place(target, ())

    def _entries(self, raw: Raw, key: str) -> list[tuple[int, Any]]:
        """The entries of a list at the top, with their numbers."""
        found = raw.get(key)
        if isinstance(found, list):
            return list(enumerate(found))
        rule = FIELD_MISSING if found is None else SHAPE
        fix = "Write a list; upstream takes anything else for none, or stops."
        self._turns.note(rule, (key,), "a list", found, fix)
        return []

    def _read_sessions(self, listed: list[Any]) -> Iterator[Session]:
        for at, part in enumerate(listed):
            parts: Parts = (SESSIONS, at)
            raw = as_object(self.reading, parts, part, "a session")
            if raw is None:
                continue
            name = session_id(len(self._raw_sessions) + 1)
            written = raw.get(SESSION)
            if not isinstance(written, str) or not written:
                fix = "Give it an id such as 'S04'; upstream's loader skips it."
                self._turns.note(SESSION_NAMELESS, (*parts, SESSION), "an id", written, fix)
            elif self._sessions.setdefault(written, name) != name:
                fix = "Give it an id of its own; upstream counts its points twice."
                expected = "an id that no other session has"
                self._turns.note(ID_REPEATED, (*parts, SESSION), expected, written, fix)
            self._raw_sessions[name], self._at[name] = raw, parts
            key = part_key(self.reading.conversation, name)
            self.reading.trace.note_place(key, parts, {"/id": SESSION})
            self.reading.note_unknown(raw, KNOWN_SESSION, self.reading.conversation)
            date = _date_of(raw)
            event, arc = raw.get("event_type"), _ARCS.get(str(raw.get("arc_role")))
            yield Session(
                id=name,
                index=len(self._raw_sessions),
                date=date,
                arc=SessionArc.SETUP if written == S00 else arc,
                event_type=event if isinstance(event, str) and event else None,
                rounds=self._turns.rounds((*parts, DIALOGUE), raw.get(DIALOGUE), name, date),
            )

    def _read_points(self, raw: Raw) -> None:
        """The points, by the order of their sessions, which is that of the gold states."""
        placed = [*self._inside(), *self._blocks(raw)]
        order = {name: at for at, name in enumerate(self._raw_sessions)}
        for each in sorted(placed, key=lambda one: order[one.session]):
            self._points.read(each)

    def _inside(self) -> Iterator[Placed]:
        """Points inside their session, where upstream looks for those of S00 alone."""
        for name, raw in self._raw_sessions.items():
            points = raw.get(POINTS)
            if points is None:
                continue
            parts: Parts = (*self._at[name], POINTS)
            if raw.get(SESSION) != S00:
                fix = f"Move them into '{POINTS}' at the top, where they are written again."
                expected = "points of a session other than S00 at the top"
                self._turns.note(POINTS_MISPLACED, parts, expected, points, fix)
            yield from self._of_list(parts, points, name)

    def _blocks(self, raw: Raw) -> Iterator[Placed]:
        seen: set[str] = set()
        for at, part in self._entries(raw, POINTS):
            parts: Parts = (POINTS, at)
            block = as_object(self.reading, parts, part, "a block of points")
            if block is None:
                continue
            written = str(block.get("session_id"))
            name = self._sessions.get(written)
            if name is None:
                fix = "Name a session of the sample."
                expected = "the points of a session that exists"
                self.reading.hold(POINTS_UNREACHED, parts, block, expected, fix)
                continue
            if written == S00:
                fix = "Move them into the session, where they are written again."
                expected = "the points of S00 inside the session"
                self._turns.note(POINTS_MISPLACED, parts, expected, block, fix)
            elif written in seen:
                fix = "Write one block, as they are written again."
                expected = f"one block of {written}"
                self._turns.note(POINTS_REPLACED, parts, expected, block, fix)
            seen.add(written)
            beside = {key: block[key] for key in block if key not in ("session_id", POINTS)}
            self._raw_blocks[name] = self._raw_blocks.get(name, {}) | beside
            yield from self._of_list((*parts, POINTS), block.get(POINTS), name)

    def _of_list(self, parts: Parts, points: Any, session: str) -> Iterator[Placed]:
        if not isinstance(points, list):
            fix = "Write a list; upstream reads anything else as none."
            self._turns.note(SHAPE, parts, "a list of points", points, fix)
            return
        for at, point in enumerate(points):
            yield Placed((*parts, at), point, session)

    def _fact_by_name(self) -> Mapping[str, Fact]:
        facts = {fact.id: fact for fact in self._points.facts}
        known = self._points.fact_of.items()
        return {written: facts[name] for written, name in known if name in facts}

    def _talk(self, sessions: list[Session], asked: CheckpointReader, user: Any) -> Conversation:
        names = {USER: user} if isinstance(user, str) and user else {}
        roles = dict.fromkeys([USER, ASSISTANT, *self._turns.roles])
        return Conversation(
            id=self.reading.conversation,
            collection=NAME,
            path=IMPORTED,
            title=self.reading.conversation,
            domain=_domain(self._folder),
            speakers=[
                Speaker(
                    id=role,
                    name=names.get(role, role),
                    kind=_KINDS.get(role, SpeakerKind.ENVIRONMENT),
                )
                for role in roles
            ],
            sessions=sessions,
            checkpoints=asked.checkpoints,
        )

    def _note_ids(self) -> None:
        names = [*self._points.fact_of, *self._turns.image_of]
        target = self.reading.conversation
        for name, other in within_others(names):
            message = (
                f"{target}: expected ids of which none is part of another, got {name}, {other}"
            )
            fix = "Pad the numbers with zeros to one width."
            self.reading.note(ID_WITHIN_ANOTHER, target, "", message, fix)
