"""Turns and images of a sample's sessions read as rounds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.images import ImageIntake, find_inside, place_below
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading, as_object, free_id, quote_value
from memassay.exports.foreign.rules import (
    DATE_UNREADABLE,
    FIELD_MISSING,
    ID_MALFORMED,
    ID_REPEATED,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.worldmemarena.naming import IMAGE
from memassay.exports.formats.worldmemarena.rules import CAPTION_MISSING, IMAGE_PATH_LEGACY
from memassay.exports.formats.worldmemarena.writing import DIALOGUE, KNOWN_IMAGE, KNOWN_TURN
from memassay.schemas.base import Modality
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import attachment_id, record_id, round_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment, Round, RoundKind, Session, Turn
from memassay.schemas.records.ledger import Mention
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.date_forms import read_date

USER, ASSISTANT = "user", "assistant"
Raw = dict[str, Any]


def images_in(raw: Any, folder: Path) -> Iterator[Path]:
    """The files of a sample's images that are there; reading it depends on them."""
    for session in objects(raw.get("sessions")) if isinstance(raw, dict) else []:
        for turn in objects(session.get(DIALOGUE)):
            for image in objects(turn.get("attachments")):
                place = place_below(_path(image) or "")
                if place and (found := find_inside(folder, place)):
                    yield found


def objects(value: Any) -> list[Raw]:
    """The objects of a list; none of anything else."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def time_of(written: Any) -> str | None:
    """A time as a `When`, in whatever notation, if it has one reading only."""
    if not isinstance(written, str):
        return None
    found = read_date(written)
    return written if is_when(written) else found.when if found and not found.weekday else None


def places_of(
    sessions: Iterable[Session], reader: "TurnReader"
) -> Iterator[tuple[tuple[str, Any], Mention]]:
    """By session and number of a turn or id of an image in the file, a mention of nothing yet."""
    name_of = {shown: name for name, shown in reader.image_of.items()}
    for session in sessions:
        turns = [(each, turn) for each in session.rounds for turn in each.turns]
        for at, (round_, turn) in enumerate(turns):
            mention = Mention(
                id="x/x",
                fact="x/x",
                round=round_.id,
                turn=turn.id,
                speaker=turn.speaker,
                modality=Modality.TEXT,
            )
            yield (session.id, at), mention
            for shown in turn.attachments:
                seen = {"attachment": shown.id, "asset": shown.asset, "modality": Modality.IMAGE}
                if shown.id in name_of:
                    yield (session.id, name_of[shown.id]), mention.model_copy(update=seen)


def _path(image: Raw) -> str | None:
    written = image.get("file_path") or image.get("image_path")
    return written if isinstance(written, str) else None


@dataclass
class TurnReader:
    """Reads the dialogues of one sample.

    Attributes:
        reading: Takes the findings; knows the conversation's id.
        folder: Folder of the file; paths of images begin there.
        intake: Makes asset records.
        roles: Roles that turns have, in the order of their first.
        assets: Asset records made so far, by id.
        raw_turns: Turns as they stood in the file, by the id of their record.
        raw_images: Attachments likewise.
        image_of: By id of an image in the file, its attachment; the first of each.
    """

    reading: Reading
    folder: Path
    intake: ImageIntake
    roles: list[str] = field(default_factory=list)
    assets: dict[str, Asset] = field(default_factory=dict)
    raw_turns: dict[str, Raw] = field(default_factory=dict)
    raw_images: dict[str, Raw] = field(default_factory=dict)
    image_of: dict[str, str] = field(default_factory=dict)

    def note(self, rule: Rule, parts: Parts, expected: str, got: Any, fix: str) -> None:
        """Report a defect at a place of the file."""
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def rounds(self, parts: Parts, raw: Any, session: str, date: str | None) -> list[Round]:
        """The rounds of a session: a user's turn and the assistant's behind it, or one turn.

        Args:
            parts: Place of the dialogue.
            raw: The dialogue as it is in the file.
            session: Id of the session.
            date: Its date, which turns of the same time do not repeat.
        """
        if not isinstance(raw, list):
            fix = "Write the turns as a list; upstream reads anything else as none."
            self.note(SHAPE if raw is not None else FIELD_MISSING, parts, "a list", raw, fix)
            return []
        read = [(at, self._object((*parts, at), part)) for at, part in enumerate(raw)]
        turns = [(at, part) for at, part in read if part is not None]
        grouped: list[list[tuple[int, Raw]]] = []
        for at, part in turns:
            follows = grouped and [each.get("role") for _, each in grouped[-1]] == [USER]
            if follows and part.get("role") == ASSISTANT:
                grouped[-1].append((at, part))
            else:
                grouped.append([(at, part)])
        return [
            self._round(parts, group, round_id(session, number), date)
            for number, group in enumerate(grouped, start=1)
        ]

    def _object(self, parts: Parts, part: Any) -> Raw | None:
        raw = as_object(self.reading, parts, part, "a turn")
        if raw is not None and not isinstance(raw.get("content"), str):
            expected, fix = "a text under 'content'", "Write the words of the turn."
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, fix)
            return None
        return raw

    def _round(
        self, parts: Parts, group: list[tuple[int, Raw]], name: str, date: str | None
    ) -> Round:
        turns = [
            self._turn((*parts, at), raw, turn_id(name, number), date)
            for number, (at, raw) in enumerate(group, start=1)
        ]
        kind = RoundKind.EXCHANGE if len(turns) > 1 else RoundKind.UTTERANCE
        return Round(id=name, kind=kind, turns=turns)

    def _turn(self, parts: Parts, raw: Raw, name: str, date: str | None) -> Turn:
        self.raw_turns[name] = raw
        self.reading.note_unknown(raw, KNOWN_TURN, self.reading.conversation)
        key = part_key(self.reading.conversation, name)
        self.reading.trace.note_place(key, parts, {"/text": "content"})
        role = raw.get("role")
        if not isinstance(role, str) or not 0 < len(role) <= 128:
            fix = "Name who speaks; upstream takes the user."
            self.note(FIELD_MISSING, (*parts, "role"), "user or assistant", role, fix)
            role = USER
        if role not in self.roles:
            self.roles.append(role)
        time = time_of(raw.get("timestamp"))
        if time is None and raw.get("timestamp") is not None:
            fix = "Correct the time; upstream shows this text to the model as it is."
            expected, got = "a time such as '2025-03-01T09:00'", raw["timestamp"]
            self.note(DATE_UNREADABLE, (*parts, "timestamp"), expected, got, fix)
        return Turn(
            id=name,
            speaker=role,
            text=raw["content"],
            time=time if time != date else None,
            attachments=list(self._images(parts, raw, name.partition(":")[0])),
        )

    def _images(self, parts: Parts, raw: Raw, session: str) -> Iterator[Attachment]:
        listed = raw.get("attachments")
        if listed is not None and not isinstance(listed, list):
            fix = "Write a list; upstream reads anything else as none."
            self.note(SHAPE, (*parts, "attachments"), "a list of images", listed, fix)
            return
        for at, part in enumerate(listed or []):
            place: Parts = (*parts, "attachments", at)
            image = as_object(self.reading, place, part, "an image")
            if image is not None:
                yield self._image(place, image, session)

    def _image(self, parts: Parts, raw: Raw, session: str) -> Attachment:
        self.reading.note_unknown(raw, KNOWN_IMAGE, self.reading.conversation)
        name = self._image_id(parts, raw.get(IMAGE), session)
        caption, asset = raw.get("caption"), record_id(self.reading.conversation, name)
        text = caption if isinstance(caption, str) and caption.strip() else None
        if text is None:
            fix = "Say what the image shows."
            self.note(CAPTION_MISSING, (*parts, "caption"), "a text", caption, fix)
        if raw.get("image_path") and not raw.get("file_path"):
            fix = "Name the path 'file_path'."
            self.note(IMAGE_PATH_LEGACY, (*parts, "image_path"), "file_path", "image_path", fix)
        key = part_key(self.reading.conversation, name)
        self.reading.trace.note_place(key, parts, {"/caption": "caption", "/id": IMAGE})
        self.reading.trace.note_place(asset, parts, {"/uri": "file_path"})
        uri = _path(raw)
        self.raw_images[name] = raw
        self.assets[asset] = self.intake.from_place(
            asset, uri, place_below(uri or ""), self.folder, text
        )
        return Attachment(id=name, asset=asset, caption=text)

    def _image_id(self, parts: Parts, written: Any, session: str) -> str:
        """Our id of an image, with the number that the file gives it if no other has that."""
        known = isinstance(written, str) and written
        if not known:
            fix = "Give it an id such as 'S04_img_04'; nothing can cite it without."
            self.note(ID_MALFORMED, (*parts, IMAGE), "an id", written, fix)
        number = str(written).rpartition("_")[2] if known else ""
        wanted = attachment_id(session, int(number)) if _is_number(number) else ""
        taken = self.raw_images.keys()
        free = wanted if wanted and wanted not in taken else ""
        name = free or free_id(lambda at: attachment_id(session, at), 1, taken)
        if known and self.image_of.setdefault(str(written), name) != name:
            fix = "Give it an id of its own; evidence means the first."
            self.note(ID_REPEATED, (*parts, IMAGE), "an id that no other image has", written, fix)
        return name


_LONGEST_NUMBER: Final = 6


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER and int(text) > 0
