"""What Mem-Gallery's and M3Exam's files share: a profile, sessions of rounds, and questions.

A record keeps in its extras what its layout would lose; so an import written again is the file.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from memassay.exports.foreign.reading import extras_for, own_extras, restore
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.schemas.records.question import QAItem

PROFILE, SESSIONS, ROUNDS = "character_profile", "multi_session_dialogues", "dialogues"
KNOWN_PROFILE: Final = frozenset({"name", "persona_summary", "traits", "conversation_style"})
KNOWN_SESSION: Final = frozenset({"session_id", "date", ROUNDS})

Part = TypeVar("Part", Conversation, Session, Round, QAItem)
Raw: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class RawParts:
    """The parts of a file by the id of the record that was made of each.

    Attributes:
        top: The file; parts of it that were held out are left out.
        sessions: Sessions.
        rounds: Rounds.
        questions: Questions.
    """

    top: Raw
    sessions: dict[str, Raw]
    rounds: dict[str, Raw]
    questions: dict[str, Raw]


@dataclass(frozen=True)
class SessionLayout:
    """How a format writes the parts of one bundle, and what it knows of them.

    Attributes:
        name: Name of the format.
        known_top: Keys at the top of its file.
        known_round: Keys of a round.
        known_question: Keys of a question.
        round: Writes a round.
        question: Writes a question.
    """

    name: str
    known_top: frozenset[str]
    known_round: frozenset[str]
    known_question: frozenset[str]
    round: Callable[[Round], Raw]
    question: Callable[[QAItem], Raw]

    def document(self, talk: Conversation, top: Raw) -> Raw:
        """The whole file, as it stood where it came from one.

        Args:
            talk: Its sessions are written last.
            top: The keys at the top, as they are written from records.
        """
        own = self._own(talk)
        whole = restore(top, own, self.known_top)
        if isinstance(whole.get(PROFILE), dict):
            whole[PROFILE] = restore(whole[PROFILE], own.get(PROFILE, {}), KNOWN_PROFILE)
        whole[SESSIONS] = [
            {
                **restore(session_json(session), self._own(session), KNOWN_SESSION),
                ROUNDS: [
                    restore(self.round(each), self._own(each), self.known_round)
                    for each in session.rounds
                ],
            }
            for session in talk.sessions
        ]
        return whole

    def questions(self, items: Iterable[QAItem]) -> list[Raw]:
        """The questions, as they stood in their file where they came from one."""
        return [
            restore(self.question(item), self._own(item), self.known_question) for item in items
        ]

    def with_extras(self, bundle: Bundle, raw: RawParts, top: Raw) -> Bundle:
        """The bundle, every record with what this layout would lose of its part.

        Args:
            bundle: Made of the parts.
            raw: The parts.
            top: The keys at the top, as they are written from records.
        """
        talk = bundle.conversation
        sessions = [self._session(session, raw) for session in talk.sessions]
        talk = talk.model_copy(update={"sessions": sessions})
        talk = self._with(talk, self._top_extras(raw.top, top))
        questions = [
            self._with(
                item, extras_for(raw.questions[item.id], self.question(item), self.known_question)
            )
            for item in bundle.questions
        ]
        return bundle.model_copy(update={"conversation": talk, "questions": questions})

    def _own(self, part: Conversation | Session | Round | QAItem) -> Raw:
        return own_extras(part.extras, self.name)

    def _session(self, session: Session, raw: RawParts) -> Session:
        rounds = [
            self._with(each, extras_for(raw.rounds[each.id], self.round(each), self.known_round))
            for each in session.rounds
        ]
        given = _without(raw.sessions[session.id], ROUNDS)
        extras = extras_for(given, session_json(session), KNOWN_SESSION)
        return self._with(session.model_copy(update={"rounds": rounds}), extras)

    def _top_extras(self, raw: Raw, ours: Raw) -> Raw:
        top, profile = _without(raw, SESSIONS), raw.get(PROFILE)
        if not isinstance(profile, dict):
            return extras_for(top, ours, self.known_top)
        nested = extras_for(profile, ours[PROFILE], KNOWN_PROFILE)
        extras = extras_for({**top, PROFILE: ours[PROFILE]}, ours, self.known_top)
        return {**extras, **({PROFILE: nested} if nested else {})}

    def _with(self, part: Part, extras: Raw) -> Part:
        return part.model_copy(update={"extras": {self.name: extras}}) if extras else part


def session_json(session: Session) -> Raw:
    """A session without its rounds."""
    return {"session_id": session.id, "date": session.date or ""}


def with_days(document: Raw) -> None:
    """Cut the dates of sessions to days, which is what these layouts have."""
    for session in document[SESSIONS]:
        session["date"] = session["date"].partition("T")[0]


def _without(raw: Raw, key: str) -> Raw:
    return {name: raw[name] for name in raw if name != key}
