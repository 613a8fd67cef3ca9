"""Words for descriptions: a noun phrase for a picture, an event or somebody, in many variants."""

from random import Random
from typing import Final

from memassay.schemas.queries.asked.nouns import PAGE
from memassay.schemas.queries.asked.words import run_of, stands_in
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.parts.reference import (
    EventDescription,
    Looks,
    PictureDescription,
    Place,
)
from memassay.schemas.values.civil_time import MONTHS, day_forms, is_day
from memassay.schemas.values.text import ORDINALS
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import PRONOUN, SUBJECT, History
from memassay.synth.world.grammar import expand
from memassay.synth.world.values import spoken_value

_NTH: Final = {number: word for word, number in ORDINALS.items()}
_SENT: Final = "[sent|shared|showed|posted]"
_BY_EVENT: Final[tuple[str, ...]] = (
    "{what} from {event}",
    "{what} [shared|sent|shown] about {event}",
)
_BY_EVENT_SENT: Final[tuple[str, ...]] = (
    f"{{what}} {{who}} {_SENT} when the talk was of {{event}}",
    f"{{what}} {{who}} {_SENT} about {{event}}",
    f"{{what}} {{who}} {_SENT} while reporting on {{event}}",
)
BOTH: Final[tuple[str, ...]] = (
    "the two {nouns} from {event}",
    "the two {nouns} [shown|shared|sent] about {event}",
)
_BY_ORDER: Final[dict[str, tuple[str, ...]]] = {
    word: (
        f"{{what}} that was [sent|shared|shown] {word} {{event}}",
        f"{{what}} [sent|shared|shown] {word} {{event}}",
        f"{{what}} {{who}} {_SENT} {word} {{event}}",
        f"{{what}} that {{who}} {_SENT} {word} {{event}}",
    )
    for word in ("after", "before")
}
_UNSENT: Final = 2
"""The first so many of them do not say who sent it."""
_BY_WORDS: Final[tuple[str, ...]] = (
    "{what} [sent|shown|shared] when {said} came up",
    "{what} from the talk about {said}",
)
_BY_WORDS_SENT: Final[tuple[str, ...]] = (
    f"{{what}} {{who}} {_SENT} when {{said}} came up",
    f"{{what}} {{who}} {_SENT} while talking about {{said}}",
    f"{{what}} {{who}} {_SENT} along with {{said}}",
)
_ALONE: Final[tuple[str, ...]] = (
    f"{{what}} {{who}} [ever |]{_SENT}",
    f"{{what}} that {{who}} {_SENT}",
)
_BY_TIME: Final[tuple[str, ...]] = (
    "{what} from {time}",
    f"{{what}} {{who}} {_SENT} {{in}} {{time}}",
    f"{{what}} that {{who}} {_SENT} {{in}} {{time}}",
)
_MORE_THINGS: Final[tuple[str, ...]] = (
    "with more {label} than {other}",
    "that shows more {label} than {other}",
)
_LED: Final[tuple[str, ...]] = (
    "what {event} led to",
    "what came of {event}",
    "what happened because of {event}",
)
_STATED: Final[tuple[str, ...]] = (
    "the [day|time|occasion] when {said} came up",
    "the occasion on which {said} was mentioned",
)
_WHOSE: Final[dict[str, tuple[str, ...]]] = {
    "person": ("the person whose {attribute} was {value}", "the one whose {attribute} was {value}"),
    "pet": ("the animal whose {attribute} was {value}", "the one whose {attribute} was {value}"),
    "place": ("the place whose {attribute} was {value}",),
    "thing": ("the thing whose {attribute} was {value}",),
}


def says_name(name: str, text: str) -> bool:
    """Whether a text has a name as words of its own: Wei is not in `weight`."""
    return stands_in(run_of(name), [run_of(text)])


def picture_phrase(
    history: History, asked: PictureDescription, who: str, said: Fact | None, random: Random
) -> str:
    """A noun phrase for a picture.

    Args:
        history: Whose names it uses.
        asked: What it has to say.
        who: Name of who sent the picture.
        said: The fact by which it is described, if it is.
        random: Draws the variant.
    """
    ordinal = _ordinal(asked.place)
    what = f"the {ordinal}{asked.noun}"
    if asked.page is not None:
        page = f"page {asked.page} of the {ordinal}document"
        what = page if asked.noun == PAGE else f"the {asked.noun} on {page}"
    variants: tuple[str, ...]
    slots = {"what": what, "who": who}
    if asked.event is not None:
        title = asked.event.title or ""
        # Who is named in the event's own name need not be named again.
        variants = _BY_EVENT if says_name(who, title) else (*_BY_EVENT, *_BY_EVENT_SENT)
        slots["event"] = title
    elif (near := asked.after or asked.before) is not None:
        slots["event"] = near.title or ""
        variants = _BY_ORDER["after" if asked.after is not None else "before"]
        variants = variants[:_UNSENT] if says_name(who, slots["event"]) else variants
    elif said is not None:
        slots["said"] = history.label(said)
        variants = _BY_WORDS if says_name(who, slots["said"]) else (*_BY_WORDS, *_BY_WORDS_SENT)
    elif asked.on is not None:
        slots |= {"time": time_words(history, asked.on), "in": "on" if is_day(asked.on) else "in"}
        variants = _BY_TIME
    else:
        variants = ("{what}",) if asked.looks is not None else _ALONE
    phrase = _phrase(random.choice(variants), random, slots)
    if asked.looks is None:
        return phrase
    seen = _looks_words(asked.looks, random)
    return phrase.replace(what, f"{what} {seen}", 1)


def _phrase(pattern: str, random: Random, slots: dict[str, str]) -> str:
    """A pattern filled, as it is written inside a sentence."""
    return expand(f"of {pattern}", random, slots).text[len("of ") :]


def both_phrase(noun: str, title: str, random: Random) -> str:
    """Two pictures of one event, named together: `the two labels from the tasting`."""
    slots = {"nouns": f"{noun}s", "event": title}
    return _phrase(random.choice(BOTH), random, slots)


def _looks_words(looks: Looks, random: Random) -> str:
    slots = {"label": looks.label, "other": looks.other or ""}
    return _phrase(random.choice(_MORE_THINGS), random, slots)


def _ordinal(place: Place | None) -> str:
    if place is None:
        return ""
    return "last " if place.from_end and place.n == 1 else f"{_NTH[place.n]} "


def time_words(history: History, on: str) -> str:
    """A day in full, or a month, with its year where the history has the month in two years."""
    if is_day(on):
        return day_forms(on)[0]
    month, year = MONTHS[int(on[5:7]) - 1], on[:4]
    dates = history.bundle.date_by_round.values()
    years = {date[:4] for date in dates if date and date[5:7] == on[5:7]}
    return month if years <= {year} else f"{month} {year}"


def event_phrase(
    history: History, asked: EventDescription, said: Fact | None, random: Random
) -> str:
    """A noun phrase for an event: its title, what led to it, or what was said with it."""
    if asked.led_by is not None:
        return _phrase(random.choice(_LED), random, {"event": asked.led_by})
    if said is not None:
        return _phrase(random.choice(_STATED), random, {"said": history.label(said)})
    return asked.title or ""


def subject_phrase(kind: str, fact: Fact, random: Random) -> str | None:
    """A noun phrase for who or what a fact is about; None where its property cannot be said so."""
    variants = _WHOSE.get(kind)
    attribute = fact.attribute
    if variants is None or PRONOUN.search(attribute) or SUBJECT.search(attribute):
        return None
    words = fact.value.type is ValueType.TEXT and not fact.value.text[:1].isdigit()
    if not words or head_of(attribute).endswith("s"):
        return None
    slots = {"attribute": attribute, "value": spoken_value(fact.value)}
    return _phrase(random.choice(variants), random, slots)
