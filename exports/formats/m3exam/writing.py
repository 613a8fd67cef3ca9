"""M3Exam's layout written from records: a conversation, a question bank, a flat image folder."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from memassay.exports.foreign.answers import question_with_options
from memassay.exports.foreign.reading import own_extras
from memassay.exports.foreign.session_layout import PROFILE, SESSIONS, SessionLayout
from memassay.exports.foreign.unfit import unfit_parts
from memassay.exports.formats.mem_gallery.writing import (
    clues_of,
    round_json,
    top_json,
    user_of,
)
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import ATTACHMENT_PATTERN, slug
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Round
from memassay.schemas.records.conversation import SpeakerKind as Kind
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType

NAME: Final = "m3exam"
CONVERSATION_FILE, QUESTION_FILE = "conversation.json", "question.json"
IMAGES, DOCUMENTS = "images", "documents"
KNOWN_TOP: Final = frozenset({PROFILE, SESSIONS})
KNOWN_ROUND: Final = frozenset(
    {"round", "user", "assistant", "input_image", "image_id", "image_caption", "document_page"}
)
KNOWN_QUESTION: Final = frozenset(
    {"question", "answer", "label", "supporting_facts", "type", "format_prompt"}
)
IMAGE_FILE: Final = re.compile(
    r"(?:[A-Za-z0-9][A-Za-z0-9_-]*/)?(img_[1-9][0-9]{0,8})\.[A-Za-z0-9]+"
)
REFUSAL: Final = "Not mentioned."

_ID: Final = re.compile(rf"(?<!\w)(?:{ATTACHMENT_PATTERN})(?!\w)")
_CODES: Final = {
    QuestionType.CROSS_MODAL: "mr",
    QuestionType.VISUAL_RECALL: "mr",
    QuestionType.VISUAL_UPDATE: "mr",
    QuestionType.LEARNED_CONCEPT: "mr",
    QuestionType.KNOWLEDGE_UPDATE: "ms",
    QuestionType.CONFLICT: "ms",
    QuestionType.EXTERNAL_KNOWLEDGE: "ms",
    QuestionType.REFUSAL: "ss",
} | {type_: code for code, type_ in CROSSWALK[NAME].items()}
_SUFFIXES: Final = {
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "application/pdf": ".pdf",
}


@dataclass(frozen=True)
class ImageNames:
    """The `img_<n>` names of one conversation, numbered over all its sessions.

    Attributes:
        bundle: The conversation.
        of_asset: Name by asset id; an asset that is shown twice has one name.
    """

    bundle: Bundle
    of_asset: Mapping[str, str]

    def of(self, attachment: Attachment) -> str:
        """The name of an attachment of the history."""
        return self.of_asset[attachment.asset]

    def path(self, asset_id: str) -> str:
        """Where the image file is, relative to the persona's folder; an address stays itself."""
        asset = self.bundle.asset_by_id.get(asset_id)
        own = asset.uri if asset is not None else None
        if own and own.startswith(("http://", "https://")):
            return own
        if own and (found := IMAGE_FILE.fullmatch(own)) and found[1] == self.of_asset[asset_id]:
            return own
        suffix = _SUFFIXES.get(asset.media_type or "" if asset else "", ".png")
        return f"{IMAGES}/{self.of_asset[asset_id]}{suffix}"

    def rewritten(self, text: str) -> str:
        """A text with our attachment ids replaced by names, whole ids only."""
        shown = self.bundle.attachment_by_id
        return _ID.sub(lambda at: self.of(shown[at[0]][1]) if at[0] in shown else at[0], text)


def image_names(bundle: Bundle) -> ImageNames:
    """Names for every image shown, in time order; numbers that a file had before are kept."""
    assets = list(dict.fromkeys(item.asset for _, item in bundle.conversation.attachments()))
    names: dict[str, str] = {}
    for asset_id in assets:
        asset = bundle.asset_by_id.get(asset_id)
        found = IMAGE_FILE.fullmatch(asset.uri or "") if asset is not None else None
        if found and found[1] not in names.values():
            names[asset_id] = found[1]
    taken, number = set(names.values()), 0
    for asset_id in assets:
        if asset_id in names:
            continue
        number += 1
        while f"img_{number}" in taken:
            number += 1
        names[asset_id] = f"img_{number}"
    return ImageNames(bundle, names)


def folder_names(conversations: Sequence[str]) -> dict[str, str]:
    """By conversation id, its folder in the paper's style: `Alex_Veterinarian`.

    Ids that would share a folder, on a file system that ignores case too, get a number behind.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for conversation in conversations:
        parts = [part for part in re.split("[-_]+", conversation) if part]
        plain = "_".join(part[0].upper() + part[1:] for part in parts)
        name, number = plain, 1
        while name.lower() in taken:
            number += 1
            name = f"{plain}_{number}"
        taken.add(name.lower())
        names[conversation] = name
    return names


def document_path(asset: Asset) -> str:
    """Where a PDF is, relative to the persona's folder."""
    if asset.uri and re.fullmatch(rf"{DOCUMENTS}/[^/\\]+\.pdf", asset.uri):
        return asset.uri
    local = asset.id.partition("/")[2].removeprefix("PDF_")
    return f"{DOCUMENTS}/{slug(local, 'document')}.pdf"


def files_of(bundle: Bundle, names: ImageNames) -> list[tuple[str, Asset]]:
    """The present images and PDFs to write, each with its path in the persona's folder."""
    files = [(names.path(each), bundle.asset_by_id.get(each)) for each in names.of_asset]
    parents = dict.fromkeys(asset.parent for _, asset in files if asset and asset.parent)
    documents = [bundle.asset_by_id[each] for each in parents if each in bundle.asset_by_id]
    files += [(document_path(each), each) for each in documents]
    return [
        (path, asset)
        for path, asset in files
        if asset is not None and asset.availability is Availability.PRESENT
    ]


def layout_of(bundle: Bundle, names: ImageNames) -> SessionLayout:
    """How the parts of a bundle are written: its conversation and its question bank."""
    return SessionLayout(
        NAME,
        KNOWN_TOP,
        KNOWN_ROUND,
        KNOWN_QUESTION,
        lambda each: exchange_json(bundle, each, names),
        lambda item: question_json(bundle, item, names),
    )


def profile_json(talk: Conversation) -> dict[str, Any]:
    """The keys at the top of `conversation.json`, its sessions left out."""
    return {PROFILE: top_json(talk)[PROFILE]}


def exchange_json(bundle: Bundle, round_: Round, names: ImageNames) -> dict[str, Any]:
    """A round: what each side says, and the images and pages it shows, by file name."""
    both = round_json(bundle, round_)
    ours = {side: names.rewritten(both[side]) for side in ("user", "assistant")}
    ours = {"round": round_.id, **ours}
    images = [image for turn in round_.turns for image in turn.attachments]
    if not images:
        return ours
    pages = [_page(bundle, image) for image in images]
    return {
        **ours,
        "input_image": [names.path(image.asset) for image in images],
        "image_id": [names.of(image) for image in images],
        "image_caption": [names.rewritten(image.caption or "") for image in images],
        **({"document_page": pages} if any(pages) else {}),
    }


def _page(bundle: Bundle, image: Attachment) -> dict[str, Any] | None:
    asset = bundle.asset_by_id.get(image.asset)
    parent = bundle.asset_by_id.get(asset.parent or "") if asset is not None else None
    if asset is None or parent is None:
        return None
    file = PurePosixPath(document_path(parent)).name
    return {"document": file, "page": image.page or asset.page}


def question_json(bundle: Bundle, item: QAItem, names: ImageNames) -> dict[str, Any]:
    """An item of `question.json`."""
    answers = [names.rewritten(text) for text in ordered_answers(item)]
    ours: dict[str, Any] = {
        "question": names.rewritten(question_with_options(item)),
        "answer": answers,
        "label": answers[0],
        "supporting_facts": clues_of(bundle, item),
        "type": code_of(item),
    }
    if item.format_prompt:
        ours["format_prompt"] = item.format_prompt
    return ours


def ordered_answers(item: QAItem) -> list[str]:
    """The answer list: gold, its other wordings, coarser ones; for `fm` the competing images.

    Competitors of other types are wrong answers, and graded exact match would credit them.
    """
    answer = item.answer
    golds = answer.values if answer.relation is AnswerRelation.ONE else [", ".join(answer.values)]
    if answer.format is AnswerFormat.REFUSAL or not answer.values:
        golds = [REFUSAL] if answer.format is AnswerFormat.REFUSAL else [""]
    listed = [*golds, *answer.equivalents, *answer.coarser]
    competing = answer.competitors if answer.format is AnswerFormat.IMAGE_ID else []
    return list(dict.fromkeys([*listed, *competing]))


def code_of(item: QAItem) -> str:
    """M3Exam's code of a question's type; the nearest one where it has none."""
    own = item.benchmark_type
    return own if CROSSWALK[NAME].get(own) is item.type else _CODES[item.type]


def with_types_of_facts(bank: list[dict[str, Any]]) -> None:
    """Tell questions of one fact from those of several sessions (A.3: ss, ms)."""
    for question in bank:
        cited = question["supporting_facts"]
        if question["type"] in {"ss", "ms"}:
            question["type"] = "ss" if len(cited) == 1 else "ms"


def unfit_of(bundle: Bundle) -> list[Unfit]:
    """What of a conversation the layout has no place for."""
    talk = bundle.conversation
    fields = ("equivalents", "coarser", "options", "competitors")
    unfit = unfit_parts(bundle, NAME, fields)
    found: list[tuple[str, str, str]] = []
    if bundle.personas:
        found.append((talk.id, "persona and core event", "has no field for them"))
    if bundle.events:
        found.append((talk.id, f"timeline of {len(bundle.events)} events", "has no field for it"))
    for each in talk.speakers:
        if each is not user_of(talk) and (
            each.kind is not Kind.ASSISTANT or len(talk.speakers) > 2
        ):
            found.append((talk.id, f"name of speaker {each.id}", "has one user and one assistant"))
    found += [
        (talk.id, f"missing date of session {session.id}", "has no undated sessions")
        for session in talk.sessions
        if session.date is None and not own_extras(session.extras, NAME)
    ]
    for round_ in talk.rounds():
        found += [(talk.id, what, why) for what, why in _round_unfit(talk, round_)]
    for item in bundle.questions:
        found += [(item.id, what, why) for what, why in _question_unfit(item)]
    return [*unfit, *(Unfit(record, what, f"{NAME} {why}") for record, what, why in found)]


def _round_unfit(talk: Conversation, round_: Round) -> list[tuple[str, str]]:
    user = user_of(talk).id
    mine = sum(turn.speaker == user for turn in round_.turns)
    found = []
    if mine > 1 or len(round_.turns) - mine > 1:
        found.append((f"turn boundaries of round {round_.id}", "has one turn a side"))
    found += [
        (f"who shows {shown.id}", "has images on the user's side only")
        for turn in round_.turns
        for shown in turn.attachments
        if turn.speaker != user
    ]
    return found


def _question_unfit(item: QAItem) -> list[tuple[str, str]]:
    found = []
    code = code_of(item)
    if CROSSWALK[NAME][code] is not item.type:
        found.append((f"type {item.type}", f"has no such type; written as {code}"))
    if not item.answer.values and item.answer.format is not AnswerFormat.REFUSAL:
        found.append(("missing answer", "has no items without one; written as empty text"))
    if item.answer.competitors and item.answer.format is not AnswerFormat.IMAGE_ID:
        found.append(("answer.competitors", "lists no wrong answers but images of fm"))
    found += [
        (f"attachment {image.id}", "shows no images with a question")
        for image in item.question.attachments
    ]
    return found
