"""LongMemEval's layout written from records: one entry a question, with all that came before it."""

from typing import Any, Final

from memassay.exports.foreign.answers import (
    CHOICE,
    choice_json,
    question_with_options,
    with_option_texts,
)
from memassay.exports.foreign.reading import own_extras, restore
from memassay.exports.foreign.strict import cited_rounds
from memassay.exports.foreign.unfit import unfit_parts
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SpeakerKind, Turn
from memassay.schemas.records.question import AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import is_when, to_longmemeval

NAME: Final = "longmemeval"
HISTORY: Final = "haystack_sessions"
IDS, DATES, ANSWERS = "haystack_session_ids", "haystack_dates", "answer_session_ids"
KNOWN_TOP: Final = frozenset(
    {"question_id", "question_type", "question", "answer", "question_date"}
    | {HISTORY, IDS, DATES, ANSWERS, CHOICE}
)
KNOWN_TURN: Final = frozenset({"role", "content", "has_answer"})
LABEL: Final = "has_answer"
ABSTENTION: Final = "_abs"
"""A question whose id holds this has no answer (evaluate_qa.py)."""
MARK: Final = "answer"
"""A session whose id holds this holds the answer (run_retrieval.py)."""
ASSISTANT_TYPE: Final = "single-session-assistant"
"""Upstream's retrieval reads the words of users alone, and leaves these questions out."""

_UNNAMED: Final = frozenset({"", "user"})
_OWN_TYPES: Final = {
    QuestionType.TEMPORAL: "temporal-reasoning",
    QuestionType.KNOWLEDGE_UPDATE: "knowledge-update",
}
_REFUSAL: Final = "The history does not say."


class EntryWriter:
    """Writes the questions of one conversation.

    Attributes:
        bundle: The conversation.
    """

    def __init__(self, bundle: Bundle) -> None:
        """Look up who speaks, and whose name must be said."""
        self.bundle, speakers = bundle, bundle.conversation.speakers
        assistants = (SpeakerKind.ASSISTANT, SpeakerKind.AGENT)
        self._assistants = {each.id for each in speakers if each.kind in assistants}
        self._names = {
            each.id: each.name
            for each in speakers
            if each.kind is SpeakerKind.HUMAN and each.name.lower() not in _UNNAMED
        }

    def entry(self, item: QAItem) -> dict[str, Any]:
        """A question with its history, as it stood where it came from this layout."""
        sessions, cited, holding = (
            self.history(item),
            self.evidence_rounds(item),
            self.holding(item),
        )
        written = [
            [
                restore(self.turn(turn, cited, each.id in holding), _own(turn.extras), KNOWN_TURN)
                for round_ in each.rounds
                for turn in round_.turns
            ]
            for each in sessions
        ]
        ours = self.top(item, sessions, holding)
        return {**restore(ours, _own(item.extras), KNOWN_TOP), HISTORY: written}

    def history(self, item: QAItem) -> list[Session]:
        """The sessions that were there when it was asked, in the order of their file."""
        asked, talk = item.asked_at, self.bundle.conversation
        covered = [each.id for each in talk.sessions]
        if asked.session in covered:
            covered = covered[: covered.index(asked.session) + 1]
        for point in talk.checkpoints:
            if point.id == asked.checkpoint:
                covered = list(point.covered_sessions)
        seen = [each for each in talk.sessions if each.id in covered]
        places = {each.id: _own(each.extras).get("position", 0) for each in seen}
        # A session that joined later has no place in the file: then time order is the order.
        return sorted(seen, key=lambda each: places[each.id]) if all(places.values()) else seen

    def evidence_rounds(self, item: QAItem) -> set[str]:
        """The rounds that prove it; of a whole session that is cited, none by itself."""
        places = self._places(item)
        whole = {place for place in places if ":" not in place}
        rounds = cited_rounds(self.bundle, item) if item.answerable else item.decoys
        return {each for each in rounds if ":" in each and each.partition(":")[0] not in whole}

    def holding(self, item: QAItem) -> set[str]:
        """The sessions that hold its answer, or what comes near to one."""
        rounds = (each.id for place in self._places(item) for each in self.bundle.rounds_of(place))
        return {place.partition(":")[0] for place in (*rounds, *self._places(item))}

    def _places(self, item: QAItem) -> list[str]:
        if not item.answerable:
            return item.decoys
        return item.evidence.canonical or [group[0] for group in item.evidence.groups]

    def top(self, item: QAItem, sessions: list[Session], holding: set[str]) -> dict[str, Any]:
        """The keys of an entry but for its sessions."""
        ids = [self.session_id(each, each.id in holding) for each in sessions]
        held = [name for name, each in zip(ids, sessions, strict=True) if each.id in holding]
        return {
            "question_id": question_id(item),
            "question_type": self.code_of(item),
            "question": question_with_options(item),
            **choice_json(item),
            "answer": answer_text(item),
            "question_date": self._question_date(item, sessions),
            IDS: ids,
            DATES: [time_text(each.date) for each in sessions],
            ANSWERS: held,
        }

    def session_id(self, session: Session, holds: bool) -> str:
        """Its id in the file it came from, or one of ours; 'answer' is in it if it holds one."""
        own = _own(session.extras).get("id")
        name = own if isinstance(own, str) else f"{self.bundle.id}_{session.id}"
        if (MARK in name) == holds:
            return name
        name = name.replace(MARK, "session")
        return f"{MARK}_{name}" if holds else name

    def turn(self, turn: Turn, cited: set[str], holds: bool) -> dict[str, Any]:
        """A turn; whether it has the answer is said in sessions that hold it."""
        shown = [f"[shows: {each.caption}]" for each in turn.attachments if each.caption]
        name = self._names.get(turn.speaker)
        said = [*([turn.text] if turn.text else []), *shown]
        text = "\n".join(said)
        ours: dict[str, Any] = {
            "role": "assistant" if turn.speaker in self._assistants else "user",
            "content": f"{name}: {text}" if name and text else text,
        }
        if holds:
            ours[LABEL] = turn.id.rpartition(".")[0] in cited
        return ours

    def code_of(self, item: QAItem) -> str:
        """LongMemEval's type of a question, by our type and by how many sessions prove it."""
        own = item.benchmark_type
        if own in CROSSWALK[NAME] and (
            CROSSWALK[NAME][own] is item.type or (not item.answerable and NAME in item.extras)
        ):
            return own
        if item.type in _OWN_TYPES:
            return _OWN_TYPES[item.type]
        cited = self.evidence_rounds(item)
        if len({place.partition(":")[0] for place in cited}) > 1:
            return "multi-session"
        rounds = [self.bundle.round_by_id[place] for place in cited]
        speakers = {turn.speaker for round_ in rounds for turn in round_.turns}
        return (
            ASSISTANT_TYPE if speakers and speakers <= self._assistants else "single-session-user"
        )

    def _question_date(self, item: QAItem, sessions: list[Session]) -> str:
        point = item.asked_at.checkpoint or ""
        dates = [each.ends_on() or "" for each in sessions]
        return time_text(point if is_when(point) else max(dates, default=""))

    def unfit(self) -> list[Unfit]:
        """What of the conversation does not fit."""
        talk = self.bundle.conversation
        plain = unfit_parts(self.bundle, NAME, ("options",))
        kept = {"asked_at", "decoys", f"{len(talk.checkpoints)} checkpoints"}
        found = [each for each in plain if each.what not in kept]
        if not self.bundle.questions:
            found.append(Unfit(talk.id, "conversation", f"{NAME} has histories of questions only"))
        for _, image in talk.attachments():
            found.append(Unfit(talk.id, f"image {image.id}", f"{NAME} has texts only"))
        return found


def question_id(item: QAItem) -> str:
    """What the question is called: `_abs` ends the id of one without an answer, and no other."""
    name = (item.public_id or item.id).replace("/", "-").replace(ABSTENTION, "-abs")
    return name if item.answerable else f"{name}{ABSTENTION}"


def answer_text(item: QAItem) -> str:
    """The gold as one text: of options the words, since a judge reads it."""
    values = with_option_texts(item).answer.values
    if not values:
        return "" if item.answerable else _REFUSAL
    return values[0] if item.answer.relation is AnswerRelation.ONE else ", ".join(values)


def time_text(when: str | None) -> str:
    """A time as LongMemEval writes it; one without a day as it is."""
    return to_longmemeval(when) if when and len(when) >= len("2023-05-08") else when or ""


def mend(writer: EntryWriter, item: QAItem) -> dict[str, Any]:
    """An entry in the forms that upstream's code demands, whatever its file had."""
    entry, sessions, held = writer.entry(item), writer.history(item), writer.holding(item)
    ours = writer.top(item, sessions, held)
    lists = (IDS, DATES, ANSWERS)
    even = all(len(_list(entry.get(key))) == len(sessions) for key in (IDS, DATES))
    if not even or entry[IDS] != ours[IDS] or set(_list(entry.get(ANSWERS))) != set(ours[ANSWERS]):
        entry |= {key: ours[key] for key in lists}
    for key in ("question_id", "question_type", "question", "question_date"):
        if not isinstance(entry.get(key), str):
            entry[key] = ours[key]
    if isinstance(entry.get("answer"), list | dict | bool | None):
        entry["answer"] = ours["answer"]
    for session, turns in zip(sessions, entry[HISTORY], strict=True):
        for written in turns if session.id in held else ():
            # Upstream asks for a label of every user's turn there; its own files have it.
            if written["role"] == "user" and not isinstance(written.get(LABEL), bool):
                written[LABEL] = False
    return entry


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _own(extras: dict[str, Any]) -> dict[str, Any]:
    return own_extras(extras, NAME)
