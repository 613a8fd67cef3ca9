"""Single dialogues of MMRC's layout read as records: one session without a date."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.images import ImageIntake, find_inside, place_below
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, entries_of, extras_for, quote_value
from memassay.exports.foreign.rules import (
    FIELD_MISSING,
    ID_MALFORMED,
    KEY_MISSING,
    PART_UNREADABLE,
    ROUND_EMPTY,
    SHAPE,
)
from memassay.exports.formats.mmrc.questions import QuestionReader
from memassay.exports.formats.mmrc.writing import (
    KNOWN_DIALOGUE,
    KNOWN_IMAGE,
    KNOWN_QUESTION,
    KNOWN_TURN,
    NAME,
    DialogueWriter,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import attachment_id, parse_place, record_id, round_id, turn_id
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

SESSION: Final = "D1"
_SIDES: Final = ("user", "assistant")


def images_in(raw: Any, folder: Path) -> Iterator[Path]:
    """The files of a dialogue's images that are there; reading it depends on them."""
    turns = entries_of(raw.get("turns")) if isinstance(raw, dict) else []
    for image in (each for turn in turns if isinstance(turn, dict) for each in _as_list(turn)):
        written = image.get("file") if isinstance(image, dict) else None
        place = place_below(written) if isinstance(written, str) else None
        if place and (found := find_inside(folder, place)):
            yield found


def _as_list(turn: dict[str, Any]) -> list[Any]:
    found = turn.get("images")
    return found if isinstance(found, list) else []


class DialogueReader:
    """Reads one dialogue; what it cannot make a record of is held out."""

    def __init__(self, reading: Reading, folder: Path, intake: ImageIntake) -> None:
        """Start with nothing read.

        Args:
            reading: Takes the findings; knows the conversation's id.
            folder: Folder of the file; paths of images begin there.
            intake: Makes asset records.
        """
        self.reading, self._folder, self._intake = reading, folder, intake
        self._assets: dict[str, Asset] = {}
        self._raw_turns: dict[str, dict[str, Any]] = {}
        self._round_of: dict[int, str] = {}

    def read(self, document: Document) -> Imported:
        """The dialogue as records."""
        self.reading.note_document(document, self._owner)
        raw = as_object(self.reading, (), document.value, "a dialogue")
        if raw is None:
            return self.reading.result(None)
        if not isinstance(raw.get("turns"), list) or not raw["turns"]:
            fix = "Write the turns, each with 'user' and 'assistant'."
            self.reading.hold(KEY_MISSING, (), raw, "a list under 'turns'", fix)
            return self.reading.result(None)
        self.reading.trace.note_place(self.reading.conversation, (), {"/domain": "category"})
        self.reading.note_unknown(raw, KNOWN_DIALOGUE, self.reading.conversation)
        self._note_id(raw)
        bundle = Bundle(conversation=self._talk(raw), assets=list(self._assets.values()))
        reader = QuestionReader(self.reading, bundle.conversation, self._round_of)
        read = reader.questions(raw.get("questions"))
        bundle = bundle.model_copy(update={"questions": [item for item, _ in read]})
        asked = {item.id: part for item, part in read}
        return self.reading.result(self._with_extras(bundle, raw, asked))

    def _owner(self, parts: Parts) -> str:
        if len(parts) > 1 and parts[0] == "questions" and isinstance(parts[1], int):
            return record_id(self.reading.conversation, f"Q{parts[1] + 1:04d}")
        return self.reading.conversation

    def _note(self, rule: Rule, parts: Parts, expected: str, got: Any, fix: str) -> None:
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def _note_id(self, raw: dict[str, Any]) -> None:
        keyed = raw.get("id") is None and self.reading.trace.is_keyed
        if raw.get("id") != self.reading.conversation and not keyed:
            expected = "an id of ASCII letters, digits, '.', '_' and '-' that no other has"
            fix = f"Write '{self.reading.conversation}', under which it was read."
            self._note(ID_MALFORMED, ("id",), expected, raw.get("id"), fix)

    def _text(self, raw: dict[str, Any], key: str) -> str | None:
        """A text at the top of a dialogue; None if there is none."""
        value = raw.get(key)
        if value is None or isinstance(value, str):
            return value or None
        self._note(SHAPE, (key,), "a text", value, "Write a text; the value is kept in extras.")
        return None

    def _talk(self, raw: dict[str, Any]) -> Conversation:
        if "category" not in raw:
            self._note(FIELD_MISSING, ("category",), "a text", None, "Name the category.")
        assistant = Speaker(
            id="assistant",
            name="assistant",
            kind=SpeakerKind.ASSISTANT,
            model=self._text(raw, "model"),
        )
        return Conversation(
            id=self.reading.conversation,
            collection=NAME,
            path=IMPORTED,
            title=self.reading.conversation,
            domain=self._text(raw, "category"),
            speakers=[Speaker(id="user", name="user", kind=SpeakerKind.HUMAN), assistant],
            sessions=[Session(id=SESSION, index=1, rounds=list(self._rounds(raw["turns"])))],
        )

    def _rounds(self, turns: list[Any]) -> Iterator[Round]:
        for at, part in enumerate(turns):
            parts: Parts = ("turns", at)
            raw = as_object(self.reading, parts, part, "a turn")
            if raw is None or not self._speaks(parts, raw):
                continue
            name = round_id(SESSION, len(self._raw_turns) + 1)
            self._round_of[at + 1] = name
            self._raw_turns[name] = raw
            self.reading.note_unknown(raw, KNOWN_TURN, self.reading.conversation)
            self.reading.trace.note_place(part_key(self.reading.conversation, name), parts)
            images = list(self._images(parts, raw))
            shows = {"user": images, "assistant": []}
            sides = [side for side in _SIDES if raw.get(side) or shows[side]]
            turns_ = [
                Turn(
                    id=turn_id(name, number),
                    speaker=side,
                    text=raw.get(side, ""),
                    attachments=shows[side],
                )
                for number, side in enumerate(sides, start=1)
            ]
            yield Round(id=name, kind=RoundKind.EXCHANGE, turns=turns_)

    def _speaks(self, parts: Parts, raw: dict[str, Any]) -> bool:
        for side in _SIDES:
            if side not in raw:
                fix = "Write the text, or an empty one."
                self._note(FIELD_MISSING, (*parts, side), "a text", None, fix)
            elif not isinstance(raw[side], str):
                expected = f"a text under '{side}'"
                self.reading.hold(PART_UNREADABLE, parts, raw, expected, "Write it as a string.")
                return False
        if any(raw.get(side) for side in _SIDES) or _as_list(raw):
            return True
        fix = "Write the turn or drop it."
        self.reading.hold(ROUND_EMPTY, parts, raw, "a turn that says or shows something", fix)
        return False

    def _images(self, parts: Parts, raw: dict[str, Any]) -> Iterator[Attachment]:
        if "images" in raw and not isinstance(raw["images"], list):
            fix = "Write a list; the value is kept in extras."
            self._note(SHAPE, (*parts, "images"), "a list of images", raw["images"], fix)
        for at, part in enumerate(_as_list(raw)):
            place: Parts = (*parts, "images", at)
            image = as_object(self.reading, place, part, "an image")
            if image is None:
                continue
            self.reading.note_unknown(image, KNOWN_IMAGE, self.reading.conversation)
            name, caption = self._image_id(place, image.get("id")), image.get("caption")
            asset = record_id(self.reading.conversation, name)
            self.reading.trace.note_place(asset, place, {"/uri": "file"})
            uri = image["file"] if isinstance(image.get("file"), str) else None
            text = caption if isinstance(caption, str) else None
            self._assets[asset] = self._intake.from_place(
                asset, uri, place_below(uri or ""), self._folder, text
            )
            yield Attachment(id=name, asset=asset, caption=text)

    def _image_id(self, parts: Parts, written: Any) -> str:
        """`IMG_001` of a file is `D1:IMG_001`; one that is malformed or repeated goes by number."""
        name = f"{SESSION}:{written}"
        place = parse_place(name) if isinstance(written, str) else None
        taken = {record_id(self.reading.conversation, name)} & self._assets.keys()
        if place is not None and place.attachment and ":IMG_" in name and not taken:
            return name
        number = len(self._assets) + 1
        while record_id(self.reading.conversation, attachment_id(SESSION, number)) in self._assets:
            number += 1
        name = attachment_id(SESSION, number)
        fix = f"Write '{name.partition(':')[2]}', under which it was read."
        expected = "an id such as 'IMG_001' that no other image has"
        self._note(ID_MALFORMED, (*parts, "id"), expected, written, fix)
        return name

    def _with_extras(
        self, bundle: Bundle, raw: dict[str, Any], questions: dict[str, dict[str, Any]]
    ) -> Bundle:
        """The bundle, every record with what this layout would lose of its part."""
        writer = DialogueWriter(bundle)
        top = {key: raw[key] for key in raw if key not in ("turns", "questions")}
        (session,) = bundle.conversation.sessions
        rounds = [
            _with(each, extras_for(self._raw_turns[each.id], writer.turn(each), KNOWN_TURN))
            for each in session.rounds
        ]
        talk = bundle.conversation.model_copy(
            update={"sessions": [session.model_copy(update={"rounds": rounds})]}
        )
        talk = _with(talk, extras_for(top, writer.top(), KNOWN_DIALOGUE))
        items = [
            _with(item, extras_for(questions[item.id], writer.question(item), KNOWN_QUESTION))
            for item in bundle.questions
        ]
        return bundle.model_copy(update={"conversation": talk, "questions": items})


def _with(part: Any, extras: dict[str, Any]) -> Any:
    return part.model_copy(update={"extras": {NAME: extras}}) if extras else part
