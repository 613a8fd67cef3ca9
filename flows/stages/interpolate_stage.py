"""The stage that dates sessions which have no date, or none that fits their place."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.changes.history_lists import move_session
from memassay.schemas.changes.said_days import said_day
from memassay.schemas.changes.spreading import Calendar, spread
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.recipes import InterpolateSection
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.conversation import Conversation, Session
from memassay.schemas.values.civil_time import start
from memassay.synth.findings import SYNTHESIS_RULES

DATED: Final = SYNTHESIS_RULES.declare(
    "interpolate.dated",
    Severity.INFO,
    "A session has a date of its own, behind that of the one before it.",
    "M2A C, eq. 7",
)
SAID: Final = SYNTHESIS_RULES.declare(
    "interpolate.said",
    Severity.WARNING,
    "The weekday, month or season that a session speaks of is that of the date it was given.",
    "Mem-Gallery §3.1",
)


class InterpolateStage:
    """Dates by interpolation; those in the order of time stay."""

    name = "interpolate"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"conversation"})

    def __init__(self, section: InterpolateSection) -> None:
        """Take the calendar of the recipe."""
        self.calendar = Calendar(start(section.first).date(), *section.days)
        self.config: dict[str, Any] = section.model_dump(mode="json")

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The conversation with its new dates; every one of them is reported."""
        for talk in records:
            if isinstance(talk, Conversation):
                dates = spread(talk.sessions, self.calendar, context.random("interpolate"))
                pairs = list(zip(talk.sessions, dates, strict=True))
                for session, date in pairs:
                    if session.date != date:
                        context.emit(_report(talk, session, date))
                sessions = [move_session(session, date) for session, date in pairs]
                yield talk.model_copy(update={"sessions": sessions})


def _report(talk: Conversation, session: Session, date: str) -> Finding:
    place, where = f"/sessions/{session.index - 1}/date", f"{talk.id}.{session.id}.date"
    if said_day(session).fits(start(date).date()):
        message = f"{where}: expected a date in the order of time, got '{session.date or 'none'}'"
        return DATED.finding(talk.id, place, message, f"Nothing: it is {date} now.")
    message = f"{where}: expected a day on which all holds that its turns say, got '{date}'"
    return SAID.finding(
        talk.id, place, message, "Give it a date yourself, or edit what its turns say."
    )
