"""Extras that bring a Mem-Gallery file back as it was."""

from dataclasses import dataclass
from typing import Any, TypeVar

from memassay.exports.foreign_reading import kept
from memassay.exports.mem_gallery_export import (
    KNOWN_PROFILE,
    KNOWN_QUESTION,
    KNOWN_ROUND,
    KNOWN_SESSION,
    KNOWN_TOP,
    NAME,
    PROFILE,
    QUESTIONS,
    SESSIONS,
    question_json,
    round_json,
    session_json,
    top_json,
)
from memassay.schemas.bundle import Bundle
from memassay.schemas.conversation import Conversation, Round, Session
from memassay.schemas.question import QAItem

Part = TypeVar("Part", Conversation, Session, Round, QAItem)


@dataclass(frozen=True)
class RawParts:
    """The parts of a file by the id of the record that was made of each.

    Attributes:
        top: The file; parts of it that were held out are left out.
        sessions: Sessions.
        rounds: Rounds.
        questions: Questions.
    """

    top: dict[str, Any]
    sessions: dict[str, dict[str, Any]]
    rounds: dict[str, dict[str, Any]]
    questions: dict[str, dict[str, Any]]


def with_extras(bundle: Bundle, raw: RawParts) -> Bundle:
    """The bundle, every record with what its layout would lose."""
    talk = bundle.conversation
    sessions = [_session(bundle, session, raw) for session in talk.sessions]
    talk = _with(talk.model_copy(update={"sessions": sessions}), _top_extras(talk, raw.top))
    questions = [
        _with(item, kept(raw.questions[item.id], question_json(bundle, item), KNOWN_QUESTION))
        for item in bundle.questions
    ]
    return bundle.model_copy(update={"conversation": talk, "questions": questions})


def _session(bundle: Bundle, session: Session, raw: RawParts) -> Session:
    rounds = [
        _with(each, kept(raw.rounds[each.id], round_json(bundle, each), KNOWN_ROUND))
        for each in session.rounds
    ]
    given = _without(raw.sessions[session.id], "dialogues")
    extras = kept(given, session_json(session), KNOWN_SESSION)
    return _with(session.model_copy(update={"rounds": rounds}), extras)


def _top_extras(talk: Conversation, raw: dict[str, Any]) -> dict[str, Any]:
    top, ours = _without(raw, SESSIONS), top_json(talk)
    nested: dict[str, Any] = {}
    if isinstance(top.get(QUESTIONS), list):
        top[QUESTIONS] = []
    if isinstance(top.get(PROFILE), dict):
        nested = kept(top[PROFILE], ours[PROFILE], KNOWN_PROFILE)
        top[PROFILE] = ours[PROFILE]
    return {**kept(top, ours, KNOWN_TOP), **({PROFILE: nested} if nested else {})}


def _without(raw: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: raw[name] for name in raw if name != key}


def _with(part: Part, extras: dict[str, Any]) -> Part:
    return part.model_copy(update={"extras": {NAME: extras}}) if extras else part
