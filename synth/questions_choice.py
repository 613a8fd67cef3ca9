"""Drafts of multiple-choice questions: fj, four options A to D in the question (M3Exam A.3)."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from random import Random

from memassay.schemas.ledger import Fact, ValueType
from memassay.schemas.question import AnswerFormat
from memassay.synth.drafts import Draft, Query, get, select, union
from memassay.synth.history import History
from memassay.synth.values import spoken

LETTERS = ("A", "B", "C", "D")
_NEAREST = 6
"""Rivals a choice draws its three wrong numbers from."""


def judgement(history: History, random: Random) -> Iterator[Draft]:
    """fj: the greatest of four, or the value of a property against rivals of the same corpus.

    The options have no letters yet: the first is right, the bank places them.
    """
    drafts = [list(_extremes(history, random)), list(_values(history, random))]
    for position in range(max(len(kind) for kind in drafts)):
        for kind in drafts:
            if position < len(kind):
                text, query, about, right, wrong = kind[position]
                options = (right, *wrong)
                yield Draft("fj", text, query, AnswerFormat.CHOICE, about, options=options)


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
        rivals = _rivals(fact, [other for _, _, other in said])
        if len(rivals) < 3:
            continue
        wrong = [(spoken(r.value), r.value.text) for r in random.sample(rivals, 3)]
        text = history.say(random.choice(spec.ask), event, random)
        right = (spoken(fact.value), fact.value.text)
        yield text, get(select(fact)), (fact.id,), right, wrong


def _rivals(fact: Fact, said: list[Fact]) -> list[Fact]:
    """Other facts whose values could be mistaken for a fact's: same type and unit."""
    found: dict[str, Fact] = {}
    for other in said:
        alike = (other.value.type, other.value.unit) == (fact.value.type, fact.value.unit)
        if alike and other.value.text != fact.value.text:
            found.setdefault(other.value.text, other)
    rivals = list(found.values())
    if fact.value.type is ValueType.TEXT:
        return [other for other in rivals if other.attribute == fact.attribute]
    if fact.value.type is ValueType.NUMBER:
        return _nearest(fact, rivals)
    return rivals


def _nearest(fact: Fact, rivals: list[Fact]) -> list[Fact]:
    """The numbers nearest in size; a bare number is no rival of one of another order of size."""
    size = abs(Decimal(fact.value.text)) or Decimal(1)

    def ratio(other: Fact) -> Decimal:
        theirs = abs(Decimal(other.value.text)) or Decimal(1)
        return max(size / theirs, theirs / size)

    ordered = sorted(rivals, key=ratio)
    bare = fact.value.unit is None
    return [other for other in ordered if not bare or ratio(other) <= 3][:_NEAREST]


def _extremes(history: History, random: Random) -> Iterator[_Unplaced]:
    by_unit: dict[str, list[Fact]] = {}
    for fact in history.numbers():
        if fact.value.unit:
            by_unit.setdefault(fact.value.unit, []).append(fact)
    for unit in sorted(by_unit):
        facts = by_unit[unit]
        if len({fact.value.text for fact in facts}) < 4:
            continue
        for _ in range(3):
            four = random.sample(facts, 4)
            if len({fact.value.text for fact in four}) < 4:
                continue
            which = random.choice(["max", "min"])
            word = "largest" if which == "max" else "smallest"
            ordered = sorted(four, key=lambda fact: Decimal(fact.value.text))
            right = ordered[-1] if which == "max" else ordered[0]
            picked: Query = {
                "op": "pick",
                "of": union(*(select(fact) for fact in four)),
                "by": "value",
                "which": which,
            }
            text = f"Measured in {unit}, which of these is the {word}?"
            shown = [(history.label(fact), fact.value.text) for fact in four]
            wrong = [pair for fact, pair in zip(four, shown, strict=True) if fact is not right]
            about = tuple(fact.id for fact in four)
            yield text, get(picked), about, shown[four.index(right)], wrong
