"""Mem-Gallery's layout written from records, in the shape that its reader expects."""

from typing import Any, Final

from memassay.exports.foreign.answers import (
    CHOICE,
    choice_json,
    question_with_options,
    with_option_texts,
)
from memassay.exports.foreign.images import image_place
from memassay.exports.foreign.reading import own_extras
from memassay.exports.foreign.session_layout import (
    PROFILE,
    SESSIONS,
    SessionLayout,
)
from memassay.exports.foreign.unfit import unfit_parts
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import parse_place, slug
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    Speaker,
)
from memassay.schemas.records.conversation import SpeakerKind as Kind
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType

NAME: Final = "mem-gallery"
QUESTIONS: Final = "human-annotated QAs"
KNOWN_TOP: Final = frozenset({PROFILE, SESSIONS, QUESTIONS})
KNOWN_ROUND: Final = frozenset(
    {"round", "user", "assistant", "input_image", "image_id", "image_caption"}
)
KNOWN_QUESTION: Final = frozenset(
    {"point", "question", "answer", "session_id", "clue", "question_image", "image_caption", CHOICE}
)
REFUSAL: Final = "Not mentioned."

_CODES: Final = {
    QuestionType.CROSS_MODAL: "VR",
    QuestionType.VISUAL_RECALL: "VR",
    QuestionType.VISUAL_UPDATE: "KR",
    QuestionType.THEMATIC: "MR",
    QuestionType.JUDGEMENT: "MR",
    QuestionType.IMPLICIT: "MR",
    QuestionType.EXTERNAL_KNOWLEDGE: "MR",
} | {type_: code for code, type_ in CROSSWALK[NAME].items()}
_SUFFIXES: Final = {"image/png": ".png", "image/webp": ".webp", "image/gif": ".gif"}


def scenario_name(talk: Conversation) -> str:
    """Name of a scenario's file and image folder: the original one where there is one."""
    title = talk.title or ""
    whole = talk.collection == NAME and title and slug(title, "") == talk.id and "/" not in title
    return title if whole else talk.id


def scenario_json(bundle: Bundle) -> tuple[dict[str, Any], list[Unfit]]:
    """A conversation as a Mem-Gallery file, and what of it did not fit."""
    talk = bundle.conversation
    unfit = [*unfit_parts(bundle, NAME, answer_fields=("options",)), *_speakers_unfit(talk)]
    layout = layout_of(bundle)
    top = {**top_json(talk), QUESTIONS: layout.questions(bundle.questions)}
    unfit += [
        Unfit(talk.id, f"missing date of session {session.id}", f"{NAME} has no undated sessions")
        for session in talk.sessions
        if session.date is None and not own_extras(session.extras, NAME)
    ]
    unfit += [each for round_ in talk.rounds() for each in _round_unfit(talk, round_)]
    unfit += [each for item in bundle.questions for each in _question_unfit(item)]
    return layout.document(talk, top), unfit


def layout_of(bundle: Bundle) -> SessionLayout:
    """How the parts of a bundle are written."""
    return SessionLayout(
        NAME,
        KNOWN_TOP,
        KNOWN_ROUND,
        KNOWN_QUESTION,
        lambda each: round_json(bundle, each),
        lambda item: question_json(bundle, item),
    )


def user_of(talk: Conversation) -> Speaker:
    """Who is on the user's side: the first human, or else the first speaker."""
    return next((each for each in talk.speakers if each.kind is Kind.HUMAN), talk.speakers[0])


def top_json(talk: Conversation) -> dict[str, Any]:
    """The keys at the top of a file, its sessions left out."""
    speaker = user_of(talk)
    profile = speaker.profile
    return {
        PROFILE: {
            "name": speaker.name,
            "persona_summary": profile.summary or "" if profile else "",
            "traits": list(profile.traits) if profile else [],
            "conversation_style": profile.style or "" if profile else "",
        },
        QUESTIONS: [],
    }


def round_json(bundle: Bundle, round_: Round) -> dict[str, Any]:
    """A round: what each side says, turns of one side joined by newlines, and its images."""
    user = user_of(bundle.conversation).id
    sides: dict[str, list[str]] = {"user": [], "assistant": []}
    for turn in round_.turns:
        sides["user" if turn.speaker == user else "assistant"].append(turn.text)
    ours: dict[str, Any] = {"round": round_.id}
    ours |= {side: "\n".join(text for text in texts if text) for side, texts in sides.items()}
    images = images_of(round_)
    if images:
        ours["image_id"] = [image.id for image in images]
        ours["input_image"] = [image_path(bundle, image) for image in images]
        ours["image_caption"] = [image.caption or "" for image in images]
    return ours


def images_of(round_: Round) -> list[Attachment]:
    """The images of a round; documents have no place in this layout."""
    return [image for turn in round_.turns for image in turn.attachments if not is_document(image)]


def is_document(attachment: Attachment) -> bool:
    """Whether an attachment is a document or a page of one."""
    return ":DOC_" in attachment.id


def image_path(bundle: Bundle, attachment: Attachment) -> str:
    """The path of an image as this layout writes it: its own, or one made from its id."""
    asset = bundle.asset_by_id.get(attachment.asset)
    question = attachment.id.startswith("Q:")
    own = asset.uri if asset is not None else None
    if own and _is_ours(bundle, own) and image_place(own, question=question) is not None:
        return own
    name = attachment.id.replace(":", "_")
    if question:
        name = attachment.asset.partition("/")[2]
        name = name if name.startswith("QA_") else f"QA_{name}"
    suffix = _SUFFIXES.get(asset.media_type or "" if asset else "", ".jpg")
    return f"../image/{scenario_name(bundle.conversation)}/{name}{suffix}"


def _is_ours(bundle: Bundle, uri: str) -> bool:
    folder = f"../image/{scenario_name(bundle.conversation)}/"
    return bundle.conversation.collection == NAME or uri.startswith(folder)


def image_files(bundle: Bundle) -> dict[str, Asset]:
    """The present images to write, by their path below the data folder."""
    attachments = [image for round_ in bundle.conversation.rounds() for image in images_of(round_)]
    attachments += [image for item in bundle.questions for image in question_images(item)]
    files: dict[str, Asset] = {}
    for image in attachments:
        asset = bundle.asset_by_id.get(image.asset)
        place = image_place(image_path(bundle, image), question=image.id.startswith("Q:"))
        if asset is not None and asset.availability is Availability.PRESENT and place:
            files.setdefault(place, asset)
    return files


def question_images(item: QAItem) -> list[Attachment]:
    """The image of a question; the layout has place for one."""
    return [image for image in item.question.attachments if not is_document(image)][:1]


def question_json(bundle: Bundle, item: QAItem) -> dict[str, Any]:
    """A question with its answer and its clues."""
    clues = clues_of(bundle, item)
    ours: dict[str, Any] = {
        "point": code_of(item),
        "question": question_with_options(item),
        "answer": answer_text(with_option_texts(item)),
        "session_id": list(dict.fromkeys(clue.partition(":")[0] for clue in clues)),
        "clue": clues,
        **choice_json(item),
    }
    for image in question_images(item):
        ours["question_image"] = image_path(bundle, image)
        ours["image_caption"] = image.caption or ""
    return ours


def code_of(item: QAItem) -> str:
    """Mem-Gallery's code of a question's type; the nearest one where it has none."""
    own = item.benchmark_type
    if own in CROSSWALK[NAME] and CROSSWALK[NAME][own] is item.type:
        return own
    return _CODES[item.type] if item.answerable else "AR"


def clues_of(bundle: Bundle, item: QAItem) -> list[str]:
    """Round ids of the evidence, in its order; a place that does not exist stays as it is."""
    places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    clues: list[str] = []
    for place in places:
        parsed = parse_place(place)
        if parsed is not None and parsed.round is not None and parsed.turn is None:
            clues.append(place)
        else:
            clues += [round_.id for round_ in bundle.rounds_of(place)] or [place]
    return clues


def answer_text(item: QAItem) -> str:
    """The gold answer as the benchmark's scorer compares it."""
    answer = item.answer
    if answer.format is AnswerFormat.REFUSAL:
        return REFUSAL
    if not answer.values:
        return ""
    if answer.relation is not AnswerRelation.ONE:
        return ", ".join(answer.values)
    value = answer.values[0]
    if answer.format is AnswerFormat.YES_NO:
        return {"yes": "Yes.", "no": "No."}.get(value.strip(" .").lower(), value)
    return value


def lost_speakers(talk: Conversation) -> list[Speaker]:
    """Speakers whose names the layout has no place for: all but the user and one assistant."""
    others = [each for each in talk.speakers if each is not user_of(talk)]
    return [each for each in others if each.kind is not Kind.ASSISTANT or len(others) > 1]


def _speakers_unfit(talk: Conversation) -> list[Unfit]:
    lost = lost_speakers(talk)
    why = f"{NAME} has one user and one assistant; all others speak as the assistant"
    return [Unfit(talk.id, f"name of speaker {each.id}", why) for each in lost]


def _round_unfit(talk: Conversation, round_: Round) -> list[Unfit]:
    user = user_of(talk).id
    found = []
    turns_of_user = sum(turn.speaker == user for turn in round_.turns)
    if turns_of_user > 1 or len(round_.turns) - turns_of_user > 1:
        found.append((f"turn boundaries of round {round_.id}", "has one turn a side"))
    for turn in round_.turns:
        for shown in turn.attachments:
            if is_document(shown):
                found.append((f"document {shown.id}", "has images only"))
            elif turn.speaker != user:
                found.append((f"who shows {shown.id}", "has images on the user's side only"))
    found += [
        (f"image {image.id}", "is in the file, but its reader shows a round's first image only")
        for image in images_of(round_)[1:]
    ]
    return [Unfit(talk.id, what, f"{NAME} {why}") for what, why in found]


def _question_unfit(item: QAItem) -> list[Unfit]:
    found = []
    if CROSSWALK[NAME][code_of(item)] is not item.type:
        found.append((f"type {item.type}", f"has no such type; written as {code_of(item)}"))
    if not item.answer.values:
        found.append(("missing answer", "has no items without an answer; written as empty text"))
    left = [image for image in item.question.attachments if image not in question_images(item)]
    found += [(f"attachment {image.id}", "shows one image with a question") for image in left]
    return [Unfit(item.id, what, f"{NAME} {why}") for what, why in found]
