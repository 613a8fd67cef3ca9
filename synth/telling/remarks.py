"""What the user says beside the text of a card: what led to it, its date, entries of logs."""

from collections.abc import Mapping
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.synth.world.grammar import Expansion, Span, expand, join
from memassay.synth.world.maker import LOG
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.values import spoken_date

CAUSE: Final = "cause"
"""Slot of what led to an event."""

_LED: Final = (
    "{cause} led to {title}.",
    "So {cause} led to {title}.",
    "It was {cause} that led to {title}.",
    "{title}, that's what {cause} led to.",
    "{title} goes back to {cause}.",
    "{title} came of {cause}.",
    "If you ask what led to {title}, it was {cause}.",
    "{cause} is what led to {title}.",
)


def led_to(event: TimelineEvent, values: Mapping[str, str], random: Random) -> Expansion:
    """What led to an event, in so many words; empty for an event without a cause."""
    if CAUSE not in event.facts:
        return Expansion("", ())
    return expand(random.choice(_LED), random, {**values, "title": event.title})


def recap(event: TimelineEvent, lead: Expansion, random: Random) -> Expansion:
    """The recap that bears an event's absolute date (M3Exam A.3, TR)."""
    verb = random.choice(["was on", "fell on", "happened on", "is dated"])
    text = f"{event.title} {verb} "
    when = spoken_date(event.day)
    span = Span("date", len(text), len(text) + len(when))
    return join([lead, Expansion(f"{text}{when}.", (span,))])


def entries(
    event: TimelineEvent, logs: Mapping[str, LogSpec], values: Mapping[str, str], random: Random
) -> Expansion:
    """A sentence for each log that has an entry with an event."""
    said = []
    for slot in event.facts:
        if slot.startswith(LOG):
            pattern = random.choice(logs[slot.removeprefix(LOG)].said)
            one = expand(pattern, random, {**values, "value": values[slot]})
            spans = (Span(slot if s.slot == "value" else s.slot, s.start, s.end) for s in one.spans)
            said.append(Expansion(one.text, tuple(spans)))
    return join(said)


def noted_slots(event: TimelineEvent, *, first: bool, recap: bool) -> list[str]:
    """Slots that the user says in a round of an event beside those of its card."""
    logs = [slot for slot in event.facts if slot.startswith(LOG)]
    caused = [CAUSE] if first and CAUSE in event.facts else []
    return [*caused, *(["date", *logs] if recap else [])]
