"""M3Exam files read as records: the conversation, its images and its PDFs."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from memassay.exports.foreign_images import find_inside
from memassay.exports.foreign_json import Document, Parts
from memassay.exports.foreign_reading import kept, shown
from memassay.exports.foreign_rules import (
    ID_MALFORMED,
    ID_REPEATED,
    IMAGE_MISSING,
    IMAGE_UNREADABLE,
    KEY_MISSING,
    SHAPE,
)
from memassay.exports.m3exam_export import (
    CONVERSATION_FILE,
    DOCUMENTS,
    IMAGE_FILE,
    KNOWN_QUESTION,
    KNOWN_ROUND,
    KNOWN_TOP,
    NAME,
    ImageNames,
    exchange_json,
    image_names,
    profile_json,
    question_json,
)
from memassay.exports.m3exam_questions import BankReader
from memassay.exports.mem_gallery_export import (
    KNOWN_PROFILE,
    KNOWN_SESSION,
    PROFILE,
    SESSIONS,
    session_json,
)
from memassay.exports.mem_gallery_images import entries_of
from memassay.exports.mem_gallery_import import ScenarioReader
from memassay.schemas.asset import Asset, Availability
from memassay.schemas.bundle import Bundle
from memassay.schemas.conversation import (
    Attachment,
    Conversation,
    Round,
    Session,
    Speaker,
    SpeakerKind,
)
from memassay.schemas.conversation import Path as SynthesisPath
from memassay.schemas.ids import attachment_id, natural_key, record_id, slug
from memassay.schemas.protocols import Imported
from memassay.schemas.question import QAItem

Part = TypeVar("Part", Conversation, Session, Round, QAItem)

_LISTS: Final = ("image_id", "input_image", "image_caption", "document_page")


@dataclass
class PersonaReader(ScenarioReader):
    """Reads one persona's folder; sessions and profile are read as Mem-Gallery's are."""

    known_round: ClassVar[frozenset[str]] = frozenset(KNOWN_ROUND)

    _assets: dict[str, Asset] = field(default_factory=dict)
    _shown: dict[tuple[str, str], int] = field(default_factory=dict)

    def read_persona(self, document: Document, bank: Document | None) -> Imported:
        """The persona as records.

        Args:
            document: `conversation.json`.
            bank: `question.json`; None if there is none.

        Raises:
            SourceError: A link leads out of the persona's folder.
        """
        raw, reading = document.value, self.reading
        reading.note_document(document, lambda _: reading.conversation)
        if not isinstance(raw.get(SESSIONS), list):
            expected, fix = f"a list under '{SESSIONS}'", "Name the sessions so."
            reading.hold(KEY_MISSING, (CONVERSATION_FILE,), raw, expected, fix)
            return reading.imported(None)
        self._claim(raw[SESSIONS])
        talk = Conversation(
            id=reading.conversation,
            collection=NAME,
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
        reading.note_unknown(raw, KNOWN_TOP, talk.id)
        assets = sorted(self._assets.values(), key=lambda asset: natural_key(asset.id))
        bundle = Bundle(conversation=talk, assets=assets)
        return reading.imported(self._whole(bundle, raw, bank))

    def _attachments(self, parts: Parts, raw: dict[str, Any], session: str) -> list[Attachment]:
        """The images of a round, from parallel lists; a wrong type is reported and skipped."""
        lists = {key: entries_of(raw.get(key)) for key in _LISTS}
        for key in _LISTS:
            if not isinstance(raw.get(key, []), list):
                self._note(SHAPE, (*parts, key), "a list", shown(raw[key]), "Write a list.")
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
            self._note(SHAPE, parts, expected, shown(page), "Write both.")
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
            got = shown(written if written is not None else uri or "")
            self._note(ID_MALFORMED, parts, expected, got, "Name the file and the image so.")
        asset_id = record_id(self.reading.conversation, local)
        known = self._assets.get(asset_id)
        if known is None:
            self._assets[asset_id] = self.intake.from_file(
                asset_id, uri, self.folder, caption, question=False
            )
        elif known.uri != uri:
            fix = "Number one of them anew; the first was read."
            self._note(ID_REPEATED, parts, f"'{known.uri}' under {local}", shown(uri or ""), fix)
        return asset_id

    def _set_page(self, asset_id: str, page: dict[str, Any], leaf: int) -> None:
        document = page.get("document")
        if not isinstance(document, str) or "/" in document or "\\" in document:
            fix = f"Put the PDF into {DOCUMENTS} and name it so."
            self._note(SHAPE, (asset_id,), "the file name of a PDF", shown(document), fix)
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

    def _whole(self, bundle: Bundle, raw: dict[str, Any], bank: Document | None) -> Bundle:
        """The bundle with its questions, and with extras that bring both files back."""
        names = image_names(bundle)
        reader = BankReader(self.reading, bundle, names)
        read = reader.questions(bank)
        bundle = bundle.model_copy(update={"questions": [item for item, _ in read]})
        questions = [
            _with(item, kept(part, question_json(bundle, item, names), KNOWN_QUESTION))
            for item, part in read
        ]
        talk = bundle.conversation
        sessions = [self._session(bundle, session, names) for session in talk.sessions]
        talk = _with(talk.model_copy(update={"sessions": sessions}), _top_extras(talk, raw))
        return bundle.model_copy(update={"conversation": talk, "questions": questions})

    def _session(self, bundle: Bundle, session: Session, names: ImageNames) -> Session:
        rounds = []
        for each in session.rounds:
            ours = exchange_json(bundle, each, names)
            rounds.append(_with(each, kept(self._raw_rounds[each.id], ours, KNOWN_ROUND)))
        given = _without(self._raw_sessions[session.id], "dialogues")
        extras = kept(given, session_json(session), KNOWN_SESSION)
        return _with(session.model_copy(update={"rounds": rounds}), extras)


def _top_extras(talk: Conversation, raw: dict[str, Any]) -> dict[str, Any]:
    top, ours = _without(raw, SESSIONS), profile_json(talk)
    nested: dict[str, Any] = {}
    if isinstance(top.get(PROFILE), dict):
        nested = kept(top[PROFILE], ours[PROFILE], KNOWN_PROFILE)
        top[PROFILE] = ours[PROFILE]
    return {**kept(top, ours, KNOWN_TOP), **({PROFILE: nested} if nested else {})}


def _without(raw: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: raw[name] for name in raw if name != key}


def _with(part: Part, extras: dict[str, Any]) -> Part:
    return part.model_copy(update={"extras": {NAME: extras}}) if extras else part


def _at(entries: list[Any], at: int) -> Any:
    return entries[at] if at < len(entries) else None
