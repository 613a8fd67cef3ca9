"""Rules on stages: what happened is told afterwards, and phrases of time mean the day they say."""

from collections.abc import Iterator

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.civil_time import day_forms, is_day, start
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.validators.registry import RULES, problem

_SOURCE = "memassay design, processes in time"


@RULES.conversation("time.told", Severity.ERROR, _SOURCE)
def told_afterwards(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No event comes up before the day on which it happened."""
    for event in bundle.events:
        if event.happened_on > event.day:
            expected = f"a day up to {event.day}, on which it comes up"
            yield problem(event.id, ("happened",), expected, event.happened, "correct the day")


@RULES.conversation("time.phrase", Severity.ERROR, _SOURCE)
def phrases_mean_one_day(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A phrase of time that is evidence for the day of a stage has one reading, and that day."""
    dated = {
        event.facts["date"] for event in bundle.events if event.stage and "date" in event.facts
    }
    facts = {fact.id: fact for fact in bundle.facts if fact.id in dated}
    for mention in bundle.mentions:
        fact = facts.get(mention.fact)
        if fact is None or mention.span is None or mention.modality is not Modality.TEXT:
            continue
        told = bundle.date_by_round.get(mention.round)
        turn = next(
            (one for one in bundle.round_by_id[mention.round].turns if one.id == mention.turn), None
        )
        day = fact.value.text
        if turn is None or told is None or fact.value.type is not ValueType.DATE or not is_day(day):
            continue
        said = turn.text[mention.span[0] : mention.span[1]]
        if any(form.lower() in said.lower() for form in day_forms(day)):
            continue
        wanted = start(day).date()
        readings = [one.readings for one in relative_dates(said, start(told).date())]
        if readings != [(DayRange(wanted, wanted),)]:
            yield problem(
                mention.id,
                ("span",),
                f"a phrase that means {day} on {told}, and nothing else",
                said,
                "say the date itself",
            )
