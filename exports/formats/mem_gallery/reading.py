"""Mem-Gallery files read as records; what a file's reader upstream would do is in the findings."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import (
    Reading,
    RoundIds,
    as_object,
    free_id,
    settle_round_id,
    shown,
    well_formed,
)
from memassay.exports.foreign.rules import (
    DATE_UNREADABLE,
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
    RawParts,
)
from memassay.exports.formats.mem_gallery.images import RoundImages, entries_of
from memassay.exports.formats.mem_gallery.questions import QuestionReader
from memassay.exports.formats.mem_gallery.writing import (
    KNOWN_ROUND,
    KNOWN_TOP,
    NAME,
    QUESTIONS,
    layout_of,
    top_json,
)
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import natural_key, record_id, session_id, turn_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
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
from memassay.schemas.records.conversation import Path as SynthesisPath
from memassay.schemas.values.civil_time import is_when

_SIDES = ("user", "assistant")


@dataclass
class ScenarioReader:
    """Reads one scenario; what it cannot make a record of is held out.

    Attributes:
        reading: Takes the findings; knows the conversation's id.
        name: Name of the scenario: the stem of its file.
        folder: Data folder, which holds `dialog` and `image`.
        intake: Makes asset records.
        collection: Name of the format.
        known_top: Keys of the file that are read.
        known_round: Keys of a round that are read.
    """

    collection: ClassVar[str] = NAME
    known_top: ClassVar[frozenset[str]] = KNOWN_TOP
    known_round: ClassVar[frozenset[str]] = KNOWN_ROUND

    reading: Reading
    name: str
    folder: Path
    intake: ImageIntake
    _raw_sessions: dict[str, dict[str, Any]] = field(default_factory=dict)
    _raw_rounds: dict[str, dict[str, Any]] = field(default_factory=dict)
    _rounds: RoundIds = field(default_factory=lambda: RoundIds("round", set()))
    _images: RoundImages = field(init=False)

    def __post_init__(self) -> None:
        """Start without images."""
        self._images = RoundImages(self.intake, self.folder, set())

    def read(self, document: Document) -> Imported:
        """The scenario as records.

        Raises:
            SourceError: A link of its image folder leads out of the data folder.
        """
        raw = document.value
        self.reading.note_document(document, self._owner)
        fix = "Name the sessions so; upstream skips the scenario with a print."
        talk = self._talk(raw, (), fix)
        return self.reading.imported(None if talk is None else self._with_questions(talk, raw))

    def _talk(self, raw: dict[str, Any], parts: Parts, fix: str) -> Conversation | None:
        """The conversation without its questions; a file without sessions is held out whole."""
        if not isinstance(raw.get(SESSIONS), list):
            self.reading.hold(KEY_MISSING, parts, raw, f"a list under '{SESSIONS}'", fix)
            return None
        self._claim(raw[SESSIONS])
        talk = Conversation(
            id=self.reading.conversation,
            collection=self.collection,
            path=SynthesisPath.CURATE,
            title=self.name,
            speakers=[
                self._user(raw.get(PROFILE)),
                Speaker(id="assistant", name="assistant", kind=SpeakerKind.ASSISTANT),
            ],
            sessions=list(self._sessions(raw[SESSIONS])),
        )
        if not talk.sessions:
            self._note(KEY_MISSING, (SESSIONS,), "at least one session", "none", "Write them.")
        self.reading.note_unknown(raw, self.known_top, talk.id)
        return talk

    def _owner(self, parts: Parts) -> str:
        if len(parts) > 1 and parts[0] == QUESTIONS and isinstance(parts[1], int):
            return record_id(self.reading.conversation, f"Q{parts[1] + 1:04d}")
        return self.reading.conversation

    def _claim(self, raw_sessions: list[Any]) -> None:
        """Note every id that the file gives, so that none is given twice."""
        for raw in _objects(raw_sessions):
            for each in _objects(raw.get("dialogues")):
                if isinstance(each.get("round"), str):
                    self._rounds.claimed.add(each["round"])
                images = entries_of(each.get("image_id"))
                self._images.claimed.update(image for image in images if isinstance(image, str))

    def _note(self, rule: Rule, parts: Parts, expected: str, got: str, fix: str) -> None:
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {got}"
        self.reading.note(rule, target, "", message, fix)

    def _user(self, raw: Any) -> Speaker:
        """The user, from the profile; what the profile lacks is reported and left empty."""
        profile = raw if isinstance(raw, dict) else {}
        name, traits = profile.get("name"), profile.get("traits", [])
        texts = {key: profile.get(key) for key in ("persona_summary", "conversation_style")}
        listed = isinstance(traits, list) and all(isinstance(trait, str) for trait in traits)
        strings = all(isinstance(text, str | None) for text in texts.values())
        if not isinstance(name, str) or not name or not listed or not strings:
            self._note(
                PROFILE_INCOMPLETE,
                (PROFILE,),
                "an object of texts with a name and a list of traits",
                shown(raw),
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
            for raw in _objects(raw_sessions)
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
            self._raw_sessions[name] = raw
            self.reading.note_unknown(raw, KNOWN_SESSION, self.reading.conversation)
            yield Session(
                id=name,
                index=len(self._raw_sessions),
                date=self._date(parts, raw),
                rounds=list(self._session_rounds(parts, raw["dialogues"], name)),
            )

    def _session_id(
        self, parts: Parts, raw: dict[str, Any], position: int, claimed: set[Any]
    ) -> str | None:
        written = raw.get("session_id")
        place = well_formed(written)
        if place is not None and place.round is None and place.attachment is None:
            if written not in self._raw_sessions:
                return str(written)
            fix = f"Number it anew; another session has {written}."
            self.reading.hold(ID_REPEATED, parts, raw, "a session_id that no other has", fix)
            return None
        name = free_id(session_id, position, claimed | set(self._raw_sessions))
        self._note(
            ID_MALFORMED,
            (*parts, "session_id"),
            "a session id such as 'D1'",
            shown(written),
            f"Write '{name}', under which it was read.",
        )
        return name

    def _date(self, parts: Parts, raw: dict[str, Any]) -> str | None:
        date = raw.get("date")
        if isinstance(date, str) and is_when(date):
            return date
        self._note(
            DATE_UNREADABLE,
            (*parts, "date"),
            "a date such as '2024-06-17'",
            shown(date),
            "Write the day; upstream shows this text to the model as it is.",
        )
        return None

    def _session_rounds(self, parts: Parts, raw_rounds: list[Any], session: str) -> Iterator[Round]:
        for at, part in enumerate(raw_rounds):
            place: Parts = (*parts, "dialogues", at)
            raw = as_object(self.reading, place, part, "a round")
            if raw is None or not self._speaks(place, raw):
                continue
            name = settle_round_id(self.reading, place, raw, session, at + 1, self._rounds)
            if name is None:
                continue
            self._raw_rounds[name] = raw
            self.reading.note_unknown(raw, self.known_round, self.reading.conversation)
            images = self._attachments(place, raw, session)
            pages = any(image.page is not None for image in images)
            yield Round(
                id=name,
                kind=RoundKind.DOCUMENT if pages else RoundKind.EXCHANGE,
                turns=_turns(raw, name, images),
            )

    def _attachments(self, parts: Parts, raw: dict[str, Any], session: str) -> list[Attachment]:
        """The images of a round."""
        return self._images.of_round(parts, raw, session)

    def _speaks(self, parts: Parts, raw: dict[str, Any]) -> bool:
        """Whether a record can be made of a round; if not it is held out."""
        for side in _SIDES:
            if side not in raw:
                fix = "Write the text, or an empty one."
                self._note(FIELD_MISSING, (*parts, side), "a text", "none", fix)
            elif not isinstance(raw[side], str):
                expected = f"a text under '{side}'"
                self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Write it as a string.")
                return False
        if any(raw.get(side) for side in _SIDES):
            return True
        if raw.get("input_image") or raw.get("image_id"):
            self._note(
                ROUND_WORDLESS, parts, "words beside the image", "none", "Say what is shown."
            )
            return True
        fix = "Write the round or drop it; upstream drops it silently."
        self.reading.hold(ROUND_EMPTY, parts, raw, "a round that says something", fix)
        return False

    def _with_questions(self, talk: Conversation, raw: dict[str, Any]) -> Bundle:
        """The bundle with its questions, and with extras that bring the file back."""
        raw_questions = self._raw_questions(raw)
        reader = QuestionReader(self.intake, self.folder, self._images.assets, talk)
        read = [
            (reader.question((QUESTIONS, at), part), part) for at, part in enumerate(raw_questions)
        ]
        bundle = Bundle(
            conversation=talk,
            assets=sorted(self._images.assets.values(), key=lambda asset: natural_key(asset.id)),
            questions=[item for item, _ in read if item is not None],
        )
        raw_parts = RawParts(
            top={
                key: [] if key == QUESTIONS else raw[key]
                for key in raw
                if not _held_out_as_questions(key, raw[key])
            },
            sessions=self._raw_sessions,
            rounds=self._raw_rounds,
            questions={item.id: part for item, part in read if item is not None},
        )
        return layout_of(bundle).with_extras(bundle, raw_parts, top_json(talk))

    def _raw_questions(self, raw: dict[str, Any]) -> list[Any]:
        found = raw.get(QUESTIONS)
        if isinstance(found, list):
            return found
        fix = f"Name the questions '{QUESTIONS}'; upstream finds none and says nothing."
        if QUESTIONS in raw:
            self.reading.hold(PART_UNREADABLE, (QUESTIONS,), found, "a list of questions", fix)
        misspelt = [key for key in raw if key not in KNOWN_TOP and _looks_like_questions(raw[key])]
        for key in misspelt:
            self.reading.hold(KEY_MISSING, (key,), raw[key], f"the key '{QUESTIONS}'", fix)
        if QUESTIONS not in raw and not misspelt:
            target = self.reading.conversation + pointer(QUESTIONS)
            message = f"{target}: expected a list of questions, got none"
            self.reading.note(KEY_MISSING, target, "", message, fix)
        return []


def _objects(value: Any) -> list[dict[str, Any]]:
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


def _held_out_as_questions(key: str, value: Any) -> bool:
    """Whether a part of the file is with the held-out parts, and so not in extras."""
    if key == QUESTIONS:
        return not isinstance(value, list)
    return key not in KNOWN_TOP and _looks_like_questions(value)


def _looks_like_questions(value: Any) -> bool:
    return isinstance(value, list) and any("question" in each for each in _objects(value))
