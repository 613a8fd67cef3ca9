"""Profile, sessions and rounds as Mem-Gallery and M3Exam write them, read as records."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from memassay.exports.foreign.dated_sessions import ISO_DATE, settle_date
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import (
    Reading,
    RoundIds,
    as_object,
    free_id,
    quote_value,
    settle_round_id,
    well_formed,
)
from memassay.exports.foreign.rules import (
    FIELD_MISSING,
    ID_MALFORMED,
    ID_REPEATED,
    KEY_MISSING,
    PART_UNREADABLE,
    PROFILE_INCOMPLETE,
    ROUND_EMPTY,
    ROUND_WORDLESS,
)
from memassay.exports.foreign.session_layout import (
    KNOWN_PROFILE,
    KNOWN_SESSION,
    PROFILE,
    SESSIONS,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import session_id, turn_id
from memassay.schemas.records.conversation import (
    IMPORTED,
    Attachment,
    Conversation,
    Profile,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)

_SIDES = ("user", "assistant")


@dataclass
class SessionReader:
    """Reads the history of one file; what it cannot make a record of is held out.

    Attributes:
        reading: Takes the findings; knows the conversation's id.
        collection: Name of the format.
        title: Name of the conversation in its data set.
        known_top: Keys at the top of the file that are read.
        known_round: Keys of a round that are read.
        attachments: Makes the attachments of a round, of its place, its object and its session.
        raw_sessions: Sessions as they stood in the file, by the id of their record.
        raw_rounds: Rounds likewise.
    """

    reading: Reading
    collection: str
    title: str
    known_top: frozenset[str]
    known_round: frozenset[str]
    attachments: Callable[[Parts, dict[str, Any], str], list[Attachment]]
    raw_sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    raw_rounds: dict[str, dict[str, Any]] = field(default_factory=dict)
    _rounds: RoundIds = field(default_factory=lambda: RoundIds("round", set()))

    def conversation(self, raw: dict[str, Any], parts: Parts, fix: str) -> Conversation | None:
        """The conversation without its questions; a file without sessions is held out whole.

        Args:
            raw: The file.
            parts: Place of the file in what is read, for a finding about all of it.
            fix: What to do about a file without sessions.
        """
        if not isinstance(raw.get(SESSIONS), list):
            self.reading.hold(KEY_MISSING, parts, raw, f"a list under '{SESSIONS}'", fix)
            return None
        name: dict[str, str | Parts] = {"/speakers/0": (PROFILE, "name")}
        self.reading.trace.note_place(self.reading.conversation, (), name)
        # Every id that the file gives, so that none is given twice.
        for session in objects(raw[SESSIONS]):
            claimed = (each.get("round") for each in objects(session.get("dialogues")))
            self._rounds.claimed.update(each for each in claimed if isinstance(each, str))
        talk = Conversation(
            id=self.reading.conversation,
            collection=self.collection,
            path=IMPORTED,
            title=self.title,
            speakers=[
                self._user(raw.get(PROFILE)),
                Speaker(id="assistant", name="assistant", kind=SpeakerKind.ASSISTANT),
            ],
            sessions=list(self._sessions(raw[SESSIONS])),
        )
        if not talk.sessions:
            self.note(KEY_MISSING, (SESSIONS,), "at least one session", "none", "Write them.")
        self.reading.note_unknown(raw, self.known_top, talk.id)
        return talk

    def note(self, rule: Rule, parts: Parts, expected: str, got: str, fix: str) -> None:
        """Report a defect at a place of the file."""
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {got}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def _user(self, raw: Any) -> Speaker:
        """The user, from the profile; what the profile lacks is reported and left empty."""
        profile = raw if isinstance(raw, dict) else {}
        name, traits = profile.get("name"), profile.get("traits", [])
        texts = {key: profile.get(key) for key in ("persona_summary", "conversation_style")}
        listed = isinstance(traits, list) and all(isinstance(trait, str) for trait in traits)
        strings = all(isinstance(text, str | None) for text in texts.values())
        if not isinstance(name, str) or not name or not listed or not strings:
            self.note(
                PROFILE_INCOMPLETE,
                (PROFILE,),
                "an object of texts with a name and a list of traits",
                quote_value(raw),
                "Name the user; upstream says 'user' without a name.",
            )
        self.reading.note_unknown(profile, KNOWN_PROFILE, self.reading.conversation)
        return Speaker(
            id="user",
            name=name if isinstance(name, str) and name else "user",
            kind=SpeakerKind.HUMAN,
            profile=Profile(
                summary=_text_or_none(texts["persona_summary"]),
                traits=traits if listed else [],
                style=_text_or_none(texts["conversation_style"]),
            )
            if isinstance(raw, dict)
            else None,
        )

    def _sessions(self, raw_sessions: list[Any]) -> Iterator[Session]:
        claimed = {
            raw.get("session_id")
            for raw in objects(raw_sessions)
            if isinstance(raw.get("session_id"), str)
        }
        for at, part in enumerate(raw_sessions):
            parts: Parts = (SESSIONS, at)
            raw = as_object(self.reading, parts, part, "a session")
            if raw is None:
                continue
            if not isinstance(raw.get("dialogues"), list):
                fix = "Name the rounds so."
                self.reading.hold(PART_UNREADABLE, parts, raw, "a list under 'dialogues'", fix)
                continue
            name = self._session_id(parts, raw, at + 1, claimed)
            if name is None:
                continue
            self.raw_sessions[name] = raw
            key = part_key(self.reading.conversation, name)
            self.reading.trace.note_place(key, parts, {"/date": "date", "/id": "session_id"})
            self.reading.note_unknown(raw, KNOWN_SESSION, self.reading.conversation)
            yield Session(
                id=name,
                index=len(self.raw_sessions),
                date=settle_date(self.reading, (*parts, "date"), raw.get("date"), ISO_DATE),
                rounds=list(self._session_rounds(parts, raw["dialogues"], name)),
            )

    def _session_id(
        self, parts: Parts, raw: dict[str, Any], position: int, claimed: set[Any]
    ) -> str | None:
        written = raw.get("session_id")
        place = well_formed(written)
        if place is not None and place.round is None and place.attachment is None:
            if written not in self.raw_sessions:
                return str(written)
            fix = f"Give it another number; another session has {written}."
            self.reading.hold(ID_REPEATED, parts, raw, "a session_id that no other has", fix)
            return None
        name = free_id(session_id, position, claimed | set(self.raw_sessions))
        self.note(
            ID_MALFORMED,
            (*parts, "session_id"),
            "a session id such as 'D1'",
            quote_value(written),
            f"Write '{name}', under which it was read.",
        )
        return name

    def _session_rounds(self, parts: Parts, raw_rounds: list[Any], session: str) -> Iterator[Round]:
        for at, part in enumerate(raw_rounds):
            place: Parts = (*parts, "dialogues", at)
            raw = as_object(self.reading, place, part, "a round")
            if raw is None or not self._speaks(place, raw):
                continue
            name = settle_round_id(self.reading, place, raw, session, at + 1, self._rounds)
            if name is None:
                continue
            self.raw_rounds[name] = raw
            self._trace(place, raw, name)
            self.reading.note_unknown(raw, self.known_round, self.reading.conversation)
            images = self.attachments(place, raw, session)
            pages = any(image.page is not None for image in images)
            yield Round(
                id=name,
                kind=RoundKind.DOCUMENT if pages else RoundKind.EXCHANGE,
                turns=_turns(raw, name, images),
            )

    def _trace(self, parts: Parts, raw: dict[str, Any], name: str) -> None:
        conversation = self.reading.conversation
        self.reading.trace.note_place(part_key(conversation, name), parts, {"/id": "round"})
        for turn in _turns(raw, name, []):
            key = part_key(conversation, turn.id)
            self.reading.trace.note_place(key, parts, {"/text": turn.speaker})

    def _speaks(self, parts: Parts, raw: dict[str, Any]) -> bool:
        """Whether a record can be made of a round; if not it is held out."""
        for side in _SIDES:
            if side not in raw:
                fix = "Write the text, or an empty one."
                self.note(FIELD_MISSING, (*parts, side), "a text", "none", fix)
            elif not isinstance(raw[side], str):
                expected = f"a text under '{side}'"
                self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Write it as a string.")
                return False
        if any(raw.get(side) for side in _SIDES):
            return True
        if raw.get("input_image") or raw.get("image_id"):
            self.note(ROUND_WORDLESS, parts, "words beside the image", "none", "Say what is shown.")
            return True
        fix = "Write the round or drop it; upstream drops it silently."
        self.reading.hold(ROUND_EMPTY, parts, raw, "a round that says something", fix)
        return False


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _turns(raw: dict[str, Any], name: str, attachments: list[Attachment]) -> list[Turn]:
    """A turn for every side that says something; images make one for the user in any case."""
    shows = {"user": attachments, "assistant": []}
    sides = [side for side in _SIDES if raw.get(side) or shows[side]]
    return [
        Turn(id=turn_id(name, at), speaker=side, text=raw.get(side, ""), attachments=shows[side])
        for at, side in enumerate(sides, start=1)
    ]
