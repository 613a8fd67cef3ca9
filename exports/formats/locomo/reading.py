"""LoCoMo samples read as records; what upstream's code would do is in the findings."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import JsonValue

from memassay.exports.foreign.dated_sessions import LOCOMO_TIME, settle_date
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import (
    Reading,
    RoundIds,
    as_object,
    extras_for,
    quote_value,
    settle_round_id,
)
from memassay.exports.foreign.rules import (
    ID_MALFORMED,
    ID_REPEATED,
    IMAGES_SEVERAL,
    KEY_MISSING,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.locomo.questions import question_id, read_question
from memassay.exports.formats.locomo.rules import (
    DATE_WITHOUT_SESSION,
    SPEAKER_ALONE,
    SPEAKER_UNKNOWN,
)
from memassay.exports.formats.locomo.writing import (
    KNOWN_QUESTION,
    KNOWN_SPEAKERS,
    KNOWN_TOP,
    KNOWN_TURN,
    NAME,
    SESSIONS,
    dialogue_ids,
    question_json,
    sample_id,
    speakers_json,
    turn_json,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import attachment_id, natural_key, record_id, session_id, turn_id
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
from memassay.schemas.records.question import QAItem

_SESSION: Final = re.compile(r"session_([1-9][0-9]{0,5})")
_SUMMARIES: Final = frozenset({"event_summary", "observation", "session_summary"})
_TURN_FIELDS: Final = {"/id": "dia_id", "/speaker": "speaker", "/text": "text"}
_SEARCHES: Final = frozenset({"query", "re-download"})


@dataclass
class SampleReader:
    """Reads one sample; what it cannot make a record of is held out.

    Attributes:
        intake: Makes asset records; takes the findings.
    """

    intake: ImageIntake
    _assets: dict[str, Asset] = field(default_factory=dict)
    _speakers: dict[str, Speaker] = field(default_factory=dict)
    _raw_turns: dict[str, dict[str, Any]] = field(default_factory=dict)
    _rounds: RoundIds = field(default_factory=lambda: RoundIds("dia_id", set()))
    _held_keys: set[str] = field(default_factory=set)

    @property
    def _reading(self) -> Reading:
        return self.intake.reading

    def read(self, document: Document, raw_id_is_ours: bool) -> Imported:
        """The sample as records.

        Args:
            document: The sample, with what was wrong with its JSON.
            raw_id_is_ours: Whether the conversation's id was made from its `sample_id`.
        """
        self._reading.note_document(document, self._owner)
        raw = as_object(self._reading, (), document.value, "a sample")
        if raw is None:
            return self._reading.result(None)
        if not isinstance(raw.get("conversation"), dict):
            fix = "Name the dialogue so."
            self._reading.hold(KEY_MISSING, (), raw, "an object under 'conversation'", fix)
            return self._reading.result(None)
        self._note_id(raw, raw_id_is_ours)
        talk = self._conversation(raw)
        if not any(speaker.name for speaker in talk.speakers):
            self._note(KEY_MISSING, ("conversation",), "'speaker_a' and 'speaker_b'", "none", "")
        self._reading.note_unknown(raw, KNOWN_TOP | _SUMMARIES, talk.id)
        return self._reading.result(self._with_questions(talk, raw))

    def _owner(self, parts: Parts) -> str:
        if len(parts) > 1 and parts[0] == "qa" and isinstance(parts[1], int):
            return question_id(self._reading, parts[:2])
        return self._reading.conversation

    def _note(
        self,
        rule: Rule,
        parts: Parts,
        expected: str,
        got: str,
        fix: str,
        instead: Sequence[JsonValue] | None = None,
    ) -> None:
        target = self._reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {got}"
        self._reading.note(rule, target, "", message, fix, at=parts, instead=instead)

    def _note_id(self, raw: dict[str, Any], raw_id_is_ours: bool) -> None:
        written = raw.get("sample_id")
        if written is None and self._reading.trace.is_keyed:
            return
        if not isinstance(written, str) or not written:
            fix = f"Write '{self._reading.conversation}', under which it was read."
            self._note(ID_MALFORMED, ("sample_id",), "a text", quote_value(written), fix)
        elif not raw_id_is_ours:
            fix = f"Write '{self._reading.conversation}', under which it was read."
            self._note(
                ID_REPEATED, ("sample_id",), "an id that no other has", quote_value(written), fix
            )

    def _conversation(self, raw: dict[str, Any]) -> Conversation:
        talk = raw["conversation"]
        names = {"/speakers/0": "speaker_a", "/speakers/1": "speaker_b"}
        self._reading.trace.note_place(self._reading.conversation, ())
        self._reading.trace.note_place(self._reading.conversation, ("conversation",), names)
        for key in sorted(KNOWN_SPEAKERS):
            name = talk.get(key)
            if isinstance(name, str) and name:
                self._speakers.setdefault(name, _speaker(key, name))
            else:
                self._note(SHAPE, ("conversation", key), "a name", quote_value(name), "Name both.")
        keys = self._session_keys(talk)
        for key in keys.values():
            claimed = (turn.get("dia_id") for turn in talk[key] if isinstance(turn, dict))
            self._rounds.claimed.update(each for each in claimed if isinstance(each, str))
        sessions = [
            self._session(talk, key, number, index)
            for index, (number, key) in enumerate(keys.items(), start=1)
        ]
        self._note_surplus(talk, set(keys.values()))
        if not sessions:
            self._note(KEY_MISSING, ("conversation",), "at least 'session_1'", "none", "Add it.")
        elif len({turn.speaker for each in sessions[0].rounds for turn in each.turns}) < 2:
            place = ("conversation", "session_1")
            self._note(SPEAKER_ALONE, place, "both speakers", "one", "Let both speak.")
        written = raw.get("sample_id")
        return Conversation(
            id=self._reading.conversation,
            collection=NAME,
            path=IMPORTED,
            title=written if isinstance(written, str) else None,
            speakers=list(self._speakers.values()) or [_speaker("speaker_a", "")],
            sessions=sessions,
        )

    def _session_keys(self, talk: dict[str, Any]) -> dict[int, str]:
        """Keys of the sessions by number; keys upstream would stumble over are held out."""
        keys: dict[int, str] = {}
        for key, value in talk.items():
            found = _SESSION.fullmatch(key)
            if "session" not in key or "date_time" in key:
                continue
            if found is None or not isinstance(value, list):
                expected = "a list of turns under 'session_<number>'"
                fix = "Rename it; upstream takes every key with 'session' in it for a session."
                parts: Parts = ("conversation", key)
                self._reading.hold(PART_UNREADABLE, parts, value, expected, fix)
                self._held_keys.add(key)
                continue
            keys[int(found[1])] = key
        return dict(sorted(keys.items()))

    def _session(self, talk: dict[str, Any], key: str, number: int, index: int) -> Session:
        written = talk.get(f"{key}_date_time")
        place = ("conversation", f"{key}_date_time")
        date = settle_date(self._reading, place, written, LOCOMO_TIME)
        name = session_id(number)
        own = part_key(self._reading.conversation, name)
        self._reading.trace.note_place(own, ("conversation", key))
        self._reading.trace.note_place(own, ("conversation",), {"/date": f"{key}_date_time"})
        rounds = list(self._session_rounds(talk[key], key, name))
        return Session(id=name, index=index, date=date, rounds=rounds)

    def _note_surplus(self, talk: dict[str, Any], keys: set[str]) -> None:
        for key in talk:
            if "date_time" in key and key.removesuffix("_date_time") not in keys:
                self._note(
                    DATE_WITHOUT_SESSION,
                    ("conversation", key),
                    "a session of that number",
                    "none",
                    "Drop the date, or add the session.",
                    instead=[],
                )

    def _session_rounds(self, turns: list[Any], key: str, session: str) -> Iterator[Round]:
        shown_so_far = 0
        for at, part in enumerate(turns):
            parts: Parts = ("conversation", key, at)
            raw = as_object(self._reading, parts, part, "a turn")
            if raw is None or not self._speaks(parts, raw):
                continue
            name = settle_round_id(self._reading, parts, raw, session, at + 1, self._rounds)
            if name is None:
                continue
            images = self._attachments(parts, raw, session, shown_so_far)
            shown_so_far += len(images)
            turn = Turn(
                id=turn_id(name, 1),
                speaker=self._speaker_id(parts, raw["speaker"]),
                text=raw["text"],
                attachments=images,
            )
            self._raw_turns[turn.id] = raw
            for place in (name, turn.id):
                self._reading.trace.note_place(
                    part_key(self._reading.conversation, place), parts, _TURN_FIELDS
                )
            known = KNOWN_TURN | _SEARCHES
            self._reading.note_unknown(raw, known, self._reading.conversation)
            yield Round(id=name, kind=RoundKind.UTTERANCE, turns=[turn])

    def _speaks(self, parts: Parts, raw: dict[str, Any]) -> bool:
        """Whether a record can be made of a turn; if not it is held out."""
        for key in ("speaker", "text"):
            if not isinstance(raw.get(key), str) or (key == "speaker" and not raw[key]):
                expected = f"a text under '{key}'"
                self._reading.hold(PART_UNREADABLE, parts, raw, expected, "Write it as a string.")
                return False
        return True

    def _speaker_id(self, parts: Parts, name: str) -> str:
        if name not in self._speakers:
            names = " or ".join(map(quote_value, self._speakers))
            place = (*parts, "speaker")
            self._note(
                SPEAKER_UNKNOWN, place, names, quote_value(name), "Write one of the two names."
            )
            self._speakers[name] = _speaker(f"speaker_{len(self._speakers) + 1}", name)
        return self._speakers[name].id

    def _attachments(
        self, parts: Parts, raw: dict[str, Any], session: str, before: int
    ) -> list[Attachment]:
        """The images of a turn: one for each address, or one for a caption alone."""
        written, caption = raw.get("img_url", []), raw.get("blip_caption")
        urls = [url for url in _as_list(written) if isinstance(url, str)]
        text = caption if isinstance(caption, str) and caption else None
        rows: list[tuple[str | None, str | None]] = [
            (url, text if at == 0 else None) for at, url in enumerate(urls)
        ]
        images = []
        for at, (url, words) in enumerate(rows or ([(None, text)] if text else [])):
            name = attachment_id(session, before + at + 1)
            asset = record_id(self._reading.conversation, name)
            own = part_key(self._reading.conversation, name)
            for record in (asset, own):
                self._reading.trace.note_place(record, (*parts, "img_url") if url else parts)
            self._reading.trace.note_place(own, parts, {"/caption": "blip_caption"})
            self._assets[asset] = self.intake.from_address(asset, url or "", words)
            images.append(Attachment(id=name, asset=asset, caption=words))
        target = images[0].asset if images else self._reading.conversation
        wrong = {
            "img_url": not isinstance(written, list) or len(urls) < len(written),
            "blip_caption": not isinstance(caption, str | None),
        }
        for key in (key for key, is_wrong in wrong.items() if is_wrong):
            expected = "a list of one address" if key == "img_url" else "a text"
            self._reading.note(
                SHAPE,
                target,
                "",
                f"{target}.{key}: expected {expected} at {pointer(*parts, key)}, "
                f"got {quote_value(raw[key])}",
                "Write it so; upstream reads the caption only.",
                at=(*parts, key),
            )
        for extra in images[1:]:
            message = f"{extra.asset}: expected one image a turn, got another at {pointer(*parts)}"
            self._reading.note(
                IMAGES_SEVERAL, extra.asset, "", message, "Split the turn.", at=(*parts, "img_url")
            )
        return images

    def _with_questions(self, talk: Conversation, raw: dict[str, Any]) -> Bundle:
        """The bundle with its questions, and with extras that bring the sample back."""
        raw_questions = raw.get("qa")
        if "qa" not in raw:
            self._note(KEY_MISSING, ("qa",), "a list of questions", "none", "Name them so.")
        elif not isinstance(raw_questions, list):
            fix = "Write a list."
            expected = "a list of questions"
            self._reading.hold(PART_UNREADABLE, ("qa",), raw_questions, expected, fix)
        read = [
            (read_question(self._reading, ("qa", at), part), part)
            for at, part in enumerate(raw_questions if isinstance(raw_questions, list) else [])
        ]
        bundle = Bundle(
            conversation=talk,
            assets=sorted(self._assets.values(), key=lambda asset: natural_key(asset.id)),
            questions=[item for item, _ in read if item is not None],
        )
        ids = dialogue_ids(talk)
        questions = [
            _question_with(item, extras_for(part, question_json(bundle, item, ids), KNOWN_QUESTION))
            for item, part in read
            if item is not None
        ]
        talk = self._talk_with_extras(bundle, raw, ids)
        return bundle.model_copy(update={"conversation": talk, "questions": questions})

    def _talk_with_extras(
        self, bundle: Bundle, raw: dict[str, Any], ids: dict[str, str]
    ) -> Conversation:
        talk, raw_talk = bundle.conversation, dict(raw["conversation"])
        sessions = SESSIONS.with_extras(
            talk, raw_talk, lambda turn: self._turn_with(bundle, turn, ids)
        )
        rest = {key: raw_talk[key] for key in raw_talk if key not in self._held_keys}
        nested = extras_for(rest, speakers_json(talk), KNOWN_SPEAKERS)
        top = {key: raw[key] for key in raw if key not in {"conversation", "qa"}}
        top |= {"qa": []} if isinstance(raw.get("qa"), list) else {}
        extras = extras_for(top, {"sample_id": sample_id(talk), "qa": []}, KNOWN_TOP)
        extras |= {"conversation": nested} if nested else {}
        return talk.model_copy(update={"sessions": sessions, **SESSIONS.extras(extras)})

    def _turn_with(self, bundle: Bundle, turn: Turn, ids: dict[str, str]) -> Turn:
        extras = extras_for(self._raw_turns[turn.id], turn_json(bundle, turn, ids), KNOWN_TURN)
        return turn.model_copy(update=SESSIONS.extras(extras))


def _speaker(name: str, shown_name: str) -> Speaker:
    return Speaker(id=name, name=shown_name, kind=SpeakerKind.HUMAN)


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _question_with(item: QAItem, extras: dict[str, Any]) -> QAItem:
    return item.model_copy(update=SESSIONS.extras(extras))
