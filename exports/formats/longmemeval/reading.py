"""Entries of LongMemEval read as records: a conversation with one question each."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memassay.exports.foreign.answers import (
    gold_texts,
    plain_answer,
    read_choice,
    with_equivalents,
)
from memassay.exports.foreign.dated_sessions import LONGMEMEVAL_TIME, settle_date
from memassay.exports.foreign.dialogues.messages import (
    ASSISTANT,
    USER,
    Message,
    role_of,
    rounds_of,
    speakers,
)
from memassay.exports.foreign.json_text import Document, Parts
from memassay.exports.foreign.reading import Reading, as_object, extras_for, quote_value
from memassay.exports.foreign.rules import (
    ANSWER_MISSING,
    EVIDENCE_MALFORMED,
    EVIDENCE_NOT_A_ROUND,
    ID_REPEATED,
    KEY_MISSING,
    PART_UNREADABLE,
    SHAPE,
)
from memassay.exports.formats.longmemeval.rules import (
    ANSWER_IN_ID,
    ANSWERS_MISSING,
    ASKED_BEFORE_END,
    HAYSTACK_UNEVEN,
    LABEL_ELSEWHERE,
    LABEL_FORM,
)
from memassay.exports.formats.longmemeval.writing import (
    ABSTENTION,
    ANSWERS,
    DATES,
    HISTORY,
    IDS,
    KNOWN_TOP,
    KNOWN_TURN,
    LABEL,
    MARK,
    NAME,
    EntryWriter,
)
from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.registry import CROSSWALK, question_type
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.contracts.protocols import Imported
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import record_id, session_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import IMPORTED, Checkpoint, Conversation, Session
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AskedAt,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import strictly_after

_FIELDS = {"/question/text": "question", "/answer": "answer", "/evidence": ANSWERS}
_FIELDS |= {"/type": "question_type", "/benchmark_type": "question_type"}


@dataclass
class _Read:
    """A session of the file.

    Attributes:
        position: Where it is in the file, from 1.
        date: `When` it was.
        messages: Its turns.
        raw: The same as they are in the file.
    """

    position: int
    date: str | None
    messages: list[Message]
    raw: list[dict[str, Any]]


class EntryReader:
    """Reads one entry; what it cannot make a record of is held out."""

    def __init__(self, reading: Reading) -> None:
        """Start with nothing read; `reading` takes the findings."""
        self.reading = reading
        self.item_id = record_id(reading.conversation, "Q0001")
        self._positions: dict[str, int] = {}
        self._refuses = False
        self._raw_turns: dict[str, dict[str, Any]] = {}

    def read(self, document: Document, first: bool = True) -> Imported:
        """The entry as records.

        Args:
            document: The entry, with what was wrong with its JSON.
            first: Whether no entry before it has its id.
        """
        self.reading.note_document(document, lambda _: self.reading.conversation)
        raw = as_object(self.reading, (), document.value, "an entry")
        if raw is None:
            return self.reading.result(None)
        if not isinstance(raw.get(HISTORY), list):
            fix = "Write the sessions, each a list of turns."
            self.reading.hold(KEY_MISSING, (), raw, f"a list under '{HISTORY}'", fix)
            return self.reading.result(None)
        self.reading.trace.note_place(self.reading.conversation, ())
        if not first:
            fix = f"Write '{self.reading.conversation}', under which it was read."
            got = raw.get("question_id")
            self._note(ID_REPEATED, ("question_id",), "an id that no other has", got, fix)
        talk = self._conversation(raw)
        item = self._question(raw, talk)
        self.reading.note_unknown(raw, KNOWN_TOP, item.id if item else talk.id)
        bundle = Bundle(conversation=talk, questions=[item] if item else [])
        return self.reading.result(self._with_extras(bundle, raw))

    def _note(self, rule: Rule, parts: Parts, expected: str, got: Any, fix: str) -> None:
        target = self.reading.conversation
        message = f"{target}{pointer(*parts)}: expected {expected}, got {quote_value(got)}"
        self.reading.note(rule, target, "", message, fix, at=parts)

    def _about_item(self, rule: Rule, place: str, key: str, expected: str, got: Any) -> None:
        message = f"{self.item_id}.{key}: expected {expected}, got {quote_value(got)}"
        fix = "Look it up in the sessions."
        self.reading.note(rule, self.item_id, place, message, fix, at=(key,))

    def _conversation(self, raw: dict[str, Any]) -> Conversation:
        read = list(self._sessions(raw))
        if all(each.date for each in read):
            # Upstream's file of evidence alone is not sorted; the list of sessions is time order.
            read.sort(key=lambda each: each.date or "")
        shuffled = any(each.position != at for at, each in enumerate(read, start=1))
        sessions = []
        for index, each in enumerate(read, start=1):
            name = session_id(index)
            self._positions[name] = each.position
            rounds = rounds_of(self.reading, NAME, name, each.messages)
            turns = [turn.id for round_ in rounds for turn in round_.turns]
            self._raw_turns.update(zip(turns, each.raw, strict=True))
            place = part_key(self.reading.conversation, name)
            self.reading.trace.note_place(place, (HISTORY, each.position - 1))
            extras = self._session_extras(raw, each.position, shuffled)
            sessions.append(
                Session(id=name, index=index, date=each.date, rounds=rounds, extras=extras)
            )
        date = settle_date(
            self.reading, ("question_date",), raw.get("question_date"), LONGMEMEVAL_TIME
        )
        covered = [each.id for each in sessions]
        late = [each for each in sessions if each.date and date and strictly_after(each.date, date)]
        if late:
            got = f"{len(late)}, the last on {late[-1].date}"
            expected = f"sessions up to {date}, when it is asked"
            self._note(ASKED_BEFORE_END, ("question_date",), expected, got, "Correct the dates.")
        written = raw.get("question_id")
        return Conversation(
            id=self.reading.conversation,
            collection=NAME,
            path=IMPORTED,
            title=written if isinstance(written, str) and written else None,
            speakers=speakers(message for each in read for message in each.messages),
            sessions=sessions,
            checkpoints=[Checkpoint(id=date, covered_sessions=covered)] if date and covered else [],
        )

    def _session_extras(self, raw: dict[str, Any], position: int, shuffled: bool) -> dict[str, Any]:
        ids = raw.get(IDS)
        name = ids[position - 1] if isinstance(ids, list) and position <= len(ids) else None
        own: dict[str, Any] = {"id": name} if isinstance(name, str) else {}
        own |= {"position": position} if shuffled else {}
        return {NAME: own} if own else {}

    def _sessions(self, raw: dict[str, Any]) -> Iterator[_Read]:
        for key in (IDS, DATES):
            listed = raw.get(key)
            if not isinstance(listed, list) or len(listed) != len(raw[HISTORY]):
                got = len(listed) if isinstance(listed, list) else quote_value(listed)
                expected = f"a list of {len(raw[HISTORY])}, one a session"
                self._note(HAYSTACK_UNEVEN, (key,), expected, got, "Write one for each session.")
        dates = raw[DATES] if isinstance(raw.get(DATES), list) else []
        for at, part in enumerate(raw[HISTORY]):
            parts: Parts = (HISTORY, at)
            if not isinstance(part, list):
                fix = "Write the turns as a list."
                self.reading.hold(PART_UNREADABLE, parts, part, "a list of turns", fix)
                continue
            written = dates[at] if at < len(dates) else None
            date = settle_date(self.reading, (DATES, at), written, LONGMEMEVAL_TIME)
            turns = list(self._turns(part, parts))
            yield _Read(at + 1, date, [each for each, _ in turns], [own for _, own in turns])

    def _turns(self, listed: list[Any], parts: Parts) -> Iterator[tuple[Message, dict[str, Any]]]:
        for at, part in enumerate(listed):
            place: Parts = (*parts, at)
            raw = as_object(self.reading, place, part, "a turn")
            role = role_of(raw.get("role")) if raw is not None else None
            if raw is None:
                continue
            if role not in (USER, ASSISTANT) or not isinstance(raw.get("content"), str):
                expected = "a 'role' user or assistant, and a text under 'content'"
                self.reading.hold(PART_UNREADABLE, place, raw, expected, "Write both.")
                continue
            if not isinstance(raw.get(LABEL), bool | None):
                read = _is_labelled(raw)
                fix = f"Write {str(read).lower()}, as it was read."
                self._note(LABEL_FORM, (*place, LABEL), "true or false", raw[LABEL], fix)
            self.reading.note_unknown(raw, KNOWN_TURN, self.reading.conversation)
            yield Message(str(role), raw["content"], place, text_key="content"), raw

    def _question(self, raw: dict[str, Any], talk: Conversation) -> QAItem | None:
        text, code, name = (raw.get(key) for key in ("question", "question_type", "question_id"))
        type_ = question_type(NAME, code) if isinstance(code, str) else None
        own = {key: raw[key] for key in raw if key != HISTORY}
        if type_ is None or not isinstance(code, str):
            expected = f"one of {', '.join(CROSSWALK[NAME])} under 'question_type'"
            fix = "Name the type; upstream's evaluator stops at another."
            self.reading.hold(PART_UNREADABLE, ("question_type",), own, expected, fix)
            return None
        if not isinstance(text, str) or not text:
            fix = "Write the question."
            self.reading.hold(PART_UNREADABLE, ("question",), own, "a text under 'question'", fix)
            return None
        self.reading.trace.note_place(self.item_id, (), _FIELDS)
        answerable = not (isinstance(name, str) and ABSTENTION in name)
        self._refuses = not answerable
        places = self._evidence(raw, talk)
        points = talk.checkpoints
        asked, answer = read_choice(raw, text, self._answer(raw, type_, answerable))
        return QAItem(
            id=self.item_id,
            conversation=talk.id,
            question=QuestionText(text=asked),
            answer=answer,
            answerable=answerable,
            modalities=[Modality.TEXT],
            asked_at=AskedAt(checkpoint=points[0].id) if points else AskedAt(),
            evidence=Evidence.of(places) if answerable else Evidence(),
            decoys=[] if answerable else places,
            type=type_ if answerable else QuestionType.REFUSAL,
            benchmark_type=code,
            origin=ItemOrigin.IMPORTED,
        )

    def _answer(self, raw: dict[str, Any], type_: QuestionType, answerable: bool) -> Answer:
        texts = gold_texts(self.reading, self.item_id, ("answer",), raw.get("answer"))
        form = AnswerFormat.FREE if answerable else AnswerFormat.REFUSAL
        if not texts:
            self._about_item(
                ANSWER_MISSING, "/answer/values", "answer", "a text", raw.get("answer")
            )
            return Answer(format=form, values=[])
        if not answerable:
            return Answer(format=form, values=texts[:1])
        plain = plain_answer(texts[0], temporal=type_ is QuestionType.TEMPORAL)
        return with_equivalents(plain, texts)

    def _evidence(self, raw: dict[str, Any], talk: Conversation) -> list[str]:
        """Rounds with a label; of a session that holds the answer without any, the session."""
        ids, listed = raw.get(IDS), raw.get(ANSWERS)
        names: list[Any] = ids if isinstance(ids, list) else []
        answers: list[Any] = listed if isinstance(listed, list) else []
        if listed is None:
            expected = "a list of session ids"
            self._about_item(ANSWERS_MISSING, "/evidence", ANSWERS, expected, "none")
            answers = [names[at] for at in sorted(self._label_positions()) if at < len(names)]
        elif not isinstance(listed, list):
            self._about_item(SHAPE, "/evidence", ANSWERS, "a list of session ids", listed)
        for name in answers:
            if name not in names:
                expected = f"an id of {IDS}"
                self._about_item(EVIDENCE_MALFORMED, "/evidence", ANSWERS, expected, name)
        number = Counter(name for name in names if isinstance(name, str))
        for name in (name for name in number if number[name] > 1):
            fix = "Give each session an id of its own."
            self._note(ID_REPEATED, (IDS,), "an id that no other session has", name, fix)
        places = []
        for session in talk.sessions:
            at = self._positions[session.id] - 1
            name = names[at] if at < len(names) else None
            places += self._places(session, name, name in answers)
        return places

    def _label_positions(self) -> set[int]:
        """Positions in the file, from 0, of sessions with a label."""
        turns = (turn for turn, raw in self._raw_turns.items() if _is_labelled(raw))
        return {self._positions[turn.partition(":")[0]] - 1 for turn in turns}

    def _places(self, session: Session, name: Any, holds: bool) -> list[str]:
        at = self._positions[session.id] - 1
        labelled = [
            round_.id
            for round_ in session.rounds
            if any(_is_labelled(self._raw_turns[turn.id]) for turn in round_.turns)
        ]
        if isinstance(name, str) and (MARK in name) != holds:
            expected = f"an id {'with' if holds else 'without'} '{MARK}' in it"
            fix = "Rename it; upstream knows sessions that hold the answer by this word."
            self._note(ANSWER_IN_ID, (IDS, at), expected, name, fix)
        if labelled and not holds:
            expected = f"sessions with {LABEL} in the list"
            self._about_item(LABEL_ELSEWHERE, "/evidence", ANSWERS, expected, f"none of {name}")
        if holds and not labelled and not self._refuses:
            expected = f"a turn with {LABEL} in each session"
            self._about_item(
                EVIDENCE_NOT_A_ROUND, "/evidence", ANSWERS, expected, f"none in {name}"
            )
        return labelled or ([session.id] if holds else [])

    def _with_extras(self, bundle: Bundle, raw: dict[str, Any]) -> Bundle:
        """The bundle, every record with what this layout would lose of its part."""
        if not bundle.questions:
            return bundle
        (item,), writer = bundle.questions, EntryWriter(bundle)
        cited, holding = writer.evidence_rounds(item), writer.holding(item)

        def turn_with(turn: Any) -> Any:
            ours = writer.turn(turn, cited, turn.id.partition(":")[0] in holding)
            extras = extras_for(self._raw_turns[turn.id], ours, KNOWN_TURN)
            return turn.model_copy(update={"extras": {NAME: extras}}) if extras else turn

        sessions = [
            session.model_copy(
                update={
                    "rounds": [
                        each.model_copy(update={"turns": [turn_with(turn) for turn in each.turns]})
                        for each in session.rounds
                    ]
                }
            )
            for session in bundle.conversation.sessions
        ]
        top = {key: raw[key] for key in raw if key != HISTORY}
        extras = extras_for(top, writer.top(item, writer.history(item), holding), KNOWN_TOP)
        talk = bundle.conversation.model_copy(update={"sessions": sessions})
        item = item.model_copy(update={"extras": {NAME: extras} if extras else {}})
        return bundle.model_copy(update={"conversation": talk, "questions": [item]})


def _is_labelled(raw: dict[str, Any]) -> bool:
    label = raw.get(LABEL)
    return label is True or (isinstance(label, str) and label.strip().lower() == "true")
