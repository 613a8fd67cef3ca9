"""What the user says beside the text of a card: what led to it, its day, entries of logs."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.civil_time import start
from memassay.synth.world.grammar import Expansion, expand, join
from memassay.synth.world.maker import LED_BY, LOG, WHEN
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.processes.phrases import day_in_words

LED: Final = (
    "This goes back to {cause}.",
    "It came of {cause}.",
    "{cause} led to this.",
    "It started with {cause}.",
    "That's what comes of {cause}.",
    "If you ask what led to this, it was {cause}.",
    "Without {cause} I wouldn't be asking.",
    "You remember {cause}, this came of it.",
)
"""How the user says what led to an event."""
TODAY: Final = (
    "So, {when}.",
    "About {when}, then.",
    "Something from {when}.",
    "I'm still full of {when}.",
    "A word about {when}.",
    "Straight from {when}.",
    "This one is from {when}.",
    "I've been saving {when} up for you.",
    "You get this one fresh, from {when}.",
    "It's about {when}.",
    "Okay, {when}.",
    "{when} deserves a message.",
    "Here's something from {when}.",
    "What I have is from {when}.",
)
"""How the user says that it was on the day of the session."""
EARLIER: Final = (
    "This happened {when}.",
    "It happened {when}, I only get to it now.",
    "This was {when}.",
    "I owe you this one, it was {when}.",
    "It was {when}, and I haven't had a quiet minute since.",
    "I should have told you sooner, it was {when}.",
    "What comes now was {when}.",
    "It's been on my mind, this was {when}.",
)
"""How the user says on which day before the session it was."""


def led_to(event: TimelineEvent, values: Mapping[str, str], random: Random) -> Expansion:
    """What led to an event, in so many words; empty for an event without a cause."""
    if LED_BY not in event.facts:
        return Expansion("", ())
    said = expand(random.choice(LED), random, {"cause": values[LED_BY]})
    return _rename(said, "cause", LED_BY)


def _rename(said: Expansion, old: str, new: str) -> Expansion:
    """A text whose slot has another name: no pattern has names with a colon."""
    spans = (replace(span, slot=new) if span.slot == old else span for span in said.spans)
    return Expansion(said.text, tuple(spans))


def day_of(event: TimelineEvent, random: Random) -> Expansion:
    """On which day an event was, as people say it; empty where the texts of its card do."""
    if WHEN not in event.facts:
        return Expansion("", ())
    day, told = start(event.happened_on).date(), start(event.day).date()
    pattern = random.choice(TODAY if day == told else EARLIER)
    return _rename(expand(pattern, random, {"when": day_in_words(day, told, random)}), "when", WHEN)


def with_entry(
    said: Expansion,
    event: TimelineEvent,
    position: int,
    logs: Mapping[str, LogSpec],
    values: Mapping[str, str],
    random: Random,
) -> Expansion:
    """What the user says in a round, with the entry of a log, if there is one for it.

    Args:
        said: What the user says; nothing comes after a question.
        event: The event.
        position: 0-based position of the round.
        logs: By name.
        values: What slots say.
        random: Draws the words.
    """
    noted = [slot for slot in noted_slots(event, position) if slot.startswith(LOG)]
    if not noted:
        return said
    pattern = random.choice(logs[noted[0].removeprefix(LOG)].said)
    entry = expand(pattern, random, {**values, "value": values[noted[0]]})
    entry = _rename(entry, "value", noted[0])
    return join([entry, said] if said.text.endswith("?") else [said, entry])


def noted_slots(event: TimelineEvent, position: int) -> list[str]:
    """Slots that the user says in a round of an event beside those of its card."""
    if not position:
        return [slot for slot in (LED_BY, WHEN) if slot in event.facts]
    return [slot for slot in event.facts if slot.startswith(LOG)][position - 1 : position]
