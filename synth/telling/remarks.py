"""What the user says beside the text of a card: what led to it, its date, entries of logs."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.synth.world.grammar import Expansion, Span, expand, join
from memassay.synth.world.maker import LED_BY, LOG
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.values import spoken_date

LED: Final = (
    "{cause} led to {title}.",
    "So {cause} led to {title}.",
    "It was {cause} that led to {title}.",
    "{title}, that's what {cause} led to.",
    "{title} goes back to {cause}.",
    "{title} came of {cause}.",
    "If you ask what led to {title}, it was {cause}.",
    "{cause} is what led to {title}.",
)
"""How the user says what led to an event."""
RECAP_VERBS: Final = ("was on", "fell on", "happened on", "is dated")
"""How the user says on which day an event was."""


def led_to(event: TimelineEvent, values: Mapping[str, str], random: Random) -> Expansion:
    """What led to an event, in so many words; empty for an event without a cause."""
    if LED_BY not in event.facts:
        return Expansion("", ())
    values = {"cause": values[LED_BY], "title": event.title}
    said = expand(random.choice(LED), random, values)
    # A card's fact may be called `title`, too.
    spans = tuple(span for span in said.spans if span.slot == "cause")
    return _rename(Expansion(said.text, spans), "cause", LED_BY)


def _rename(said: Expansion, old: str, new: str) -> Expansion:
    """A text whose slot has another name: no pattern has names with a colon."""
    spans = (replace(span, slot=new) if span.slot == old else span for span in said.spans)
    return Expansion(said.text, tuple(spans))


def recap(event: TimelineEvent, lead: Expansion, random: Random) -> Expansion:
    """The recap that bears an event's absolute date (M3Exam A.3, TR)."""
    verb = random.choice(RECAP_VERBS)
    text = f"{event.title} {verb} "
    when = spoken_date(event.happened_on)
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
            said.append(_rename(one, "value", slot))
    return join(said)


def noted_slots(event: TimelineEvent, *, first: bool, recap: bool) -> list[str]:
    """Slots that the user says in a round of an event beside those of its card."""
    logs = [slot for slot in event.facts if slot.startswith(LOG)]
    caused = [LED_BY] if first and LED_BY in event.facts else []
    return [*caused, *(["date", *logs] if recap else [])]
