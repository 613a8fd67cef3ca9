"""LoCoMo's layout written from records; one turn of ours is one turn of theirs."""

import re
from typing import Any, Final

from memassay.exports.foreign.answers import (
    CHOICE,
    choice_json,
    question_with_options,
    with_option_texts,
)
from memassay.exports.foreign.dated_sessions import DatedSessions, has_day
from memassay.exports.foreign.reading import own_extras, restore
from memassay.exports.foreign.unfit import unfit_parts
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import parse_place, round_id, slug
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Conversation, Session, Turn
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.schemas.values.civil_time import day_forms, is_day

NAME: Final = "locomo"
KNOWN_TOP: Final = frozenset({"sample_id", "conversation", "qa"})
KNOWN_SPEAKERS: Final = frozenset({"speaker_a", "speaker_b"})
KNOWN_TURN: Final = frozenset({"speaker", "dia_id", "text", "img_url", "blip_caption"})
KNOWN_QUESTION: Final = frozenset(
    {"question", "answer", "evidence", "category", "adversarial_answer", CHOICE}
)
ISO_DAY: Final = re.compile(r"(?<![\w-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")
SUMMARIES: Final = ("event_summary", "observation", "session_summary")
REFUSAL: Final = "No information available"
"""What upstream's scorer looks for in the answer to an adversarial item (task_eval)."""

_ADVERSARIAL: Final = "5"
_CODES: Final = {type_: code for code, type_ in CROSSWALK[NAME].items()}
_ADDRESSES: Final = ("http://", "https://", "data:")


def sample_json(bundle: Bundle) -> tuple[dict[str, Any], list[Unfit]]:
    """A conversation as a LoCoMo sample, and what of it did not fit."""
    talk = bundle.conversation
    kept = own_extras(talk.extras, NAME)
    nested = kept.get("conversation", {})
    ids = dialogue_ids(talk)
    conversation = restore(speakers_json(talk), nested, KNOWN_SPEAKERS)
    conversation |= SESSIONS.write_sessions(
        talk, lambda turn: turn_json(bundle, turn, ids), KNOWN_TURN
    )
    questions = [
        restore(question_json(bundle, item, ids), own_extras(item.extras, NAME), KNOWN_QUESTION)
        for item in bundle.questions
    ]
    whole = restore({"sample_id": sample_id(talk), "qa": []}, kept, KNOWN_TOP)
    whole["conversation"] = conversation
    if "qa" in whole or questions:
        whole["qa"] = questions
    return whole, _unfit(bundle)


def exported_json(bundle: Bundle) -> tuple[dict[str, Any], list[Unfit]]:
    """The same for upstream's evaluator, which reads the `answer` of adversarial items too.

    Dates in answers of other layouts take on LoCoMo's form: its scorer joins the digits of
    `2023-05-08`, so that `8 May 2023` would be wrong. What upstream's own models wrote about each
    session is there if it was imported, or reported.
    """
    sample, unfit = sample_json(bundle)
    for question in sample.get("qa", []):
        for key in ("answer", "adversarial_answer"):
            if bundle.conversation.collection != NAME and isinstance(question.get(key), str):
                question[key] = ISO_DAY.sub(_day_text, question[key])
        if bundle.conversation.collection != NAME and CHOICE in question:
            question["question"] = ISO_DAY.sub(_day_text, question["question"])
            for option in question[CHOICE]["options"]:
                option["text"] = ISO_DAY.sub(_day_text, option["text"])
        if question["category"] == int(_ADVERSARIAL):
            question.setdefault("answer", REFUSAL)
    why = f"{NAME}'s retrieval over them makes them itself where they are not there"
    absent = [key for key in SUMMARIES if key not in sample]
    return sample, [*unfit, *(Unfit(bundle.id, f"{key} of sessions", why) for key in absent)]


def _day_text(found: re.Match[str]) -> str:
    return day_forms(found[0])[0] if is_day(found[0]) else found[0]


def sample_id(talk: Conversation) -> str:
    """The original id of a sample where it had to be made safe, or else the conversation's."""
    title = talk.title or ""
    return title if talk.collection == NAME and slug(title, "") == talk.id else talk.id


def speakers_json(talk: Conversation) -> dict[str, Any]:
    """The names of the first two speakers."""
    names = [speaker.name for speaker in talk.speakers]
    return {"speaker_a": names[0], "speaker_b": names[1] if len(names) > 1 else ""}


def session_key(session: Session) -> str:
    """Key of a session: `session_3` for D3."""
    return f"session_{session.id.removeprefix('D')}"


SESSIONS: Final = DatedSessions(NAME, session_key)


def dialogue_ids(talk: Conversation) -> dict[str, str]:
    """`dia_id` by turn: the id of its round, or by position where rounds have several turns."""
    ids: dict[str, str] = {}
    for session in talk.sessions:
        turns = [(round_, turn) for round_ in session.rounds for turn in round_.turns]
        single = all(len(round_.turns) == 1 for round_ in session.rounds)
        for at, (round_, turn) in enumerate(turns, start=1):
            ids[turn.id] = round_.id if single else round_id(session.id, at)
    return ids


def turn_json(bundle: Bundle, turn: Turn, ids: dict[str, str]) -> dict[str, Any]:
    """A turn with the addresses of its images and the caption of the first."""
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    ours: dict[str, Any] = {
        "speaker": names.get(turn.speaker, turn.speaker),
        "dia_id": ids[turn.id],
        "text": turn.text,
    }
    addresses = [
        address
        for address in (_address(bundle, image) for image in turn.attachments)
        if address is not None
    ]
    if addresses:
        ours["img_url"] = addresses
    if turn.attachments and turn.attachments[0].caption is not None:
        ours["blip_caption"] = turn.attachments[0].caption
    return ours


def _address(bundle: Bundle, image: Attachment) -> str | None:
    asset = bundle.asset_by_id.get(image.asset)
    uri = asset.uri if asset is not None else None
    return uri if uri is not None and uri.startswith(_ADDRESSES) else None


def question_json(bundle: Bundle, item: QAItem, ids: dict[str, str]) -> dict[str, Any]:
    """A question; an adversarial one has the answer it invites in place of the right one."""
    ours: dict[str, Any] = {"question": question_with_options(item), **choice_json(item)}
    category = code_of(item)
    if category != _ADVERSARIAL:
        ours["answer"] = answer_text(item)
    ours["evidence"] = evidence_of(bundle, item, ids)
    ours["category"] = int(category)
    if category == _ADVERSARIAL or item.answer.traps:
        ours["adversarial_answer"] = item.answer.traps[0] if item.answer.traps else ""
    return ours


def code_of(item: QAItem) -> str:
    """LoCoMo's category of a question; multi- or single-hop where it has no such type."""
    own = item.benchmark_type
    if own in CROSSWALK[NAME] and CROSSWALK[NAME][own] is item.type:
        return own
    if not item.answerable:
        return _ADVERSARIAL
    several = len(item.evidence.canonical or item.evidence.groups) > 1
    return _CODES.get(item.type, "1" if several else "4")


def answer_text(item: QAItem) -> str:
    """The gold answer as one text."""
    values = with_option_texts(item).answer.values
    return values[0] if values and item.answer.relation is AnswerRelation.ONE else ", ".join(values)


def evidence_of(bundle: Bundle, item: QAItem, ids: dict[str, str]) -> list[str]:
    """`dia_id`s of the evidence, in its order; a place that does not exist stays as it is."""
    places = item.evidence.canonical or [group[0] for group in item.evidence.groups]
    return [entry for place in places for entry in _dialogue_ids_of(bundle, place, ids)]


def _dialogue_ids_of(bundle: Bundle, place: str, ids: dict[str, str]) -> list[str]:
    parsed = parse_place(place)
    if place in ids:
        return [ids[place]]
    if parsed is not None and parsed.attachment is not None:
        shown = bundle.attachment_by_id.get(place)
        return [ids[shown[0].id]] if shown else [place]
    found = [ids[turn.id] for round_ in bundle.rounds_of(place) for turn in round_.turns]
    return found or [place]


def _unfit(bundle: Bundle) -> list[Unfit]:
    talk = bundle.conversation
    found = [
        (talk.id, f"name of speaker {speaker.id}", "has two speakers")
        for speaker in talk.speakers[2:]
    ]
    if talk.sessions and len({turn.speaker for turn in _turns(talk.sessions[0])}) < 2:
        found.append((talk.id, "one-speaker session_1", "takes both names from it when evaluated"))
    found += [
        (talk.id, f"date of session {session.id}", "has dates with a day; written as it is")
        for session in talk.sessions
        if not has_day(session) and "as_read" not in own_extras(session.extras, NAME)
    ]
    for turn in talk.turns():
        for at, image in enumerate(turn.attachments):
            if _address(bundle, image) is None and (at or image.caption is None):
                found.append((talk.id, f"image {image.id}", "has addresses and one caption only"))
            elif _address(bundle, image) is None and image.asset in _present(bundle):
                found.append((talk.id, f"bytes of {image.id}", "has addresses, no image files"))
            elif at and image.caption is not None:
                found.append((talk.id, f"caption of {image.id}", "has one caption a turn"))
    found += [each for item in bundle.questions for each in _question_unfit(item)]
    plain = unfit_parts(bundle, NAME, answer_fields=("traps", "options"))
    return [*plain, *(Unfit(record, what, f"{NAME} {why}") for record, what, why in found)]


def _turns(session: Session) -> list[Turn]:
    return [turn for round_ in session.rounds for turn in round_.turns]


def _present(bundle: Bundle) -> set[str]:
    return {asset.id for asset in bundle.assets if asset.blob_sha256 is not None}


def _question_unfit(item: QAItem) -> list[tuple[str, str, str]]:
    found = [
        (item.id, f"attachment {image.id}", "shows no image with a question")
        for image in item.question.attachments
    ]
    if CROSSWALK[NAME][code_of(item)] is not item.type:
        why = f"has no such type; written as category {code_of(item)}"
        found.append((item.id, f"type {item.type}", why))
    if len(item.answer.traps) > 1:
        found.append((item.id, "answer.traps after the first", "has one adversarial answer"))
    if not item.answer.values:
        found.append((item.id, "missing answer", "has no items without one; written as empty text"))
    return found
