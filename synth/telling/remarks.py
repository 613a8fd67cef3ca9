"""What the user says beside the text of a card: what led to it, its day, entries of logs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.civil_time import start
from memassay.schemas.values.text import content_tokens, in_person
from memassay.synth.telling.phrasebook import Phrasebook
from memassay.synth.world.grammar import NOTHING, Expansion, join
from memassay.synth.world.maker import LED_BY, LOG, WHEN
from memassay.synth.world.persona_file import RoundSpec
from memassay.synth.world.persona_parts import LogSpec
from memassay.synth.world.processes.phrases import asks_last, day_in_words

LED: Final = (
    "{cause} led to {title}.",
    "It was {cause} that led to {title}.",
    "{title}, that's what {cause} led to.",
    "{title} came of {cause}.",
    "If you ask what led to {title}, it was {cause}.",
    "{cause} is what led to {title}.",
    "{title} wouldn't have happened without {cause}, which led to it.",
    "One thing leads to another, and {cause} led to {title}.",
    "You remember {cause}, it led to {title}.",
    "And {cause} has now led to {title}.",
    "What {cause} led to is {title}.",
    "I blame {cause} for {title}, it led there.",
)
"""How the user says what led to an event."""
TODAY: Final = (
    "That's how {title} went {when}.",
    "{title} happened {when}.",
    "You should've seen {title} {when}.",
    "{title} took place {when}, by the way.",
    "It was {title} that kept me busy {when}.",
    "I'm still full of {title}, that was {when}.",
    "That's my report on {title} {when}.",
)
"""How the user says that it was on the day of the session."""
EARLIER: Final = (
    "{title} happened {when}, I only get to it now.",
    "That's how {title} went {when}.",
    "{title} took place {when}, and I haven't had a quiet minute since.",
    "I should have told you sooner about {title}, it was {when}.",
    "You should've seen {title} {when}.",
    "{title} happened {when}, and I still think of it.",
    "It was {when}, I mean {title}.",
    "That's {title} {when}, as far as I remember.",
    "{title} took place {when}, it only sinks in now.",
)
"""How the user says on which day before the session it was."""
TURN: Final = (
    "So much for {before}.",
    "That's it about {before}, now something else.",
    "Enough about {before}.",
    "Thinking of {before} reminds me of something else.",
    "Apart from {before}, there's another thing.",
    "There's more than {before} on my mind.",
    "I could go on about {before}, but there's something else.",
    "Leaving {before} aside for a moment, I have another thing.",
    "Besides {before}, there was this.",
    "Away from {before}, other things happen too.",
    "Next to {before} this may sound small.",
    "Let's leave {before} there.",
    "Let me park {before} for now.",
    "You've heard enough of {before} for now.",
    "That's my news of {before}.",
    "I'll stop talking about {before}.",
    "Not to dwell on {before}, I have more.",
    "While I have {before} in mind, another thing.",
    "And now for something other than {before}.",
    "Over to something else, {before} can rest.",
)
"""How the user leaves one event for the next."""
ASIDE: Final = (
    "Something else.",
    "Another thing.",
    "By the way.",
    "A different matter.",
    "On to the next.",
    "One more story.",
)
"""The same where the event was named a moment ago, or cannot be."""


def led_to(event: TimelineEvent, values: Mapping[str, str], book: Phrasebook) -> Expansion:
    """What led to an event, in so many words; empty for an event without a cause."""
    if LED_BY not in event.facts:
        return NOTHING
    cause = _in_person(values[LED_BY], values)
    said = book.say(LED, {"cause": cause, "title": _in_person(event.title, values)})
    # A card's fact may be called `title`, too.
    spans = tuple(span for span in said.spans if span.slot == "cause")
    return _rename(Expansion(said.text, spans), "cause", LED_BY)


def turn_from(
    before: TimelineEvent,
    shown: Sequence[str],
    told: str,
    values: Mapping[str, str],
    book: Phrasebook,
) -> Expansion:
    """How the user leaves an event for the next: by its name, or by that of what they showed.

    Args:
        before: The event.
        shown: What its last pictures are called.
        told: What was said last: the name that has most of its words is taken.
        values: What slots say.
        book: Chooses the words.
    """
    names = [*([] if WHEN in before.facts else [before.title]), *shown]
    known = [name for one in names if (name := in_person(one, values["user"])) is not None]
    if not known:
        return book.say(ASIDE, {})
    said = set(content_tokens(told))
    name = max(known, key=lambda one: len(said.intersection(content_tokens(one))))
    return Expansion(book.say(TURN, {"before": name}).text, ())


def _in_person(title: str, values: Mapping[str, str]) -> str:
    return in_person(title, values["user"]) or title


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
    book: Phrasebook,
) -> Expansion:
    """What the user says in a round, with the entries of logs and the day, if it has these.

    Args:
        said: What the user says; no note comes after a question.
        event: The event.
        at: 0-based position of the round.
        rounds: All rounds of the event.
        logs: By name.
        values: What slots say.
        book: Chooses the words.
    """
    notes: list[Expansion] = []
    for slot in noted_slots(event, at, rounds):
        if slot.startswith(LOG):
            patterns = logs[slot.removeprefix(LOG)].said
            entry = book.say(patterns, {**values, "value": values[slot]})
            notes.append(_rename(entry, "value", slot))
        elif slot == WHEN:
            notes.append(_day_of(event, values, book))
    return join([*notes, said] if asks_last(rounds) else [said, *notes])


def _day_of(event: TimelineEvent, values: Mapping[str, str], book: Phrasebook) -> Expansion:
    """On which day an event was, as people say it."""
    day, told = start(event.happened_on).date(), start(event.day).date()
    when = day_in_words(day, told, book.random)
    said = book.say(
        TODAY if day == told else EARLIER, {"when": when, "title": _in_person(event.title, values)}
    )
    spans = tuple(span for span in said.spans if span.slot == "when")
    return _rename(Expansion(said.text, spans), "when", WHEN)


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
