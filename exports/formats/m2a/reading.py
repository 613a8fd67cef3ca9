"""M2A samples read as records; what upstream's code would do is in the findings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.dated_sessions import LOCOMO_TIME, settle_date
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, entries_of, extras_for, quote_value
from memassay.exports.foreign.rules import (
    ID_MALFORMED,
    IMAGES_SEVERAL,
    KEY_MISSING,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.m2a.concepts import concepts_of
from memassay.exports.formats.m2a.places import dialogue_id, dialogue_ids, session_number
from memassay.exports.formats.m2a.questions import QuestionReader, question_id
from memassay.exports.formats.m2a.rules import (
    SESSION_UNREAD,
    SESSIONS_ALIKE,
    SESSIONS_MISCOUNTED,
    SPEAKER_NUMBER,
)
from memassay.exports.formats.m2a.writing import (
    KNOWN_QUESTION,
    KNOWN_TALK,
    KNOWN_TOP,
    KNOWN_TURN,
    NAME,
    SESSIONS,
    is_path,
    question_json,
    session_key,
    talk_json,
    turn_json,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import (
    attachment_id,
    natural_key,
    record_id,
    round_id,
    session_id,
    turn_id,
)
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    IMPORTED,
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)

_SESSION: Final = re.compile(r"session_(0|[1-9][0-9]{0,5})")
_CAPTIONS: Final = re.compile(r"(?:(?:^|\n)\[image: [^\n]*\])+$")
_CAPTION: Final = re.compile(r"\[image: ([^\n]*)\]")
_TURN_FIELDS: Final = {"/id": "dia_id", "/speaker": "speaker", "/text": "text"}
"""By place in a turn of ours, its key in theirs."""
_SPEAKERS: Final = ("speaker_0", "speaker_1")


@dataclass
class SampleReader:
    """Reads one sample; what it cannot make a record of is held out.

    Attributes:
        intake: Makes asset records; takes the findings.
        folder: Folder of the file, which the paths of images start from.
    """

    intake: ImageIntake
    folder: Path
    _assets: dict[str, Asset] = field(default_factory=dict)
    _asset_of: dict[str, str] = field(default_factory=dict)
    _raw_turns: dict[str, dict[str, Any]] = field(default_factory=dict)
    _places: dict[str, str] = field(default_factory=dict)
    _held_keys: set[str] = field(default_factory=set)

    @property
    def _reading(self) -> Reading:
        return self.intake.reading

    def read(self, document: Document) -> Imported:
        """The sample as records."""
        self._reading.note_document(document, self._owner)
        raw = as_object(self._reading, (), document.value, "a sample")
        if raw is None:
            return self._reading.result(None)
        if not isinstance(raw.get("conversation"), dict):
            fix = "Name the dialogue so."
            self._reading.hold(KEY_MISSING, (), raw, "an object under 'conversation'", fix)
            return self._reading.result(None)
        talk = self._conversation(raw["conversation"])
        self._reading.note_unknown(raw, KNOWN_TOP, talk.id)
        return self._reading.result(self._with_questions(talk, raw))

    def _owner(self, parts: Parts) -> str:
        if len(parts) > 1 and parts[0] == "qa" and isinstance(parts[1], int):
            return question_id(self._reading.conversation, parts[1])
        return self._reading.conversation

    def _note(self, rule: Rule, parts: Parts, expected: str, got: str, fix: str) -> None:
        target = self._reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {got}"
        self._reading.note(rule, target, "", message, fix)

    def _conversation(self, raw: dict[str, Any]) -> Conversation:
        fields = {f"/speakers/{at}": key for at, key in enumerate(_SPEAKERS)}
        self._reading.trace.note_place(self._reading.conversation, ())
        self._reading.trace.note_place(self._reading.conversation, ("conversation",), fields)
        keys = self._session_keys(raw)
        self._note_numbers(raw, list(keys))
        names = [raw.get(key) for key in _SPEAKERS]
        for key, name in zip(_SPEAKERS, names, strict=True):
            if not isinstance(name, str) or not name:
                self._note(SHAPE, ("conversation", key), "a name", quote_value(name), "Name both.")
        sessions = [
            self._session(raw, key, number, index)
            for index, (number, key) in enumerate(keys.items(), start=1)
        ]
        self._note_minutes(sessions)
        return Conversation(
            id=self._reading.conversation,
            collection=NAME,
            path=IMPORTED,
            speakers=[
                Speaker(id=key, name=name if isinstance(name, str) else "", kind=SpeakerKind.HUMAN)
                for key, name in zip(_SPEAKERS, names, strict=True)
            ],
            sessions=sessions,
        )

    def _note_minutes(self, sessions: list[Session]) -> None:
        first: dict[str, str] = {}
        for session in sessions:
            key = session_key(session)
            other = first.setdefault(session.date, key) if session.date is not None else key
            if other != key:
                place = ("conversation", f"{key}_date_time")
                fix = "Move one of them by a minute."
                self._note(SESSIONS_ALIKE, place, f"another minute than {other}", "the same", fix)

    def _session_keys(self, raw: dict[str, Any]) -> dict[int, str]:
        """Keys of the sessions by number; what is no list of turns is held out."""
        keys: dict[int, str] = {}
        for key, value in raw.items():
            if not key.startswith("session_") or key.endswith("_date_time"):
                continue
            found = _SESSION.fullmatch(key)
            if found is None or not isinstance(value, list):
                expected = "a list of turns under 'session_<number>'"
                parts: Parts = ("conversation", key)
                self._reading.hold(PART_UNREADABLE, parts, value, expected, "Rename it.")
                self._held_keys.add(key)
                continue
            keys[int(found[1])] = key
        return dict(sorted(keys.items()))

    def _note_numbers(self, raw: dict[str, Any], numbers: list[int]) -> None:
        if not numbers:
            self._note(KEY_MISSING, ("conversation",), "at least 'session_0'", "none", "Add it.")
        gap = next((at for at in range(len(numbers)) if numbers[at] != at), None)
        if gap is not None:
            self._note(
                SESSION_UNREAD,
                ("conversation", f"session_{numbers[gap]}"),
                f"'session_{gap}' before it",
                "none",
                f"Number the sessions from 0; upstream reads {gap} of {len(numbers)}, silently.",
            )
        if raw.get("n_session") != len(numbers):
            place = ("conversation", "n_session")
            got = quote_value(raw.get("n_session"))
            self._note(SESSIONS_MISCOUNTED, place, str(len(numbers)), got, "Correct it.")

    def _session(self, raw: dict[str, Any], key: str, number: int, index: int) -> Session:
        written = raw.get(f"{key}_date_time")
        place = ("conversation", f"{key}_date_time")
        date = settle_date(self._reading, place, written, LOCOMO_TIME)
        name = session_id(number + 1)
        own = part_key(self._reading.conversation, name)
        self._reading.trace.note_place(own, ("conversation", key), None)
        self._reading.trace.note_place(own, ("conversation",), {"/date": f"{key}_date_time"})
        rounds = list(self._rounds(raw[key], key, name))
        return Session(id=name, index=index, date=date, rounds=rounds)

    def _rounds(self, turns: list[Any], key: str, session: str) -> Iterator[Round]:
        so_far = 0
        for at, part in enumerate(turns):
            parts: Parts = ("conversation", key, at)
            raw = as_object(self._reading, parts, part, "a turn")
            if raw is None:
                continue
            if not isinstance(raw.get("text"), str):
                expected = "a text under 'text'"
                self._reading.hold(PART_UNREADABLE, parts, raw, expected, "Write it as a string.")
                continue
            name = round_id(session, at + 1)
            self._note_id(parts, raw, name)
            text, captions = _split_captions(raw["text"])
            images = self._images(parts, raw, captions, session, so_far)
            so_far += len(images)
            turn = Turn(
                id=turn_id(name, 1),
                speaker=_SPEAKERS[self._speaker(parts, raw.get("speaker"))],
                text=text,
                attachments=images,
            )
            self._raw_turns[turn.id] = raw
            for place in (name, turn.id):
                own = part_key(self._reading.conversation, place)
                self._reading.trace.note_place(own, parts, _TURN_FIELDS)
            self._reading.note_unknown(raw, KNOWN_TURN, self._reading.conversation)
            yield Round(id=name, kind=RoundKind.UTTERANCE, turns=[turn])

    def _note_id(self, parts: Parts, raw: dict[str, Any], name: str) -> None:
        session, _, turn = name.partition(":")
        right, written = dialogue_id(session_number(session), int(turn) - 1), raw.get("dia_id")
        if written != right:
            place = (*parts, "dia_id")
            self._note(
                ID_MALFORMED, place, f"'{right}' by its place", quote_value(written), "Write it."
            )
        if isinstance(written, str):
            self._places.setdefault(written, name)

    def _speaker(self, parts: Parts, written: Any) -> int:
        if written in (0, 1) and not isinstance(written, bool | float):
            return int(written)
        place = (*parts, "speaker")
        self._note(
            SPEAKER_NUMBER, place, "0 or 1", quote_value(written), "Write the number; read as 0."
        )
        return 0

    def _images(
        self, parts: Parts, raw: dict[str, Any], captions: list[str], session: str, before: int
    ) -> list[Attachment]:
        """The images of a turn: its files, then those for which captions stand in."""
        written = raw.get("images", [])
        paths = [path for path in entries_of(written) if isinstance(path, str)]
        if not isinstance(written, list) or len(paths) < len(written):
            self._note(
                SHAPE, (*parts, "images"), "a list of paths", quote_value(written), "Write one."
            )
        if len(paths) > 1:
            got, fix = str(len(paths)), "Split the turn; a model is shown the first image only."
            self._note(IMAGES_SEVERAL, parts, "one image a turn", got, fix)
        images = []
        for at, path in enumerate([*paths, *captions], start=1):
            name = attachment_id(session, before + at)
            caption = path if at > len(paths) else None
            asset = self.asset(name, None if caption else path, caption)
            for record in (asset, part_key(self._reading.conversation, name)):
                where = (*parts, "text") if caption else (*parts, "images", at - 1)
                self._reading.trace.note_place(record, where)
            images.append(Attachment(id=name, asset=asset, caption=caption))
        return images

    def asset(self, local: str, path: str | None, caption: str | None) -> str:
        """Id of the asset of a path, or of an image that has a caption alone."""
        if path is not None and path in self._asset_of:
            return self._asset_of[path]
        name = record_id(self._reading.conversation, local)
        place = path if path is not None and is_path(path) else None
        self._assets[name] = self.intake.from_place(name, path, place, self.folder, caption)
        if path is not None:
            self._asset_of[path] = name
        return name

    def _with_questions(self, talk: Conversation, raw: dict[str, Any]) -> Bundle:
        """The bundle with its questions, and with extras that bring the sample back."""
        written = raw.get("qa")
        if "qa" not in raw:
            self._note(KEY_MISSING, ("qa",), "a list of questions", "none", "Name them so.")
        elif not isinstance(written, list):
            expected = "a list of questions"
            self._reading.hold(PART_UNREADABLE, ("qa",), written, expected, "Write a list.")
        reader = QuestionReader(self._reading, self._places, self.asset)
        read = [
            (reader.question(at, part), part)
            for at, part in enumerate(written if isinstance(written, list) else [])
        ]
        bundle = Bundle(
            conversation=talk,
            assets=sorted(self._assets.values(), key=lambda asset: natural_key(asset.id)),
            questions=[item for item, _ in read if item is not None],
        )
        ids = dialogue_ids(talk)
        questions = [
            item.model_copy(
                update=SESSIONS.extras(
                    extras_for(part, question_json(bundle, item, ids), KNOWN_QUESTION)
                )
            )
            for item, part in read
            if item is not None
        ]
        talk = self._with_extras(bundle, raw, ids)
        whole = bundle.model_copy(update={"conversation": talk, "questions": questions})
        return whole.model_copy(update={"concepts": concepts_of(whole)})

    def _with_extras(
        self, bundle: Bundle, raw: dict[str, Any], ids: dict[str, str]
    ) -> Conversation:
        talk, raw_talk = bundle.conversation, dict(raw["conversation"])
        sessions = SESSIONS.with_extras(
            talk, raw_talk, lambda turn: self._turn_with(bundle, turn, ids)
        )
        rest = {key: raw_talk[key] for key in raw_talk if key not in self._held_keys}
        nested = extras_for(rest, talk_json(talk), KNOWN_TALK)
        top = {key: raw[key] for key in raw if key not in KNOWN_TOP}
        top |= {"qa": []} if isinstance(raw.get("qa"), list) else {}
        extras = extras_for(top, {"qa": []}, KNOWN_TOP)
        extras |= {"conversation": nested} if nested else {}
        return talk.model_copy(update={"sessions": sessions, **SESSIONS.extras(extras)})

    def _turn_with(self, bundle: Bundle, turn: Turn, ids: dict[str, str]) -> Turn:
        extras = extras_for(self._raw_turns[turn.id], turn_json(bundle, turn, ids), KNOWN_TURN)
        return turn.model_copy(update=SESSIONS.extras(extras))


def _split_captions(text: str) -> tuple[str, list[str]]:
    """A text without the captions that our export puts behind it, and the captions."""
    found = _CAPTIONS.search(text)
    if found is None:
        return text, []
    return text[: found.start()], _CAPTION.findall(found[0])
