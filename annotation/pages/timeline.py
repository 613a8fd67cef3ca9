"""A timeline as its page shows it: events in order, with gaps, facts and what the rules say."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memassay.annotation.pages.content import TimelineContent
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact

_FIGURE: Final = ("image:", "page:")
"""How slots begin whose facts are drawn in an image or page and stand in no text."""
_STEP: Final = "step:"
"""What slots begin with that hold a step of a procedure."""
_WORST_FIRST: Final = tuple(Severity)


@dataclass(frozen=True)
class ShownFact:
    """A fact that an event makes true.

    Attributes:
        name: What it is about.
        value: Its value with its unit.
        before: The value that it replaces; empty if it replaces none.
    """

    name: str
    value: str
    before: str


@dataclass(frozen=True)
class ShownEvent:
    """An event of a timeline.

    Attributes:
        event: The event.
        gap: Days since the event before; None for the first, or without dates.
        opens: Whether it is the first of its session.
        texts: Facts that the text says.
        drawn: Facts that are drawn in its images.
        findings: What the rules say of it, by severity.
    """

    event: TimelineEvent
    gap: int | None
    opens: bool
    texts: tuple[ShownFact, ...]
    drawn: tuple[ShownFact, ...]
    findings: tuple[Finding, ...]

    @property
    def severity(self) -> str:
        """The worst of what the rules say; empty if they say nothing."""
        return str(self.findings[0].severity) if self.findings else ""


@dataclass(frozen=True)
class ShownTimeline:
    """A timeline.

    Attributes:
        events: Its events, in the order of their positions.
        findings: What the rules say of it as a whole.
        sessions: How many sessions it has.
        side: How many events are off its core line.
        days: Days from the first event to the last.
    """

    events: tuple[ShownEvent, ...]
    findings: tuple[Finding, ...]
    sessions: int
    side: int
    days: int

    @property
    def flagged(self) -> list[ShownEvent]:
        """Events that a rule objects to."""
        return [one for one in self.events if one.findings]


def timeline_view(content: TimelineContent) -> ShownTimeline:
    """A timeline as its page shows it."""
    ordered = sorted(content.events, key=lambda event: (event.position, natural_key(event.id)))
    facts = {fact.id: fact for fact in content.facts}
    known = {event.id for event in ordered}
    days = [_day(event) for event in ordered]
    shown = []
    for at, event in enumerate(ordered):
        before, today = days[at - 1] if at else None, days[at]
        texts, drawn = _facts(event, facts)
        shown.append(
            ShownEvent(
                event=event,
                gap=None if before is None or today is None else today - before,
                opens=not at or ordered[at - 1].session != event.session,
                texts=texts,
                drawn=drawn,
                findings=_said_of(event.id, content.findings),
            )
        )
    dated = [day for day in days if day is not None]
    return ShownTimeline(
        events=tuple(shown),
        findings=tuple(one for one in content.findings if one.target not in known),
        sessions=len({event.session for event in ordered}),
        side=sum(event.line == "side" for event in ordered),
        days=max(dated) - min(dated) if dated else 0,
    )


def _said_of(event: str, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    own = [one for one in findings if one.target == event]
    return tuple(sorted(own, key=lambda one: (_WORST_FIRST.index(one.severity), one.id)))


def _facts(
    event: TimelineEvent, facts: dict[str, Fact]
) -> tuple[tuple[ShownFact, ...], tuple[ShownFact, ...]]:
    """The facts that an event's text says, and those that its images show; without its date."""
    texts: list[ShownFact] = []
    drawn: list[ShownFact] = []
    for slot, name in sorted(event.facts.items(), key=lambda pair: natural_key(pair[1])):
        fact = facts.get(name)
        if fact is None or slot == "date":
            continue
        older = [facts[one] for one in fact.supersedes if one in facts]
        step = f", step {slot.removeprefix(_STEP)}" if slot.startswith(_STEP) else ""
        shown = ShownFact(f"{fact.attribute}{step}", _value(fact), " / ".join(map(_value, older)))
        (drawn if slot.startswith(_FIGURE) else texts).append(shown)
    return tuple(texts), tuple(drawn)


def _value(fact: Fact) -> str:
    return f"{fact.value.text} {fact.value.unit}" if fact.value.unit else fact.value.text


def _day(event: TimelineEvent) -> int | None:
    try:
        return datetime.date.fromisoformat(event.day).toordinal()
    except ValueError:
        return None
