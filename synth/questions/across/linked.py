"""Drafts that follow one thing from session to session: ms (M3Exam A.3)."""

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, permutations
from random import Random
from typing import Final

from memassay.schemas.queries.asked.words import run_of, stands_in
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History
from memassay.synth.questions.recall import answer_format
from memassay.synth.world.grammar import article, expand, slots_of
from memassay.synth.world.persona_file import FactSpec
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
"""Words of a detail that need a name before them."""
_PLURAL: Final = re.compile(r"[^\Ws]s\b")
"""A plural in an attribute."""
_CLAUSE: Final = re.compile(r"(?!wh|how).*\b(?:would|could|did|had|is|are|was|were)\b")
"""A value that is a sentence of its own."""
_RARE: Final = 5
"""Somebody or something that more than this part of the events name is not known by a detail."""
_EACH: Final = 2
"""Questions from one detail to another that are tried first about one subject."""
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
_FORGOT: Final = (
    "I only remember that {its} {said}. {asked}",
    "I forgot the name, but {its} {said}. {asked}",
    "[What I recall|All I know] is that {its} {said}. {asked}",
    "There was {a} {noun} whose {said}. {asked}",
    "Think of the {noun} whose {said}. {asked}",
    "Do you recall the {noun} whose {said}? {asked}",
)
_PLAIN: Final = ("What was the {asked} of that {noun}?", "What was that {noun}'s {asked}?")
_ASPECTS: Final = (
    "What was {label} {one}, and what was it {other}?",
    "What was {label} {one}, and what {other}?",
    "[Remind me|Tell me], what was {label} {one}, and what was it {other}?",
    "What was {label} {one} and {other}?",
    "[Remind me|Tell me], what was {label} {one}, and what {other}?",
)
_BEGINS_APART: Final = re.compile(
    r" (?=(?:in|on|at|for|after|before|during|under|with|without|by|from|until|per)\b)"
)
"""Where an attribute begins to say which one of its kind it is."""


def _less(greater: Query, less: Query) -> Query:
    return {"op": "diff", "a": greater, "b": less}


_Told = tuple[TimelineEvent, FactSpec, Fact]


def _told_of(history: History) -> dict[str, list[_Told]]:
    """By whom or what they are about, what was said for good and can be asked for."""
    told: dict[str, list[_Told]] = {}
    for event, spec, fact in history.said_facts():
        if spec.ask and history.is_settled(fact) and fact.value.type is not ValueType.DATE:
            told.setdefault(fact.subject, []).append((event, spec, fact))
    return told


def hops(history: History, random: Random) -> Iterator[Draft]:
    """From a detail of somebody or something to another detail, by the name that both rounds say.

    First where what is asked for is known of others too, so that only the detail tells whose.
    """
    told = _told_of(history)
    told.pop("user", None)
    # What is spoken of all the time has a name that nobody forgets.
    often = Counter(key for event in history.events for key in event.names)
    told = {key: each for key, each in told.items() if often[key] <= len(history.events) / _RARE}
    needing: list[Draft] = []
    alone: list[Draft] = []
    asked_of = Counter[str]()
    holders: dict[str, set[str]] = {}
    for each in told.values():
        for _, _, fact in each:
            holders.setdefault(head_of(fact.attribute), set()).add(fact.subject)
    pairs = [pair for each in told.values() for pair in permutations(each, 2)]
    for (_, _, known), (event, spec, asked) in random.sample(pairs, min(len(pairs), _MOST)):
        shared = len(holders[head_of(asked.attribute)]) > 1
        apart = history.session_of(known) != history.session_of(asked)
        linked = apart and history.names_subject(known) and history.names_subject(asked)
        if not linked or not _reads_well(known):
            continue
        text = _hop_text(history, known, (event, spec, asked), random)
        if text is None:
            continue
        where = {"attribute": known.attribute, "value": known.value.text}
        query: Query = {
            "op": "follow",
            "of": {"op": "select", "where": where},
            "attribute": asked.attribute,
            "from": "subject",
            "to": "subject",
        }
        draft = Draft(text, get(query), answer_format(asked), (known.id, asked.id))
        asked_of[asked.subject] += 1
        (needing if shared and asked_of[asked.subject] <= _EACH else alone).append(draft)
    yield from (*needing, *alone)


def _hop_text(history: History, known: Fact, asked: _Told, random: Random) -> str | None:
    """A question about whom a detail is of, without the name; None where it needs the name."""
    kind = _KINDS.get(history.persona.entities[known.subject].kind)
    if kind is None:
        return None
    event, spec, fact = asked
    noun, its = kind
    said = f"{known.attribute} was {spoken_value(known.value)}"
    unnamed = [one for one in spec.ask if {*slots_of(one)} == {known.subject}]
    if unnamed:
        clause = history.say(random.choice(unnamed), event, random, {known.subject: f"that {noun}"})
    elif _reads_well(fact):
        slots = {"asked": fact.attribute, "noun": noun}
        clause = expand(random.choice(_PLAIN), random, slots).text
    else:
        return None
    slots = {"a": article(noun), "noun": noun, "its": its}
    slots |= {"said": said, "asked": clause}
    text = expand(random.choice(_FORGOT), random, slots).text
    # No event is named either: the query speaks of none.
    titles = (event.title.removeprefix("the ") for event in history.events)
    names = (history.names[known.subject], *titles)
    return None if any(stands_in(run_of(name), [run_of(text)]) for name in names) else text


def _reads_well(fact: Fact) -> bool:
    """Whether `its ... was ...` is English with a fact."""
    said = (fact.attribute, fact.value.text)
    unfit = _PLURAL.search(fact.attribute) or _CLAUSE.match(fact.value.text)
    return not unfit and " of " not in fact.attribute and not any(map(_SOMEBODY.search, said))


def aspects(history: History, random: Random) -> Iterator[Draft]:
    """One quantity of one subject on two occasions: its weight at admission and at discharge."""
    alike: dict[tuple[str, str, str, str | None], list[tuple[str, Fact]]] = {}
    for _, spec, fact in history.said_facts():
        parts = _BEGINS_APART.split(fact.attribute, maxsplit=1)
        if spec.ask and history.is_settled(fact) and len(parts) == 2:
            kind = (fact.subject, parts[0], str(fact.value.type), fact.value.unit)
            alike.setdefault(kind, []).append((parts[1], fact))
    pairs = [pair for facts in alike.values() for pair in combinations(facts, 2)]
    for (one, first), (other, second) in random.sample(pairs, len(pairs)):
        base = _BEGINS_APART.split(first.attribute, maxsplit=1)[0]
        slots = {"label": history.property_of(first.subject, base), "one": one, "other": other}
        # Values come in the order of their sessions, and so are they asked for.
        text = expand(random.choice(_ASPECTS), random, slots).text
        both = union(select(first), select(second))
        query = get({"op": "sequence", "of": both, "by": "said"})
        yield Draft(text, query, AnswerFormat.FREE, (first.id, second.id))
