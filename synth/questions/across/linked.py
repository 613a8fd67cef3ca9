"""Drafts that follow one thing from session to session: ms (M3Exam A.3)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations
from random import Random
from typing import Final

from memassay.schemas.records.event import EventLine
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.across.links import Links
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import PRONOUN, SUBJECT, History
from memassay.synth.questions.recall import answer_format
from memassay.synth.world.grammar import expand
from memassay.synth.world.values import spoken_value

_KINDS: Final = {
    "person": ("person", "their"),
    "pet": ("animal", "its"),
    "place": ("place", "its"),
    "project": ("project", "its"),
    "organisation": ("organisation", "its"),
}
"""By kind of an entity, what it is called where its name is to be found out, and its pronoun."""
_SOMEBODY: Final = re.compile(r"\b(?:he|she|they|him|his|her|them|their|it|its)\b")
"""Words of an attribute that need a name before them."""
_MOST: Final = 200
"""Most pairs that are looked at, drawn by chance."""


def changes(history: History, random: Random) -> Iterator[Draft]:
    """A value before and after its change, or by how much it changed."""
    for _, _, new in history.said_facts():
        if len(new.supersedes) != 1 or new.id in history.replaced:
            continue
        old = history.facts[new.supersedes[0]]
        apart = history.in_text(old) and history.session_of(old) != history.session_of(new)
        if not apart or old.supersedes:
            continue
        label, about = history.label(new), (old.id, new.id)
        distance = _distance(label, old, new, random)
        if distance and random.random() < 0.5:
            yield Draft(*distance, AnswerFormat.NUMBER, about)
            continue
        text = expand(random.choice(_CHANGED), random, {"label": label}).text
        query = {"op": "sequence", "of": select(new), "by": "date"}
        yield Draft(text, get(query), AnswerFormat.FREE, about)


def _distance(label: str, old: Fact, new: Fact, random: Random) -> tuple[str, Query] | None:
    """How far a change of a number or a day went, and how to ask for it."""
    if old.value.text == new.value.text:
        return None
    was, became = (
        get({"op": "pick", "of": select(new), "by": "date", "which": which})
        for which in ("first", "last")
    )
    if new.value.type is ValueType.NUMBER:
        up = Decimal(new.value.text) > Decimal(old.value.text)
        way = "up" if up else "down"
        text = expand(random.choice(_MOVED), random, {"label": label, "way": way}).text
        return text, _less(became, was) if up else _less(was, became)
    if new.value.type is ValueType.DATE:
        later = start(new.value.text) > start(old.value.text)
        way = "put off" if later else "brought forward"
        text = expand(random.choice(_SHIFTED), random, {"label": label, "way": way}).text
        apart = _less(became, was) if later else _less(was, became)
        return text, {**apart, "unit": "day"}
    return None


_CHANGED: Final = (
    "What was {label} [at first|to begin with|originally], and what did it change to?",
    "How did {label} change? [Give|Name] the first and then the new one.",
    "{label} changed [at some point|along the way]. From what to what?",
    "[Remind me|Tell me], what was {label} before it changed, and what after?",
    "What was {label} before and after the change?",
    "What was {label} first, and what did it become?",
    "{label} was one thing first and another then. Which were they?",
    "What did {label} start as, and what is it now?",
    "Which was {label} first, and which [later|in the end]?",
    "There was a change to {label}. What was it, from what to what?",
)
_MOVED: Final = (
    "By how much did {label} go {way} [when it changed|when it was revised]?",
    "How far {way} did {label} go in the end?",
    "{label} went {way} [at some point|along the way]. By how much?",
    "[Remind me|Tell me], how much did {label} go {way}?",
    "How big was the change when {label} went {way}?",
)
_SHIFTED: Final = (
    "By how many days was {label} {way}?",
    "{label} was {way}. By how many days?",
    "How many days was {label} {way} [in the end|when plans changed]?",
    "[Remind me|Tell me], how many days was {label} {way} by?",
)
_STOOD: Final = (
    "At the time of {event}, what was {label}?",
    "When {event} came up, what was {label}?",
    "What was {label} when {event} came up?",
    "What was {label} around {event}?",
    "Which was {label} back when {event} came up?",
    "Back at the time of {event}: what was {label} then?",
    "{event} came up: what was {label} then?",
    "[Remind me|Tell me], what was {label} at the time of {event}?",
    "As things were when {event} came up, what was {label}?",
    "Which was the latest on {label} by the time of {event}?",
)
_BETWEEN: Final = (
    "By how much did {label} go {way} between {first} and {last}?",
    "From {first} to {last}, how much did {label} go {way}?",
    "How far {way} did {label} go between {first} and {last}?",
    "Between {first} and {last}, {label} went {way}. By how much?",
    "[Remind me|Tell me], how much did {label} go {way} from {first} to {last}?",
)
_HOPS: Final = (
    "Think of the {noun} whose {said}. What was {its} {asked}?",
    "Somewhere there was {a} {noun} whose {said}. What was {its} {asked}?",
    "What was the {asked} of the {noun} whose {said}?",
    "For the {noun} whose {said}, what was the {asked}?",
    "I only remember that {its} {said}. What was the {asked} of that {noun}?",
    "[Remind me|Tell me], what {asked} did the {noun} have whose {said}?",
    "The {noun} whose {said}: what was {its} {asked}?",
    "Do you recall the {noun} whose {said}? What was {its} {asked}?",
)
_DETAILS: Final = (
    "About {name}: what was the {one}, and what was the {other}?",
    "What do we know of {name}: the {one}, and then the {other}?",
    "[Remind me|Tell me] two things about {name}: the {one} and the {other}.",
    "For {name}, what was the {one} and what the {other}?",
    "I need {name}'s details: the {one}, then the {other}. What are they?",
)


@dataclass(frozen=True)
class _Change:
    """A value that changed once, and linked core events of other sessions before and after it."""

    old: Fact
    new: Fact
    before: tuple[str, Fact] | None
    after: tuple[str, Fact] | None


def _changes_between(history: History, random: Random) -> Iterator[_Change]:
    """Every change with the titles and date facts of events around it, drawn by chance."""
    core = [(event, day) for event, day in history.dated_events() if event.line is EventLine.CORE]
    links = Links(history)
    for _, _, new in history.said_facts():
        old = history.facts[new.supersedes[0]] if len(new.supersedes) == 1 else None
        if old is None or old.supersedes or new.id in history.replaced or not history.in_text(old):
            continue
        begun, changed = history.rank_of(old), history.rank_of(new)
        ranked = [
            (history.rank_of(day), (event.title, day))
            for event, day in core
            if links.are_joined([old, new, day])
        ]
        before = [event for rank, event in ranked if begun < rank < changed]
        after = [event for rank, event in ranked if rank > changed]
        yield _Change(
            old,
            new,
            random.choice(before) if before else None,
            random.choice(after) if after else None,
        )


def standings(history: History, random: Random) -> Iterator[Draft]:
    """What the last word on a changing value was when another session's event came up."""
    links = Links(history)
    for change in _changes_between(history, random):
        for held, event in ((change.old, change.before), (change.new, change.after)):
            # The answer rests on what held then and on the event alone.
            if event is None or not links.are_joined([held, event[1]]):
                continue
            title, day = event
            slots = {"event": title, "label": history.label(change.new)}
            text = expand(random.choice(_STOOD), random, slots).text
            query = _word_at(change.new, day)
            yield Draft(text, query, answer_format(held), (held.id, day.id))


def shifts(history: History, random: Random) -> Iterator[Draft]:
    """How far a number moved between two events of sessions other than those that tell it."""
    for change in _changes_between(history, random):
        old, new = change.old, change.new
        apart = old.value.type is ValueType.NUMBER and old.value.text != new.value.text
        if not apart or change.before is None or change.after is None:
            continue
        (first, early), (last, late) = change.before, change.after
        up = Decimal(new.value.text) > Decimal(old.value.text)
        slots = {"label": history.label(new), "way": "up" if up else "down"}
        slots |= {"first": first, "last": last}
        text = expand(random.choice(_BETWEEN), random, slots).text
        was, became = _word_at(new, early), _word_at(new, late)
        query = _less(became, was) if up else _less(was, became)
        about = (old.id, early.id, new.id, late.id)
        yield Draft(text, query, AnswerFormat.NUMBER, about)


def _word_at(fact: Fact, day: Fact) -> Query:
    """What a changing value was by the session that tells an event's date."""
    at = get(select(day), "session")
    return get({"op": "as_of", "of": select(fact), "at": at})


def _less(greater: Query, less: Query) -> Query:
    return {"op": "diff", "a": greater, "b": less}


def _told_of(history: History) -> dict[str, list[Fact]]:
    """By whom or what they are about, what was said for good and can be asked for."""
    told: dict[str, list[Fact]] = {}
    for _, spec, fact in history.said_facts():
        if spec.ask and history.is_settled(fact) and fact.value.type is not ValueType.DATE:
            told.setdefault(fact.subject, []).append(fact)
    return told


def hops(history: History, random: Random) -> Iterator[Draft]:
    """From a detail of somebody or something to another detail, by the name that both rounds say.

    What is asked for is known of others too, so that the first session is needed.
    """
    told = _told_of(history)
    told.pop("user", None)
    holders: dict[str, set[str]] = {}
    for facts in told.values():
        for fact in facts:
            holders.setdefault(head_of(fact.attribute), set()).add(fact.subject)
    pairs = [pair for facts in told.values() for pair in permutations(facts, 2)]
    for known, asked in random.sample(pairs, min(len(pairs), _MOST)):
        kind = _KINDS.get(history.persona.entities[known.subject].kind)
        shared = len(holders[head_of(asked.attribute)]) > 1
        apart = history.session_of(known) != history.session_of(asked)
        linked = apart and history.names_subject(known) and history.names_subject(asked)
        if kind is None or not shared or not linked or not _reads_well(known, asked):
            continue
        noun, its = kind
        said = f"{known.attribute} was {_quote(known)}"
        article = "an" if noun[0] in "aeiou" else "a"
        slots = {"a": article, "noun": noun, "said": said, "its": its, "asked": asked.attribute}
        text = expand(random.choice(_HOPS), random, slots).text
        where = {"attribute": known.attribute, "value": known.value.text}
        query: Query = {
            "op": "follow",
            "of": {"op": "select", "where": where},
            "attribute": asked.attribute,
            "from": "subject",
            "to": "subject",
        }
        yield Draft(text, get(query), answer_format(asked), (known.id, asked.id))


def _reads_well(known: Fact, asked: Fact) -> bool:
    """Whether `whose ... was ..., what was its ...` is English with these attributes."""
    attributes = (known.attribute, asked.attribute)
    plural = any(re.search(r"[^s]s$", head_of(each)) for each in attributes)
    named = any(" of " in each for each in attributes)
    texts = (*attributes, known.value.text)
    return not plural and not named and not any(map(_SOMEBODY.search, texts))


def _quote(fact: Fact) -> str:
    said = spoken_value(fact.value)
    words = fact.value.type is ValueType.TEXT and not said[0].isdigit()
    return f'"{said}"' if words else said


def threads(history: History, random: Random) -> Iterator[Draft]:
    """Two details of one person, animal or thing that one thread of events tells."""
    links = Links(history)
    # The user is in everything: nobody asks for two of a user's details at once.
    told = {key: facts for key, facts in _told_of(history).items() if key != "user"}
    pairs = [pair for facts in told.values() for pair in combinations(facts, 2)]
    for first, second in random.sample(pairs, len(pairs)):
        # The executor lists values of one unit only.
        alike = first.value.unit == second.value.unit
        apart = history.session_of(first) != history.session_of(second)
        if not alike or not apart or not links.in_thread(first, second):
            continue
        # Values come in the order of their sessions, and so are they asked for.
        text = expand(random.choice(_DETAILS), random, _details(history, first, second)).text
        both = union(select(first), select(second))
        query = get({"op": "sequence", "of": both, "by": "said"})
        yield Draft(text, query, AnswerFormat.FREE, (first.id, second.id))


def _details(history: History, first: Fact, second: Fact) -> dict[str, str]:
    name = history.names[first.subject]
    one, other = (
        SUBJECT.sub(name, PRONOUN.sub(f"{name}'s", fact.attribute)) for fact in (first, second)
    )
    return {"name": name, "one": one, "other": other}
