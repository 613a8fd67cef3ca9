"""Mem-Gallery questions read as records."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.answers import gold_texts, plain_answer, read_choice, with_equivalents
from memassay.exports.foreign.images import ImageIntake
from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import (
    as_object,
    evidence_places,
    free_id,
    quote_value,
)
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    ANSWER_NOT_CANONICAL,
    ANSWER_NOT_IMAGE_IDS,
    FIELD_MISSING,
    IMAGES_SEVERAL,
    PART_UNREADABLE,
    SHAPE,
    TYPE_NOT_CANONICAL,
)
from memassay.exports.formats.mem_gallery.images import note_base
from memassay.exports.formats.mem_gallery.rules import (
    SESSIONS_DISAGREE,
)
from memassay.exports.formats.mem_gallery.writing import KNOWN_QUESTION, NAME
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS
from memassay.schemas.benchmarks.registry import question_type
from memassay.schemas.ids import ATTACHMENT_PATTERN, attachment_id, natural_key, record_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AnswerRelation,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

_FIELDS: Final = {
    "/question/text": "question",
    "/question/attachments": "question_image",
    "/answer": "answer",
    "/evidence": "clue",
    "/type": "point",
    "/benchmark_type": "point",
}
"""By place in a question of ours, its key in theirs."""

_IMAGE_ID: Final = re.compile(rf"(?<!\w)(?:{ATTACHMENT_PATTERN})(?!\w)")
_BETWEEN_IDS: Final = re.compile(r"[\s,;.]*(?:and\s+)?[\s,;.]*")
_QUESTION_FILE: Final = re.compile(r"QA_IMG_([0-9]{1,8})\.[A-Za-z]+")
_VISUAL: Final = frozenset({QuestionType.VISUAL_SEARCH, QuestionType.VISUAL_REASONING})


@dataclass
class QuestionReader:
    """Reads the questions of one scenario.

    Attributes:
        intake: Makes asset records; takes the findings.
        folder: Data folder, which holds `dialog` and `image`.
        assets: Asset records of the conversation, by id; those of questions are added.
        talk: The conversation the questions are about.
    """

    intake: ImageIntake
    folder: Path
    assets: dict[str, Asset]
    talk: Conversation
    _number_of: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note which rounds show images."""
        self.reading = self.intake.reading
        bundle = Bundle(conversation=self.talk)
        self._with_images = {
            each.id for item in bundle.attachment_by_id for each in bundle.rounds_of(item)
        }

    def question(self, parts: Parts, part: Any) -> QAItem | None:
        """A question as a record, or None if it is held out."""
        raw = as_object(self.reading, parts, part, "a question")
        kind = self._type(parts, raw) if raw is not None else None
        if raw is None or kind is None:
            return None
        code, type_ = kind
        item_id = self._id(parts)
        self.reading.trace.note_place(item_id, parts, _FIELDS)
        self.reading.note_unknown(raw, KNOWN_QUESTION, item_id)
        self._note_fields(item_id, raw)
        places = evidence_places(self.reading, item_id, (*parts, "clue"), raw.get("clue"))
        self._note_sessions(item_id, raw, places)
        attachments = self._attachments(parts, item_id, raw)
        answer = self._answer(parts, raw, code, type_)
        text, answer = read_choice(raw, raw["question"], answer)
        return QAItem(
            id=item_id,
            conversation=self.reading.conversation,
            question=QuestionText(text=text, attachments=attachments),
            answer=answer,
            answerable=type_ is not QuestionType.REFUSAL,
            modalities=self._modalities(type_, places, attachments),
            evidence=Evidence.of(places),
            type=type_,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
            format_prompt=FORMAT_PROMPTS.get(code),
        )

    def _id(self, parts: Parts) -> str:
        return record_id(self.reading.conversation, f"Q{int(parts[-1]) + 1:04d}")

    def _type(self, parts: Parts, raw: dict[str, Any]) -> tuple[str, QuestionType] | None:
        """Code and type of a question; None if no record can be made of it."""
        text, point = raw.get("question"), raw.get("point")
        if not isinstance(text, str) or not text:
            fix = "Write the question; upstream skips an empty one."
            self.reading.hold(PART_UNREADABLE, parts, raw, "a text under 'question'", fix)
            return None
        code = point.strip().upper() if isinstance(point, str) else ""
        type_ = question_type(NAME, code)
        if type_ is None:
            expected = "one of FR, VS, TTL, TR, VR, MR, KR, CD, AR under 'point'"
            fix = "Name the type; upstream skips a question without one."
            self.reading.hold(PART_UNREADABLE, parts, raw, expected, fix)
            return None
        if code != point:
            target = self._id(parts)
            message = f"{target}.benchmark_type: expected '{code}', got {quote_value(point)}"
            self.reading.note(
                TYPE_NOT_CANONICAL,
                target,
                "/benchmark_type",
                message,
                f"Write '{code}'.",
                at=(*parts, "point"),
                instead=[code],
            )
        return code, type_

    def _note_fields(self, item_id: str, raw: dict[str, Any]) -> None:
        for key in ("session_id", "clue"):
            if key not in raw:
                message = f"{item_id}.{key}: expected a list, got none"
                self.reading.note(FIELD_MISSING, item_id, "", message, "Write the list.")
        sessions = raw.get("session_id", [])
        if not isinstance(sessions, list) or any(not isinstance(each, str) for each in sessions):
            self.reading.note(
                SHAPE,
                item_id,
                "",
                f"{item_id}.session_id: expected a list of session ids, "
                f"got {quote_value(sessions)}",
                "Write a list; upstream keeps its first element, of a string the first letter.",
            )

    def _note_sessions(self, item_id: str, raw: dict[str, Any], places: list[str]) -> None:
        """A refusal names sessions without clues; of any other, both say the same."""
        named = raw.get("session_id")
        cited = {place.partition(":")[0] for place in places}
        if not cited or not isinstance(named, list) or {str(each) for each in named} == cited:
            return
        expected = ", ".join(sorted(cited, key=natural_key))
        message = (
            f"{item_id}.session_id: expected {expected} by its clues, got {quote_value(named)}"
        )
        self.reading.note(SESSIONS_DISAGREE, item_id, "/evidence", message, "Correct either.")

    def _answer(self, parts: Parts, raw: dict[str, Any], code: str, type_: QuestionType) -> Answer:
        item_id = self._id(parts)
        texts = gold_texts(self.reading, item_id, (*parts, "answer"), raw.get("answer"))
        refusal = type_ is QuestionType.REFUSAL
        if not texts:
            self.reading.note(
                ANSWER_MISSING,
                item_id,
                "/answer/values",
                f"{item_id}.answer: expected a text, got {quote_value(raw.get('answer'))}",
                "Write 'Not mentioned.'" if refusal else "Write the gold answer.",
            )
            return Answer(format=AnswerFormat.REFUSAL if refusal else AnswerFormat.FREE, values=[])
        if refusal:
            answer = Answer(format=AnswerFormat.REFUSAL, values=texts[:1])
        elif code == "VS":
            # A visual search asks for all images, so its list is one answer.
            return self._images(item_id, ", ".join(texts))
        else:
            answer = plain_answer(texts[0], temporal=type_ is QuestionType.TEMPORAL)
        return with_equivalents(answer, texts)

    def _images(self, item_id: str, text: str) -> Answer:
        """The answer of a visual search: image ids, all of them needed."""
        ids = _IMAGE_ID.findall(text)
        rest = _IMAGE_ID.split(text)
        if not ids or any(not _BETWEEN_IDS.fullmatch(between) for between in rest):
            named = f"Write '{', '.join(ids)}'." if ids else "Name the images by their ids."
            self.reading.note(
                ANSWER_NOT_IMAGE_IDS,
                item_id,
                "/answer/values",
                f"{item_id}.answer: expected image ids, written D<session>:IMG_<number>, "
                f"got {quote_value(text)}",
                named,
                instead=[", ".join(ids)] if ids else None,
            )
            return plain_answer(text, temporal=False)
        canonical = ", ".join(sorted(set(ids), key=natural_key))
        if canonical != text:
            self.reading.note(
                ANSWER_NOT_CANONICAL,
                item_id,
                "/answer/values",
                f"{item_id}.answer: expected '{canonical}', got {quote_value(text)}",
                "Write each id once, in ascending order, with comma and space between them.",
                instead=[canonical],
            )
        return Answer(format=AnswerFormat.IMAGE_ID, values=ids, relation=AnswerRelation.ALL)

    def _modalities(
        self, type_: QuestionType, places: list[str], attachments: list[Attachment]
    ) -> list[Modality]:
        """What a reader must look at, as far as the file shows it (our choice).

        Visual types whose evidence shows images need the image; a question with an image of its
        own needs the image and the text; everything else is taken to be text.
        """
        if type_ in _VISUAL and self._with_images.intersection(places):
            return [Modality.IMAGE]
        return [Modality.TEXT, Modality.IMAGE] if attachments else [Modality.TEXT]

    def _attachments(self, parts: Parts, item_id: str, raw: dict[str, Any]) -> list[Attachment]:
        paths, captions = raw.get("question_image", []), raw.get("image_caption", [])
        for key, value in (("question_image", paths), ("image_caption", captions)):
            if key in raw and not isinstance(value, str):
                self.reading.note(
                    SHAPE,
                    item_id,
                    "/question/attachments",
                    f"{item_id}.{key}: expected one text, got {quote_value(value)}",
                    "Write a plain string; upstream fails inside recall, catches the error and "
                    "asks the question with no memory at all.",
                )
        listed = [path for path in _strings(paths) if path]
        texts = _strings(captions)
        if texts and not listed:
            message = f"{item_id}.question_image: expected the captioned image, got none"
            self.reading.note(FIELD_MISSING, item_id, "", message, "Name the image.")
        if len(listed) > 1:
            message = f"{item_id}.question_image: expected one image, got {len(listed)}"
            self.reading.note(IMAGES_SEVERAL, item_id, "", message, "Upstream shows one; keep it.")
        return [
            self._attachment(parts, path, texts[at] if at < len(texts) else None)
            for at, path in enumerate(listed)
        ]

    def _attachment(self, parts: Parts, path: str, caption: str | None) -> Attachment:
        """A question's image; questions that name one path share its record."""
        if path not in self._number_of:
            taken = set(self._number_of.values())
            named = _QUESTION_FILE.search(path)
            wanted = attachment_id("Q", int(named[1])) if named else ""
            free = free_id(lambda number: attachment_id("Q", number), 1, taken)
            self._number_of[path] = wanted if wanted and wanted not in taken else free
        name = self._number_of[path]
        asset = record_id(self.reading.conversation, f"QA_{name.partition(':')[2]}")
        self.reading.trace.note_place(asset, (*parts, "question_image"))
        note_base(self.reading, asset, path)
        self.assets[asset] = self.intake.from_file(asset, path, self.folder, caption, question=True)
        return Attachment(id=name, asset=asset, caption=caption)


def _strings(value: Any) -> list[str]:
    entries = value if isinstance(value, list) else [value]
    return [entry for entry in entries if isinstance(entry, str)]
