"""Drafts of multiple-choice questions: fj, four options A to D in the question (M3Exam A.3).

What to do first or last of a procedure is not asked: 36 of 39 such items of fifteen personas were
answered from the question alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.benchmarks.constraints import LETTERS
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.civil_time import start
from memassay.synth.questions.drafts import (
    Draft,
    Ladder,
    Option,
    Query,
    get,
    in_turn,
    select,
    union,
)
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History
from memassay.synth.questions.times.orders import kind_groups
from memassay.synth.world.grammar import expand
from memassay.synth.world.values import spoken_value

_ADVICE: Final = (
    "Which would you recommend {user} to go by from now on for {label}?",
    "{user} wants to plan with {label}. Which of these should that be?",
    "Which of these should {user} rely on today as {label}?",
    "{user} asks what to put down for {label}. What would you say?",
    "If {user} had to give {label} today, which of these would be right?",
    "What should {user} go by now for {label}?",
    "Which of these holds now for {label}?",
)
_OUTDATED: Final = (
    "Somebody still thinks that it is {old} for {label}. What should they go by instead?",
    "An old note gives {old} for {label}. Which of these should replace it?",
    "A friend who missed the news has {old} down for {label}. What would you tell them?",
    "{old} is out of date for {label}. Which of these is right now?",
    "Planning with {old} for {label} would be a mistake by now. What should be used?",
    "{label} used to be {old}. Which of these holds now?",
    "It was {old} once, but minds changed about {label}. Which of these came in its place?",
    "If a reminder still says {old} for {label}, what should it say?",
)
_NO_LONGER: Final = (
    "Which of these is no longer true?",
    "One of these no longer holds. Which one?",
    "Which of these notes of {user}'s is no longer right?",
    "{user} is clearing out old notes. Which of these is no longer true?",
    "All but one of these still hold. Which one does not?",
    "Which of these would be out of date by now and is not to be used again?",
    "Which of these should {user} not go by any more?",
)
_MOMENTS: Final = (
    "Which of these came {which}?",
    "Which of these happened {which}?",
    "Looking back, which of these came {which}?",
    "If {user} put these in a diary, which entry would be the {which}?",
)
_ALIKE = 4
"""Most that a wrong number differs from the right one by, as a factor: the size is no hint."""
_WRONG = 3
"""Wrong options of a choice."""
_NEAREST = 6
"""Rivals on either side that a choice draws its wrong numbers and dates from."""
_QUOTA: Final = "values"
"""All numbers and dates take their ranks from one quota: few have been changed."""
_ORDERED = frozenset({ValueType.NUMBER, ValueType.DATE})
"""Types of which options have a rank, which is dealt like their letters."""


def judgement(history: History, random: Random) -> Iterator[Draft]:
    """fj: what the history advises now, what to tell somebody who knows the old, values.

    The options have no letters yet: the first is right, the bank places them. Of numbers and dates
    the bank takes the wrong ones, too, so that the right one is the smallest, second, third and
    greatest equally often.
    """
    moments = list(_moments(history, random))
    changed = [list(one(history, random)) for one in (_no_longer, _corrections)]
    advice = list(_recommendations(history, random))
    # One round answers these, so they fill what is left.
    fill = [advice[1:], list(_values(history, random))]
    yield from in_turn([changed[0], moments[::2], changed[1], moments[1::2], advice[:1]])
    yield from in_turn(fill)


def place_options(draft: Draft, letter: str, random: Random) -> Draft:
    """A choice with its right option at a letter and its wrong ones shuffled around it."""
    right, *wrong = draft.options
    left = random.sample(wrong, len(wrong))
    order = [right if one == letter else left.pop() for one in LETTERS]
    values = {one: value for one, (_, value) in zip(LETTERS, order, strict=True)}
    shown = tuple((one, said) for one, (said, _) in zip(LETTERS, order, strict=True))
    listed = " ".join(f"{one}. {said}" for one, said in shown)
    choice: Query = {"op": "choose", "of": draft.query, "options": values}
    return replace(draft, text=f"{draft.text} {listed}", query=choice, options=shown)


def _values(history: History, random: Random) -> Iterator[Draft]:
    told = _stated_facts(history)
    said = [
        (event, spec, fact)
        for event, spec, fact in history.said_facts()
        if spec.ask and history.is_settled(fact)
    ]
    for event, spec, fact in random.sample(said, len(said)):
        others = rivals(fact, told)
        text = history.say(random.choice(spec.ask), event, random)
        yield from _between(text, get(select(fact)), fact, others, random)


def _stated_facts(history: History) -> list[Fact]:
    """What wrong options are taken from: one that only a picture shows would be known by that."""
    return [fact for fact in history.bundle.facts if history.in_text(fact)]


def rivals(fact: Fact, told: Sequence[Fact]) -> list[Fact]:
    """Other facts whose values could be mistaken for a fact's: same type and unit.

    A number of another order of size or another number of decimals is no rival, nor is a text of
    another attribute.
    """
    found: dict[str, Fact] = {}
    for other in told:
        alike = (other.value.type, other.value.unit) == (fact.value.type, fact.value.unit)
        if alike and other.value.text != fact.value.text:
            found.setdefault(other.value.text, other)
    others = list(found.values())
    if fact.value.type is ValueType.TEXT:
        return [other for other in others if other.attribute == fact.attribute]
    if fact.value.type is ValueType.NUMBER:
        return [other for other in others if _is_alike(fact, other)]
    return others


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two numbers are of like size and written with as many decimals."""
    numbers = [Decimal(fact.value.text) for fact in (one, other)]
    sizes = [abs(number) or Decimal(1) for number in numbers]
    first, second = (number.as_tuple().exponent for number in numbers)
    return first == second and max(sizes) <= _ALIKE * min(sizes)


def _between(
    text: str,
    query: Query,
    fact: Fact,
    others: Sequence[Fact],
    random: Random,
    old: Fact | None = None,
) -> Iterator[Draft]:
    """A fact's value among those of others, and of the one it replaced if there is one."""
    right, about = _option(fact), (fact.id,)
    if fact.value.type in _ORDERED:
        ladder = _ladder(fact, others, random, old)
        yield Draft(text, query, AnswerFormat.CHOICE, about, options=(right,), ladder=ladder)
    elif len(others) >= (wrong := _WRONG - (old is not None)):
        drawn = [*([old] if old else []), *random.sample(others, wrong)]
        options = (right, *map(_option, drawn))
        yield Draft(text, query, AnswerFormat.CHOICE, about, options=options)


def _ladder(fact: Fact, others: Sequence[Fact], random: Random, old: Fact | None) -> Ladder:
    """The nearest values on either side, drawn by chance; what was replaced comes first."""
    below = sorted((one for one in others if _size(one) < _size(fact)), key=_size, reverse=True)
    above = sorted((one for one in others if _size(one) > _size(fact)), key=_size)
    sides = [random.sample(near, len(near)) for near in (below[:_NEAREST], above[:_NEAREST])]
    least = [0, 0]
    if old is not None:
        at = int(_size(old) > _size(fact))
        sides[at].insert(0, old)
        least[at] = 1
    smaller, greater = (tuple(map(_option, side)) for side in sides)
    return Ladder(_QUOTA, smaller, greater, (least[0], least[1]))


def _size(fact: Fact) -> Decimal:
    """Where a number or a day lies among others of its kind."""
    if fact.value.type is ValueType.DATE:
        return Decimal(start(fact.value.text).toordinal())
    return Decimal(fact.value.text)


def _changes(history: History, random: Random) -> Iterator[tuple[Fact, Fact, list[Fact]]]:
    """What changed for good, what it replaced, and what could be mistaken for it."""
    told, said = _stated_facts(history), [fact for _, _, fact in history.said_facts()]
    for new in random.sample(said, len(said)):
        if not new.supersedes or new.id in history.replaced:
            continue
        old = next(
            (one for name in new.supersedes if history.in_text(one := history.facts[name])), None
        )
        if old is not None and old.value.text != new.value.text:
            others = [one for one in rivals(new, told) if one.value.text != old.value.text]
            yield new, old, others


def _recommendations(history: History, random: Random) -> Iterator[Draft]:
    """What to go by now: the latest value against the one it replaced and values like it."""
    for new, old, others in _changes(history, random):
        name = history.persona.name
        # The question names the user already.
        label = history.label(new).replace(f"{name}'s ", "the ", 1)
        text = expand(random.choice(_ADVICE), random, {"user": name, "label": label}).text
        query = get({"op": "as_of", "of": select(new), "at": "end"})
        yield from _between(text, query, new, others, random, old)


def _corrections(history: History, random: Random) -> Iterator[Draft]:
    """What to tell somebody who still goes by what was replaced."""
    for new, old, others in _changes(history, random):
        slots = {"label": history.label(new), "old": spoken_value(old.value)}
        text = expand(random.choice(_OUTDATED), random, slots).text
        where = {"subject": old.subject, "attribute": old.attribute, "value": old.value.text}
        of: Query = {
            "op": "follow",
            "of": {"op": "select", "where": where},
            "attribute": new.attribute,
            "from": "subject",
            "to": "subject",
        }
        query = get({"op": "as_of", "of": of, "at": "end"})
        for draft in _between(text, query, new, others, random):
            yield replace(draft, about=(old.id, new.id))


def _no_longer(history: History, random: Random) -> Iterator[Draft]:
    """Which of four properties of one type is given with a value that another one replaced."""
    settled = [
        fact
        for _, spec, fact in history.said_facts()
        if spec.ask and history.is_settled(fact) and is_plainly_note(history, fact)
    ]
    changed = [new for new, _, _ in _changes(history, random)]
    heads = {head_of(fact.attribute) for fact in changed}
    for new, old, _ in _changes(history, random):
        others = [fact for fact in settled if fact.value.type == old.value.type]
        values = {old.value.text, new.value.text}
        drawn = [old]
        # First those of a kind that changes: what is over and done with would be ruled out.
        likely = sorted(
            random.sample(others, len(others)), key=lambda one: head_of(one.attribute) not in heads
        )
        for fact in likely:
            if fact.value.text not in values and len(drawn) < len(LETTERS):
                values.add(fact.value.text)
                drawn.append(fact)
        if len(drawn) < len(LETTERS):
            continue
        every = union(*map(select, drawn))
        now: Query = {"op": "as_of", "of": every, "at": "end"}
        query = get({"op": "minus", "a": every, "b": now})
        yield Draft(
            expand(random.choice(_NO_LONGER), random, {"user": history.persona.name}).text,
            query,
            AnswerFormat.CHOICE,
            (old.id, new.id, *(fact.id for fact in drawn[1:])),
            options=tuple(_note(history, fact) for fact in drawn),
            whole=True,
        )


def is_plainly_note(history: History, fact: Fact) -> bool:
    """Whether a fact is said in one round, in no picture, and its property needs no other name."""
    mentions = history.mentions[fact.id]
    once = len({mention.round for mention in mentions}) == 1
    said = all(mention.attachment is None for mention in mentions)
    return once and said and history.is_labelled(fact) and " its " not in f" {fact.attribute} "


def _note(history: History, fact: Fact) -> Option:
    """A property with a value of it: `Wei's monthly rent: 900 CNY`."""
    label = history.label(fact)
    return f"{label[0].upper()}{label[1:]}: {spoken_value(fact.value)}", fact.value.text


def _moments(history: History, random: Random) -> Iterator[Draft]:
    """Which of four events came first or last; neither titles nor threads tell it."""
    for four in kind_groups(history, len(LETTERS), random):
        which = random.choice(["first", "last"])
        facts = [fact for _, fact in four]
        right, *wrong = ((event.title, fact.subject) for event, fact in four)
        if which == "last":
            *wrong, right = (right, *wrong)
        query = get(
            {"op": "pick", "of": union(*map(select, facts)), "by": "value", "which": which},
            "subject",
        )
        slots = {"which": which, "user": history.persona.name}
        yield Draft(
            expand(random.choice(_MOMENTS), random, slots).text,
            query,
            AnswerFormat.CHOICE,
            tuple(fact.id for fact in facts),
            options=(right, *wrong),
        )


def _option(fact: Fact) -> Option:
    return spoken_value(fact.value), fact.value.text
