"""M3Exam files read as records: the conversation, its images and its PDFs."""

from pathlib import Path
from typing import Any, Final

from memassay.exports.foreign.images import ImageIntake, find_inside
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, entries_of, quote_value
from memassay.exports.foreign.rules import (
    ID_MALFORMED,
    ID_REPEATED,
    IMAGE_MISSING,
    IMAGE_UNREADABLE,
    SHAPE,
)
from memassay.exports.foreign.session_layout import RawParts
from memassay.exports.foreign.session_reader import SessionReader
from memassay.exports.formats.m3exam.questions import BankReader
from memassay.exports.formats.m3exam.writing import (
    CONVERSATION_FILE,
    DOCUMENTS,
    IMAGE_FILE,
    KNOWN_ROUND,
    KNOWN_TOP,
    NAME,
    image_names,
    layout_of,
    profile_json,
)
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.ids import attachment_id, natural_key, record_id, slug
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation

_LISTS: Final = ("image_id", "input_image", "image_caption", "document_page")


class PersonaReader:
    """Reads one persona's folder; what it cannot make a record of is held out."""

    def __init__(self, reading: Reading, folder: Path, intake: ImageIntake) -> None:
        """Start with nothing read.

        Args:
            reading: Takes the findings; knows the conversation's id.
            folder: The persona's folder, whose name is the conversation's title.
            intake: Makes asset records.
        """
        self.reading, self.folder, self.intake = reading, folder, intake
        self._history = SessionReader(
            reading, NAME, folder.name, KNOWN_TOP, KNOWN_ROUND, self._attachments
        )
        self._note = self._history.note
        self._assets: dict[str, Asset] = {}
        self._shown: dict[tuple[str, str], int] = {}

    def read(self, document: Document, bank: Document | None) -> Imported:
        """The persona as records.

        Args:
            document: `conversation.json`.
            bank: `question.json`; None if there is none.

        Raises:
            SourceError: A link leads out of the persona's folder.
        """
        raw, reading = document.value, self.reading
        reading.note_document(document, lambda _: reading.conversation)
        talk = self._history.conversation(raw, (CONVERSATION_FILE,), "Name the sessions so.")
        return reading.result(None if talk is None else self._whole(talk, raw, bank))

    def _attachments(self, parts: Parts, raw: dict[str, Any], session: str) -> list[Attachment]:
        """The images of a round, from parallel lists; a wrong type is reported and skipped."""
        lists = {key: entries_of(raw.get(key)) for key in _LISTS}
        for key in _LISTS:
            if not isinstance(raw.get(key, []), list):
                self._note(SHAPE, (*parts, key), "a list", quote_value(raw[key]), "Write a list.")
        number = max(len(lists["image_id"]), len(lists["input_image"]))
        entries = ({key: _at(lists[key], at) for key in _LISTS} for at in range(number))
        return [
            self._attachment((*parts, "input_image", at), entry, session)
            for at, entry in enumerate(entries)
        ]

    def _attachment(self, parts: Parts, entry: dict[str, Any], session: str) -> Attachment:
        uri = entry["input_image"] if isinstance(entry["input_image"], str) else None
        caption = entry["image_caption"] if isinstance(entry["image_caption"], str) else None
        page = entry["document_page"] if isinstance(entry["document_page"], dict) else None
        kind = "DOC" if page else "IMG"
        number = self._shown[session, kind] = self._shown.get((session, kind), 0) + 1
        name = attachment_id(session, number, kind)
        asset_id = self._image(parts, entry["image_id"], uri, caption, name)
        leaf = page.get("page") if page else None
        if page is not None and isinstance(leaf, int) and not isinstance(leaf, bool) and leaf > 0:
            self._set_page(asset_id, page, leaf)
        elif page is not None:
            expected = "a document's file name and a 1-based page"
            self._note(SHAPE, parts, expected, quote_value(page), "Write both.")
            leaf = None
        return Attachment(id=name, asset=asset_id, caption=caption or None, page=leaf)

    def _image(
        self, parts: Parts, written: Any, uri: str | None, caption: str | None, name: str
    ) -> str:
        """Id of the asset an entry names; one image name is one asset."""
        given = f"images/{written}.png" if isinstance(written, str) else uri
        found = IMAGE_FILE.fullmatch(given or "")
        # Padded, because ids of records must not be prefixes of each other.
        local = f"img_{int(found[1].removeprefix('img_')):04d}" if found else name
        if found is None:
            expected = "an image named img_<n>, as in 'images/img_60.png'"
            got = quote_value(written if written is not None else uri or "")
            self._note(ID_MALFORMED, parts, expected, got, "Name the file and the image so.")
        asset_id = record_id(self.reading.conversation, local)
        self.reading.trace.note_place(asset_id, parts)
        self.reading.trace.note_place(part_key(self.reading.conversation, name), parts)
        known = self._assets.get(asset_id)
        if known is None:
            self._assets[asset_id] = self.intake.from_file(
                asset_id, uri, self.folder, caption, question=False
            )
        elif known.uri != uri:
            fix = "Give one of them another number; the first was read."
            self._note(
                ID_REPEATED, parts, f"'{known.uri}' under {local}", quote_value(uri or ""), fix
            )
        return asset_id

    def _set_page(self, asset_id: str, page: dict[str, Any], leaf: int) -> None:
        document = page.get("document")
        if not isinstance(document, str) or "/" in document or "\\" in document:
            fix = f"Put the PDF into {DOCUMENTS} and name it so."
            self._note(SHAPE, (asset_id,), "the file name of a PDF", quote_value(document), fix)
            return
        local = slug(document.removesuffix(".pdf"), "document")[:120]
        parent = record_id(self.reading.conversation, f"PDF_{local}")
        if parent not in self._assets:
            self._assets[parent] = self._document(parent, f"{DOCUMENTS}/{document}")
        update = {"parent": parent, "page": leaf}
        self._assets[asset_id] = self._assets[asset_id].model_copy(update=update)

    def _document(self, asset_id: str, uri: str) -> Asset:
        """The asset of a PDF; one that is not there or no PDF is a finding."""
        path = find_inside(self.folder, uri)
        data = path.read_bytes() if path is not None else None
        if data is not None and data.startswith(b"%PDF-"):
            return self.intake.asset(
                asset_id,
                uri,
                availability=Availability.PRESENT,
                blob_sha256=self.intake.blobs.put(data),
                media_type="application/pdf",
            )
        rule, got = (IMAGE_MISSING, "none") if data is None else (IMAGE_UNREADABLE, "other bytes")
        message = f"{asset_id}.uri: expected a PDF at '{uri}', got {got}"
        self.reading.note(rule, asset_id, "/uri", message, "Put the PDF in its place.")
        return self.intake.asset(asset_id, uri)

    def _whole(self, talk: Conversation, raw: dict[str, Any], bank: Document | None) -> Bundle:
        """The bundle with its questions, and with extras that bring both files back."""
        assets = sorted(self._assets.values(), key=lambda asset: natural_key(asset.id))
        bundle = Bundle(conversation=talk, assets=assets)
        names = image_names(bundle)
        read = BankReader(self.reading, bundle, names).questions(bank)
        bundle = bundle.model_copy(update={"questions": [item for item, _ in read]})
        questions = {item.id: part for item, part in read}
        parts = RawParts(raw, self._history.raw_sessions, self._history.raw_rounds, questions)
        return layout_of(bundle, names).with_extras(bundle, parts, profile_json(talk))


def _at(entries: list[Any], at: int) -> Any:
    return entries[at] if at < len(entries) else None
