"""Drafts of multiple-choice questions: fj, four options A to D in the question (M3Exam A.3)."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random

from memassay.schemas.benchmarks.constraints import LETTERS
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, select, union
from memassay.synth.questions.history import History
from memassay.synth.questions.quantities import groups_alike
from memassay.synth.world.values import spoken

_ALIKE = 4
"""Most that a wrong number differs from the right one by, as a factor: the size is no hint."""
_WRONG = 3
"""Wrong options of a choice."""
_NEAREST = 6
"""Rivals a choice draws its three wrong numbers from."""


def judgement(history: History, random: Random) -> Iterator[Draft]:
    """fj: values, extremes, and which of four recommendations the history favours.

    The options have no letters yet: the first is right, the bank places them.
    """
    kinds = [
        _recommendations(history, random),
        _values(history, random),
        _advice(history, random),
        _extremes(history, random),
    ]
    yield from in_turn([[_draft(*one) for one in kind] for kind in kinds])


def placed(draft: Draft, letter: str, random: Random) -> Draft:
    """A choice with its right option at a letter and its wrong ones shuffled around it."""
    right, *wrong = draft.options
    left = random.sample(wrong, len(wrong))
    order = [right if one == letter else left.pop() for one in LETTERS]
    values = {one: value for one, (_, value) in zip(LETTERS, order, strict=True)}
    shown = tuple((one, said) for one, (said, _) in zip(LETTERS, order, strict=True))
    listed = " ".join(f"{one}. {said}" for one, said in shown)
    choice: Query = {"op": "choose", "of": draft.query, "options": values}
    return replace(draft, text=f"{draft.text} {listed}", query=choice, options=shown)


_Unplaced = tuple[str, Query, tuple[str, ...], tuple[str, str], list[tuple[str, str]]]
"""Question, query, facts, then (text shown, value) of the right option and of the wrong ones."""


def _values(history: History, random: Random) -> Iterator[_Unplaced]:
    said = [
        (event, spec, fact)
        for event, spec, fact in history.said_facts()
        if spec.ask and history.is_settled(fact)
    ]
    for event, spec, fact in random.sample(said, len(said)):
        others = rivals(fact, [other for _, _, other in said])
        if len(others) < _WRONG:
            continue
        wrong = [_option(rival) for rival in random.sample(others, _WRONG)]
        text = history.say(random.choice(spec.ask), event, random)
        yield text, get(select(fact)), (fact.id,), _option(fact), wrong


def rivals(fact: Fact, said: list[Fact]) -> list[Fact]:
    """Other facts whose values could be mistaken for a fact's: same type and unit."""
    found: dict[str, Fact] = {}
    for other in said:
        alike = (other.value.type, other.value.unit) == (fact.value.type, fact.value.unit)
        if alike and other.value.text != fact.value.text:
            found.setdefault(other.value.text, other)
    others = list(found.values())
    if fact.value.type is ValueType.TEXT:
        return [other for other in others if other.attribute == fact.attribute]
    if fact.value.type is ValueType.NUMBER:
        return _nearest(fact, others)
    return others


def _nearest(fact: Fact, rivals: list[Fact]) -> list[Fact]:
    """The numbers nearest in size; one of another order of size is no rival."""
    size = abs(Decimal(fact.value.text)) or Decimal(1)

    def ratio(other: Fact) -> Decimal:
        theirs = abs(Decimal(other.value.text)) or Decimal(1)
        return max(size / theirs, theirs / size)

    return sorted((other for other in rivals if ratio(other) <= _ALIKE), key=ratio)[:_NEAREST]


def _recommendations(history: History, random: Random) -> Iterator[_Unplaced]:
    """What to go by now: the latest value against the one it replaced and values like it."""
    said = [fact for _, _, fact in history.said_facts()]
    for new in random.sample(said, len(said)):
        if not new.supersedes or new.id in history.replaced:
            continue
        old = [
            history.facts[name] for name in new.supersedes if history.in_text(history.facts[name])
        ]
        others = (
            [one for one in rivals(new, said) if one.value.text != old[0].value.text] if old else []
        )
        if not old or old[0].value.text == new.value.text or len(others) < 2:
            continue
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
        wrong = [_option(one) for one in (old[0], *random.sample(others, 2))]
        query = get({"op": "as_of", "of": select(new), "at": "end"})
        yield text, query, (new.id,), _option(new), wrong


def _advice(history: History, random: Random) -> Iterator[_Unplaced]:
    """What to do first or last of four steps that the assistant listed."""
    for event in random.sample(history.events, len(history.events)):
        steps = [history.facts[fact] for slot, fact in event.facts.items() if "step:" in slot]
        if len(steps) <= _WRONG or any(one.id not in history.mentions for one in steps):
            continue
        which = random.choice(["first", "last"])
        text = (
            f"Of these, which would you advise to do {which}, going by {history.label(steps[0])}?"
        )
        pairs = [(fact.value.text, fact.value.text) for fact in steps]
        right, *rest = pairs if which == "first" else pairs[::-1]
        query = get({"op": "pick", "of": select(steps[0]), "by": "order", "which": which})
        about = tuple(fact.id for fact in steps)
        yield text, query, about, right, random.sample(rest, _WRONG)


def _extremes(history: History, random: Random) -> Iterator[_Unplaced]:
    """The largest or smallest of four numbers of one kind, each named by what it is of."""
    for four in groups_alike(history, 4, random):
        which, word = random.choice([("max", "highest"), ("min", "lowest")])
        ordered = sorted(four, key=lambda fact: Decimal(fact.value.text))
        right = ordered[-1] if which == "max" else ordered[0]
        together = union(*(select(fact) for fact in four))
        query = get({"op": "pick", "of": together, "by": "value", "which": which})
        text = f"Measured in {right.value.unit}, which of these was {word}?"
        shown = {fact.id: (history.label(fact), fact.value.text) for fact in four}
        wrong = [shown[fact.id] for fact in four if fact is not right]
        yield text, query, tuple(shown), shown[right.id], wrong


def _draft(
    text: str,
    query: Query,
    about: tuple[str, ...],
    right: tuple[str, str],
    wrong: list[tuple[str, str]],
) -> Draft:
    return Draft(text, query, AnswerFormat.CHOICE, about, options=(right, *wrong))


def _option(fact: Fact) -> tuple[str, str]:
    return spoken(fact.value), fact.value.text
