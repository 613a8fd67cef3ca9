"""Drafts of multiple-choice questions: fj, four options A to D in the question (M3Exam A.3).

What to do first or last of a procedure is not asked: 36 of 39 such items of fifteen personas were
answered from the question alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random

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
from memassay.synth.questions.history import History
from memassay.synth.questions.quantities import groups_alike
from memassay.synth.questions.times.orders import groups
from memassay.synth.world.values import spoken_value

_ALIKE = 4
"""Most that a wrong number differs from the right one by, as a factor: the size is no hint."""
_WRONG = 3
"""Wrong options of a choice."""
_NEAREST = 6
"""Rivals on either side that a choice draws its wrong numbers and dates from."""
_ORDERED = frozenset({ValueType.NUMBER, ValueType.DATE})
"""Types of which options have a rank, which is dealt like their letters."""


def judgement(history: History, random: Random) -> Iterator[Draft]:
    """fj: values, extremes, and which of four recommendations the history favours.

    The options have no letters yet: the first is right, the bank places them. Of numbers and dates
    the bank takes the wrong ones, too, so that the right one is the smallest, second, third and
    greatest equally often.
    """
    kinds = [
        _recommendations(history, random),
        _values(history, random),
        _moments(history, random),
        _extremes(history, random),
    ]
    yield from in_turn([list(kind) for kind in kinds])


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
        yield from _between(text, get(select(fact)), fact, others, "values", random)


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
    quota: str,
    random: Random,
    old: Fact | None = None,
) -> Iterator[Draft]:
    """A fact's value among those of others, and of the one it replaced if there is one."""
    right, about = _option(fact), (fact.id,)
    if fact.value.type in _ORDERED:
        ladder = _ladder(fact, others, quota, random, old)
        yield Draft(text, query, AnswerFormat.CHOICE, about, options=(right,), ladder=ladder)
    elif len(others) >= (wrong := _WRONG - (old is not None)):
        drawn = [*([old] if old else []), *random.sample(others, wrong)]
        options = (right, *map(_option, drawn))
        yield Draft(text, query, AnswerFormat.CHOICE, about, options=options)


def _ladder(
    fact: Fact, others: Sequence[Fact], quota: str, random: Random, old: Fact | None
) -> Ladder:
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
    return Ladder(quota, smaller, greater, (least[0], least[1]))


def _size(fact: Fact) -> Decimal:
    """Where a number or a day lies among others of its kind."""
    if fact.value.type is ValueType.DATE:
        return Decimal(start(fact.value.text).toordinal())
    return Decimal(fact.value.text)


def _recommendations(history: History, random: Random) -> Iterator[Draft]:
    """What to go by now: the latest value against the one it replaced and values like it."""
    told, said = _stated_facts(history), [fact for _, _, fact in history.said_facts()]
    for new in random.sample(said, len(said)):
        if not new.supersedes or new.id in history.replaced:
            continue
        old = next(
            (one for name in new.supersedes if history.in_text(one := history.facts[name])), None
        )
        if old is None or old.value.text == new.value.text:
            continue
        others = [one for one in rivals(new, told) if one.value.text != old.value.text]
        name = history.persona.name
        # The question names the user already.
        label = history.label(new).replace(f"{name}'s ", "the ", 1)
        text = random.choice(
            [
                f"Which would you recommend {name} to go by from now on for {label}?",
                f"{name} wants to plan with {label}. Which figure or choice is the better advice?",
                f"Which of these should {name} rely on today as {label}?",
            ]
        )
        query = get({"op": "as_of", "of": select(new), "at": "end"})
        yield from _between(text, query, new, others, "recommendations", random, old)


def _moments(history: History, random: Random) -> Iterator[Draft]:
    """Which of four events came first or last; neither titles nor threads tell it."""
    for four in groups(history, (len(LETTERS),), random, plain=True):
        which = random.choice(["first", "last"])
        facts = [fact for _, fact in four]
        right, *wrong = ((event.title, fact.subject) for event, fact in four)
        if which == "last":
            *wrong, right = (right, *wrong)
        query = get(
            {"op": "pick", "of": union(*map(select, facts)), "by": "value", "which": which},
            "subject",
        )
        yield Draft(
            f"Which of these came {which}?",
            query,
            AnswerFormat.CHOICE,
            tuple(fact.id for fact in facts),
            options=(right, *wrong),
        )


def _extremes(history: History, random: Random) -> Iterator[Draft]:
    """The largest or smallest of four numbers of one kind, each named by what it is of."""
    for four in groups_alike(history, len(LETTERS), random):
        which, word = random.choice([("max", "highest"), ("min", "lowest")])
        ordered = sorted(four, key=_size, reverse=which == "max")
        together = union(*(select(fact) for fact in four))
        query = get({"op": "pick", "of": together, "by": "value", "which": which})
        text = f"Measured in {ordered[0].value.unit}, which of these was {word}?"
        options = tuple((history.label(fact), fact.value.text) for fact in ordered)
        about = tuple(fact.id for fact in four)
        yield Draft(text, query, AnswerFormat.CHOICE, about, options=options)


def _option(fact: Fact) -> Option:
    return spoken_value(fact.value), fact.value.text
