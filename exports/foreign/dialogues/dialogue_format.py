"""What the formats of dialogues share: a file of many, each one session without questions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from memassay.exports.foreign.dialogues.content import LeftOut
from memassay.exports.foreign.dialogues.images import ShownImages
from memassay.exports.foreign.dialogues.messages import (
    PLAIN_ROLES,
    Message,
    role_of,
    rounds_of,
    speakers,
)
from memassay.exports.foreign.dialogues.rules import (
    DIALOGUE_EMPTY,
    ID_TAKEN,
    MESSAGE_LEFT_OUT,
    PART_LEFT_OUT,
    ROLE_READ,
    TIME_BACK,
    TIME_UNREADABLE,
)
from memassay.exports.foreign.folders import (
    holds_item,
    item_id,
    json_files,
    listed_sources,
    unique_sources,
)
from memassay.exports.foreign.images import ImageIntake, find_inside
from memassay.exports.foreign.json_items import read_item, read_listed, stem
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, quote_value
from memassay.exports.foreign.tracing import Trace
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source
from memassay.schemas.contracts.rules import RuleRegistry, pointer
from memassay.schemas.errors import SourceError
from memassay.schemas.ids import slug
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import IMPORTED, Conversation, Session
from memassay.schemas.values.civil_time import from_epoch, strictly_after
from memassay.schemas.values.date_forms import read_date

_SESSION = "D1"
_WHOLE = (0, 0)
_NAMED = 20
"""Messages that a finding names one by one."""


@dataclass
class Dialogue:
    """One dialogue while it is read.

    Attributes:
        reading: Takes the findings.
        raw: The dialogue as it is in its file.
        folder: Folder of its file.
        messages: Its turns so far.
        title: What people call it.
        date: `When` it began.
        model: The model that answered.
        extras: What we have no field for.
    """

    reading: Reading
    raw: dict[str, Any]
    folder: Path
    messages: list[Message] = field(default_factory=list)
    title: str | None = None
    date: str | None = None
    model: str | None = None
    extras: dict[str, Any] = field(default_factory=dict)
    _left: dict[str, list[str]] = field(default_factory=dict)

    def role(self, written: Any, parts: Parts) -> str | None:
        """Who speaks; None for a role that nobody has. An unusual name of one is said."""
        role = role_of(written)
        if role is not None and written.strip().lower() not in PLAIN_ROLES:
            got, fix = f"{written}, read as {role}", "Nothing, if it is."
            self.note(ROLE_READ, parts, "a role such as user or assistant", got, fix)
        return role

    def say(self, parts: Parts, turns: Iterator[Message | LeftOut]) -> None:
        """Add the turns of a message; of what none can be made is listed.

        Args:
            parts: Place of the message.
            turns: What it gives.
        """
        made = list(turns)
        if not made:
            self.leave_out("without a text", parts)
        for turn in made:
            if isinstance(turn, LeftOut):
                self.note(PART_LEFT_OUT, turn.parts, "text or images", turn.type, "Nothing.")
            elif turn.is_empty:
                self.leave_out("empty", turn.parts)
            else:
                self.messages.append(turn)

    def leave_out(self, why: str, parts: Parts) -> None:
        """Leave a message out; one finding for each reason lists them all."""
        self._left.setdefault(why, []).append(pointer(*parts))

    def moment(self, written: Any, parts: Parts) -> str | None:
        """A time as a `When`: seconds since 1970, or a text that can be read in one way."""
        if written is None or written == 0:  # some exports write 0 for an unknown time
            return None
        when = None
        if isinstance(written, str):
            digits = written.isascii() and written.isdigit() and len(written) > 8
            read = from_epoch(int(written[:20])) if digits else read_date(written)
            when = read if isinstance(read, str | None) else read.when
        elif isinstance(written, int | float) and not isinstance(written, bool):
            when = from_epoch(written)
        if when is None:
            self.note(TIME_UNREADABLE, parts, "a time", written, "Write it as 2023-05-08T13:56.")
        return when

    def in_time_order(self) -> Iterator[Message]:
        """The messages; one that is earlier than the one before it is left without a time."""
        latest = ""
        for message in self.messages:
            time = message.time
            if time is not None and strictly_after(latest or time, time):
                expected, fix = f"a time from {latest} on", "Correct it, if it is known."
                self.note(TIME_BACK, message.parts, expected, time, fix)
                time = None
            latest = time or latest
            yield replace(message, time=time)

    def note(self, rule: Any, parts: Parts, expected: str, got: Any, fix: str) -> None:
        """Report something at a place of the dialogue."""
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def note_left_out(self) -> None:
        """Say which messages were left out, and why."""
        for why, places in sorted(self._left.items()):
            more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
            target = self.reading.conversation
            message = (
                f"{target}: expected messages that people saw, got {len(places)} {why}, left out: "
                f"{', '.join(places[:_NAMED])}{more}"
            )
            self.reading.note(MESSAGE_LEFT_OUT, target, "", message, "Nothing.")


@dataclass(frozen=True)
class DialogueFormat:
    """A format whose files hold dialogues of messages.

    Attributes:
        name: Of the format.
        what: What a file holds, for messages.
        marks: Keys of which every dialogue has one: that of its messages.
        ids: Keys of its id, the first that is a text is taken.
        parse: Fills a dialogue from its raw object.
        rules: The defects that an import can find.
        bare: Key of a message, where a file may be the list of one dialogue's messages.
    """

    name: str
    what: str
    marks: tuple[str, ...]
    ids: tuple[str, ...]
    parse: Callable[[Dialogue], None]
    rules: RuleRegistry
    bare: str = ""

    def sources(self, path: Path) -> list[Source]:
        """The dialogues of a file, or of those files of a folder that hold any.

        Raises:
            SourceError: Nothing there holds dialogues of this format.
        """
        files = json_files(path, self.what)
        found = [source for file in files for source in self._sources(file)]
        if not found:
            raise SourceError(
                f"{path}: expected {self.what}, got none; name the file or folder that holds them"
            )
        return unique_sources(found)

    def _sources(self, file: Path) -> list[Source]:
        if holds_item(file, self.marks):
            beside = partial(self._beside, file.parent)
            return listed_sources(file, self.marks, self.ids, "dialogue", beside)
        if self.bare and holds_item(file, (self.bare,)):
            return [Source(slug(stem(file), "dialogue"), file, 0, (file,))]
        return []

    def _beside(self, folder: Path, raw: Any) -> list[Path]:
        """The images of a dialogue that are there; reading it depends on them."""
        if not isinstance(raw, dict):
            return []
        dialogue = Dialogue(Reading("sources", Trace(folder)), raw, folder)
        self.parse(dialogue)
        places = (each.place for message in dialogue.messages for each in message.pictures)
        found = [find_inside(folder, place) for place in places if place is not None]
        return [path for path in found if path is not None]

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        """One dialogue as a conversation of one session, without questions.

        Raises:
            SourceError: The file changed since its dialogues were found, or a link leads out of
                its folder.
        """
        document = self._document(source)
        reading = Reading(source.id, Trace(source.path, source.base, source.line))
        reading.note_document(document, lambda _: reading.conversation)
        raw = as_object(reading, (), document.value, "a dialogue")
        if raw is None:
            return reading.result(None)
        dialogue = Dialogue(reading, raw, source.path.absolute().parent)
        if source.span != _WHOLE and source.id != item_id(raw, self.ids, source.id, "dialogue"):
            fix = f"Nothing; it was read as '{source.id}'."
            dialogue.note(ID_TAKEN, (), "an id of its own", text_of(raw, *self.ids), fix)
        self.parse(dialogue)
        dialogue.note_left_out()
        if not dialogue.messages:
            fix = "Nothing, if nobody wrote anything in it."
            reading.hold(DIALOGUE_EMPTY, (), raw, f"messages under '{self.marks[0]}'", fix)
            return reading.result(None)
        return reading.result(self._bundle(dialogue, ImageIntake(reading, blobs, licence)))

    def _document(self, source: Source) -> Document:
        if source.span != _WHOLE:
            return read_item(source.path, source.span)
        document, _ = read_listed(source.path, self.bare)
        return replace(document, value={self.marks[0]: document.value})

    def _bundle(self, dialogue: Dialogue, intake: ImageIntake) -> Bundle:
        shown = ShownImages(intake, dialogue.folder, _SESSION)
        messages = list(dialogue.in_time_order())
        times = [each.time for each in messages if each.time]
        date = min((each for each in (dialogue.date, *times[:1]) if each), default=None)
        rounds = rounds_of(dialogue.reading, self.name, _SESSION, messages, shown.show, date)
        dialogue.reading.trace.note_place(dialogue.reading.conversation, ())
        talk = Conversation(
            id=dialogue.reading.conversation,
            collection=self.name,
            path=IMPORTED,
            title=dialogue.title or dialogue.reading.conversation,
            speakers=speakers(dialogue.messages, dialogue.model),
            sessions=[Session(id=_SESSION, index=1, date=date, rounds=rounds)],
            extras={self.name: dialogue.extras} if dialogue.extras else {},
        )
        return Bundle(conversation=talk, assets=shown.assets)


def text_of(raw: dict[str, Any], *keys: str) -> str | None:
    """The first text under one of some keys that says something."""
    found = (raw.get(key) for key in keys)
    return next((each for each in found if isinstance(each, str) and each.strip()), None)


def rest_of(raw: dict[str, Any], known: Sequence[str] | frozenset[str]) -> dict[str, Any]:
    """The fields of an object that are read by nobody; they travel in extras."""
    return {key: value for key, value in raw.items() if key not in known}
