"""The rule on what somebody who read a session says of its rounds; it needs a reader."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.readings import (
    SessionReading,
    ToldDefect,
    ToldReply,
    session_reading_key,
)
from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.validators.reading.quotes import places_in, why_unfounded
from memassay.validators.reading.reading_rules import line_of
from memassay.validators.registry import READ_WHOLE, RULES, problem, state_of

_SOURCE: Final = "memassay design, the assay: histories without a ledger need somebody who reads"
_FIX: Final = "Look: a model read this and may be wrong."


@RULES.conversation("reading.round", Severity.WARNING, _SOURCE, looks_at=LooksAt.READER)
def check_rounds(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A reader finds that a round fits its place, its picture, its day and what else is told."""
    for reading, reply in _read(bundle, context):
        for defect in reply.defects:
            if not why_unfounded(reading, defect):
                against = f" against {line_of(defect.other)}" if defect.other.strip() else ""
                expected = "a round that can stand there"
                yield _problem(bundle, reading, defect, (expected, f"{defect.kind}"), against)


@RULES.conversation(READ_WHOLE, Severity.INFO, _SOURCE, looks_at=LooksAt.READER)
def read_whole(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A history that a reader read whole without finding anything is noted as such."""
    name, found = bundle.conversation.id, list(_read(bundle, context))
    if not found or len(found) < len(bundle.conversation.sessions):
        return
    if any(not why_unfounded(reading, one) for reading, reply in found for one in reply.defects):
        return
    readers = ", ".join(sorted({reading.reader for reading, _ in found}))
    state = state_of(content_hash(bundle.conversation))
    got = f"{line_of(readers)}, which finds nothing in {state}"
    yield problem(name, (), "somebody who reads every session", got, "Nothing: it was read.")


@RULES.conversation("reading.round_refused", Severity.INFO, _SOURCE, looks_at=LooksAt.READER)
def refused_told(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What a reader quotes of a round is at the place that it names, which it was shown."""
    for reading, reply in _read(bundle, context):
        for defect in reply.defects:
            if why := why_unfounded(reading, defect):
                expected = "a defect that is shown with words of a place"
                yield _problem(bundle, reading, defect, (expected, why), f" ({defect.kind})")


def _read(bundle: Bundle, context: RuleContext) -> Iterator[tuple[SessionReading, ToldReply]]:
    """The sessions that were read."""
    for session in bundle.conversation.sessions if context.readings else ():
        reading = context.readings.get(session_reading_key(bundle.conversation.id, session.id))
        if reading is not None and reading.reply is not None:
            yield reading, reading.reply


def _problem(
    bundle: Bundle, reading: SessionReading, defect: ToldDefect, said: tuple[str, str], more: str
) -> Problem:
    name, place = bundle.conversation.id, line_of(defect.place)
    where = f"{name}/{place}" if place else name
    shown = f"'{line_of(defect.quote)}'{more}: {line_of(defect.why)}"
    expected, got = said
    _, _, head, fix = problem(where, (), expected, line_of(got), _FIX)
    return name, _pointer(bundle, defect.place), f"{head}; {reading.reader} reads: {shown}", fix


def _pointer(bundle: Bundle, place: str) -> str:
    """Where the first round is that a place names; empty if it names none."""
    named = places_in(place)
    for at, session in enumerate(bundle.conversation.sessions):
        for position, each in enumerate(session.rounds):
            shown = {one.id for turn in each.turns for one in turn.attachments}
            if {each.id, *shown, *(turn.id for turn in each.turns)}.intersection(named):
                return f"/sessions/{at}/rounds/{position}"
    return ""
