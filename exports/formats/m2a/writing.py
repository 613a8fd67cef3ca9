"""M2A's layout written from records; one turn of ours is one turn of theirs."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, Final

from memassay.exports.foreign.dated_sessions import DatedSessions, date_json, has_day
from memassay.exports.foreign.reading import own_extras, restore
from memassay.exports.foreign.unfit import unfit_parts
from memassay.exports.formats.m2a.places import dialogue_ids, session_number
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Session, Turn
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType

NAME: Final = "m2a"
KNOWN_TOP: Final = frozenset({"conversation", "qa"})
KNOWN_TALK: Final = frozenset({"speaker_0", "speaker_1", "n_session"})
KNOWN_TURN: Final = frozenset({"speaker", "dia_id", "images", "text"})
KNOWN_QUESTION: Final = frozenset({"question", "answer", "answers", "evidence", "category"})
IMAGES: Final = "images"

_CODES: Final = {type_: code for code, type_ in CROSSWALK["locomo"].items() if code != "5"}
_VISUAL: Final = {"1": "6", "2": "7", "3": "8", "4": "9"}
"""The category of a question about what pictures show, by that of the same question without."""
_SAFE: Final = re.compile(r"[A-Za-z0-9][^\0\\:]*")
_SUFFIXES: Final = {"image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}


def sample_json(bundle: Bundle) -> tuple[dict[str, Any], list[Unfit]]:
    """A conversation as an M2A sample, and what of it did not fit."""
    talk = bundle.conversation
    kept = own_extras(talk.extras, NAME)
    ids = dialogue_ids(talk)
    conversation = restore(talk_json(talk), kept.get("conversation", {}), KNOWN_TALK)
    conversation |= SESSIONS.write_sessions(
        talk, lambda turn: turn_json(bundle, turn, ids), KNOWN_TURN
    )
    questions = [
        restore(question_json(bundle, item, ids), own_extras(item.extras, NAME), KNOWN_QUESTION)
        for item in bundle.questions
    ]
    whole = restore({"qa": []}, kept, KNOWN_TOP)
    whole = {"conversation": conversation, **whole}
    if "qa" in whole or questions:
        whole["qa"] = questions
    return whole, list(_unfit(bundle))


def talk_json(talk: Conversation) -> dict[str, Any]:
    """The names of the first two speakers and the number of sessions."""
    names = [*(speaker.name for speaker in talk.speakers), "", ""]
    return {"speaker_0": names[0], "speaker_1": names[1], "n_session": len(talk.sessions)}


def session_key(session: Session) -> str:
    """Key of a session: `session_2` for D3."""
    return f"session_{session_number(session.id)}"


SESSIONS: Final = DatedSessions(NAME, session_key)


def turn_json(bundle: Bundle, turn: Turn, ids: dict[str, str]) -> dict[str, Any]:
    """A turn with the paths of its images; a caption replaces one that is not there."""
    speakers = [speaker.id for speaker in bundle.conversation.speakers]
    paths = [path for image in turn.attachments if (path := image_path(bundle, image))]
    told = [
        f"[image: {image.caption}]"
        for image in turn.attachments
        if image_path(bundle, image) is None and image.caption
    ]
    return {
        "speaker": speakers.index(turn.speaker) if turn.speaker in speakers else 0,
        "dia_id": ids[turn.id],
        "images": paths,
        "text": "\n".join([*([turn.text] if turn.text else []), *told]),
    }


def image_path(bundle: Bundle, image: Attachment) -> str | None:
    """Where an image lies below the folder of the export; None if it has no bytes."""
    asset = bundle.asset_by_id.get(image.asset)
    if asset is None or asset.availability is not Availability.PRESENT:
        return None
    own = asset.uri or ""
    if bundle.conversation.collection == NAME and is_path(own):
        return own
    local = asset.id.partition("/")[2]
    return f"{IMAGES}/{bundle.id}/{local}{_SUFFIXES.get(asset.media_type or '', '.png')}"


def is_path(text: str) -> bool:
    """Whether a text is a plain relative path that stays in its folder."""
    parts = PurePosixPath(text).parts
    return bool(_SAFE.fullmatch(text)) and ".." not in parts and str(PurePosixPath(text)) == text


def files_of(bundle: Bundle) -> Iterator[tuple[str, Asset]]:
    """The images of history and questions that are there, each with its path, once."""
    shown = [image for _, image in bundle.conversation.attachments()]
    shown += [image for item in bundle.questions for image in item.question.attachments]
    for image in {one.asset: one for one in shown}.values():
        path = image_path(bundle, image)
        if path is not None:
            yield path, bundle.asset_by_id[image.asset]


def question_json(bundle: Bundle, item: QAItem, ids: dict[str, str]) -> dict[str, Any]:
    """A question with its images and options; several right answers are alternatives."""
    paths = [image_path(bundle, image) for image in item.question.attachments]
    options = [f"{option.label}. {option.text}" for option in item.answer.options]
    told = all(option in item.question.text for option in options)
    right = answers_of(item)
    return {
        "question": {
            "text": "\n".join([item.question.text, *([] if told else options)]),
            "image": [path for path in paths if path is not None],
        },
        "answer": right[0] if len(right) == 1 else right,
        "evidence": evidence_of(bundle, item, ids),
        "category": int(code_of(item)),
    }


def answers_of(item: QAItem) -> list[str]:
    """The gold and what is as right; of a choice the text of the option, then its letter."""
    answer = item.answer
    if answer.format is AnswerFormat.CHOICE and answer.values:
        texts = {option.label: option.text for option in answer.options}
        return [text for one in answer.values for text in (texts.get(one, one), one)]
    if answer.relation is AnswerRelation.ONE:
        return [*answer.values[:1], *answer.equivalents] or [""]
    return [", ".join(answer.values), *answer.equivalents]


def code_of(item: QAItem) -> str:
    """M2A's category of a question; where it has no such type, by what proves it."""
    own = item.benchmark_type
    if not item.answerable:
        return "5"
    if own in CROSSWALK[NAME] and CROSSWALK[NAME][own] is item.type:
        return own
    if item.type is QuestionType.LEARNED_CONCEPT:
        return "5"
    several = len(item.evidence.canonical or item.evidence.groups) > 1
    plain = _CODES.get(item.type, "1" if several else "4")
    return _VISUAL[plain] if Modality.IMAGE in item.modalities else plain


def evidence_of(bundle: Bundle, item: QAItem, ids: dict[str, str]) -> list[str]:
    """`dia_id`s of the evidence in the order of time; a place that is not there stays as it is."""
    places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    named = [entry for place in places for entry in _dialogue_ids_of(bundle, place, ids)]
    return sorted(named, key=natural_key)


def _dialogue_ids_of(bundle: Bundle, place: str, ids: dict[str, str]) -> list[str]:
    parsed = parse_place(place)
    if place in ids:
        return [ids[place]]
    if parsed is not None and parsed.attachment is not None:
        shown = bundle.attachment_by_id.get(place)
        return [ids[shown[0].id]] if shown else [place]
    found = [ids[turn.id] for round_ in bundle.rounds_of(place) for turn in round_.turns]
    if not found and parsed is not None and parsed.round and parsed.turn is None:
        return [f"S{session_number(parsed.session)}:{parsed.round - 1}"]
    return found or [place]


def _unfit(bundle: Bundle) -> Iterator[Unfit]:
    yield from unfit_parts(bundle, NAME, answer_fields=("equivalents", "options"))
    found = [*_of_talk(bundle), *(each for item in bundle.questions for each in _of_item(item))]
    yield from (Unfit(record, what, f"{NAME} {why}") for record, what, why in found)


def _of_talk(bundle: Bundle) -> Iterator[tuple[str, str, str]]:
    talk = bundle.conversation
    for speaker in talk.speakers[2:]:
        yield talk.id, f"speaker {speaker.id}", "has two speakers; written as the first"
    for session in talk.sessions:
        if not has_day(session) and "as_read" not in own_extras(session.extras, NAME):
            yield talk.id, f"date of session {session.id}", "has dates with a day; written as it is"
    minutes = Counter(date_json(session)["date_time"] for session in talk.sessions)
    for session in talk.sessions:
        if minutes[date_json(session)["date_time"]] > 1 and session.date:
            yield talk.id, f"time of session {session.id}", "has minutes; another has the same one"
    for _, image in talk.attachments():
        if image_path(bundle, image) is None:
            yield talk.id, f"image {image.id}", "opens files only; its caption is in the text"
        elif image.caption:
            yield talk.id, f"caption of {image.id}", "has no captions beside images"


def _of_item(item: QAItem) -> Iterator[tuple[str, str, str]]:
    if not item.answerable:
        return
    if CROSSWALK[NAME][code_of(item)] is not item.type:
        yield item.id, f"type {item.type}", f"has no such type; written as {code_of(item)}"
    if len(item.question.attachments) > 1:
        yield item.id, "images after the first", "shows a model the first only"
    if not item.answer.values:
        yield item.id, "missing answer", "never judges an item without one"
