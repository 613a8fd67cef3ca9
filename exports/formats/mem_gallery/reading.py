"""Mem-Gallery files read as records; what a file's reader upstream would do is in the findings."""

from pathlib import Path
from typing import Any

from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, entries_of
from memassay.exports.foreign.rules import KEY_MISSING, PART_UNREADABLE
from memassay.exports.foreign.session_layout import SESSIONS, RawParts
from memassay.exports.foreign.session_reader import SessionReader, objects
from memassay.exports.formats.mem_gallery.images import RoundImages
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
from memassay.schemas.contracts.rules import pointer
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation


class ScenarioReader:
    """Reads one scenario; what it cannot make a record of is held out."""

    def __init__(self, reading: Reading, name: str, folder: Path, intake: ImageIntake) -> None:
        """Start with nothing read.

        Args:
            reading: Takes the findings; knows the conversation's id.
            name: Name of the scenario: the stem of its file.
            folder: Data folder, which holds `dialog` and `image`.
            intake: Makes asset records.
        """
        self.reading, self.folder, self.intake = reading, folder, intake
        self._images = RoundImages(intake, folder, set())
        self._history = SessionReader(
            reading, NAME, name, KNOWN_TOP, KNOWN_ROUND, self._images.of_round
        )

    def read(self, document: Document) -> Imported:
        """The scenario as records.

        Raises:
            SourceError: A link of its image folder leads out of the data folder.
        """
        raw = document.value
        self.reading.note_document(document, self._owner)
        for session in objects(raw.get(SESSIONS)):
            for each in objects(session.get("dialogues")):
                images = entries_of(each.get("image_id"))
                self._images.claimed.update(image for image in images if isinstance(image, str))
        fix = "Name the sessions so; upstream skips the scenario with a print."
        talk = self._history.conversation(raw, (), fix)
        return self.reading.result(None if talk is None else self._with_questions(talk, raw))

    def _owner(self, parts: Parts) -> str:
        if len(parts) > 1 and parts[0] == QUESTIONS and isinstance(parts[1], int):
            return record_id(self.reading.conversation, f"Q{parts[1] + 1:04d}")
        return self.reading.conversation

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
            sessions=self._history.raw_sessions,
            rounds=self._history.raw_rounds,
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


def _held_out_as_questions(key: str, value: Any) -> bool:
    """Whether a part of the file is with the held-out parts, and so not in extras."""
    if key == QUESTIONS:
        return not isinstance(value, list)
    return key not in KNOWN_TOP and _looks_like_questions(value)


def _looks_like_questions(value: Any) -> bool:
    return isinstance(value, list) and any("question" in each for each in objects(value))
