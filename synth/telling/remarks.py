"""What the user says beside the text of a card: what led to it, its day, entries of logs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.civil_time import start
from memassay.synth.world.grammar import Expansion, expand, join
from memassay.synth.world.maker import LED_BY, LOG, WHEN
from memassay.synth.world.persona_file import RoundSpec
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.processes.phrases import asks_last, day_in_words

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
TODAY: Final = (
    "That was {when}.",
    "All of that was {when}.",
    "That was {when}, by the way.",
    "And that was only {when}.",
    "And all that {when}.",
    "It all happened {when}.",
    "That was {when} in short.",
)
"""How the user says that it was on the day of the session."""
EARLIER: Final = (
    "That was {when}.",
    "That was {when}, I only get to it now.",
    "All of that was {when}.",
    "That was {when}, by the way.",
    "It was {when}, and I haven't had a quiet minute since.",
    "I should have told you sooner, it was {when}.",
    "It happened {when}, it only sinks in now.",
    "It was {when}, and I still think of it.",
)
"""How the user says on which day before the session it was."""


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


def with_notes(
    said: Expansion,
    event: TimelineEvent,
    at: int,
    rounds: Sequence[RoundSpec],
    logs: Mapping[str, LogSpec],
    values: Mapping[str, str],
    random: Random,
) -> Expansion:
    """What the user says in a round, with the entries of logs and the day, if it has these.

    Args:
        said: What the user says; no note comes after a question.
        event: The event.
        at: 0-based position of the round.
        rounds: All rounds of the event.
        logs: By name.
        values: What slots say.
        random: Draws the words.
    """
    notes: list[Expansion] = []
    for slot in noted_slots(event, at, rounds):
        if slot.startswith(LOG):
            pattern = random.choice(logs[slot.removeprefix(LOG)].said)
            entry = expand(pattern, random, {**values, "value": values[slot]})
            notes.append(_rename(entry, "value", slot))
        elif slot == WHEN:
            notes.append(_day_of(event, random))
    return join([*notes, said] if asks_last(rounds) else [said, *notes])


def _day_of(event: TimelineEvent, random: Random) -> Expansion:
    """On which day an event was, as people say it."""
    day, told = start(event.happened_on).date(), start(event.day).date()
    pattern = random.choice(TODAY if day == told else EARLIER)
    return _rename(expand(pattern, random, {"when": day_in_words(day, told, random)}), "when", WHEN)


def noted_slots(event: TimelineEvent, at: int, rounds: Sequence[RoundSpec]) -> list[str]:
    """Slots that the user says in a round of an event beside those of its card.

    Args:
        event: The event.
        at: 0-based position of the round.
        rounds: All rounds of the event. Entries of logs come after all of them, or before all if
            the last one asks something: never within what is told.
    """
    noted = [] if at else [LED_BY]
    if at == (0 if asks_last(rounds) else len(rounds) - 1):
        noted += [slot for slot in event.facts if slot.startswith(LOG)]
    noted += [WHEN] if at == len(rounds) - 1 else []
    return [slot for slot in noted if slot in event.facts]
