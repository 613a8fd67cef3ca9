"""CR: what two facts of different rounds give together, and what follows for advice (MMRC §3.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.packs.checking.values import draws
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.files.pack_parts import JoinSpec
from memassay.synth.packs.plans.values import number_of
from memassay.synth.packs.words.naming import USER
from memassay.synth.paths.mmrc.abilities.forms import choice, option_of, statement
from memassay.synth.paths.mmrc.abilities.iu import says
from memassay.synth.paths.mmrc.abilities.rivals import WRONG, near_numbers
from memassay.synth.paths.mmrc.abilities.told import Told, in_turn
from memassay.synth.paths.mmrc.abilities.wordings import (
    DIFFERENCES,
    GAPS,
    HIGHER,
    JOINED,
    SUMS,
    word_ask,
)
from memassay.synth.paths.mmrc.deck import Asked
from memassay.synth.questions.drafts import Draft, Option, Query, get, select, union

_LEAST_OTHER_WAY: Final = 0.3
"""Share of dialogues in which either of two facts is the higher one, at least (our choice)."""


@dataclass(frozen=True)
class Joined:
    """Facts that a question joins, and what each is about.

    Attributes:
        spec: How the pack joins them.
        facts: The facts, the smallest first.
        names: What each is about, in the same order.
    """

    spec: JoinSpec
    facts: tuple[Fact, ...]
    names: tuple[str, ...]

    @property
    def about(self) -> tuple[str, ...]:
        """Ids of the facts."""
        return tuple(fact.id for fact in self.facts)


def cross_turn(told: Told, asked: Asked, random: Random) -> Iterator[Draft]:
    """Joins of the pack, the planned one first."""
    specs = [each for each in told.plan.pack.joins if each != told.plan.join]
    planned = [told.plan.join] if told.plan.join is not None else []
    for spec in [*planned, *random.sample(specs, len(specs))]:
        joined = _join_facts(told, spec)
        if joined is not None:
            yield from _MAKERS[asked.form](told, asked, joined, random)


def _join_facts(told: Told, spec: JoinSpec) -> Joined | None:
    """What a join joins in a dialogue; None where it lacks a fact or has a tie."""
    held = {fact.id for fact in told.held}
    found: list[tuple[Fact, str]] = []
    for at, name in enumerate(spec.of):
        own = [fact for fact in told.facts(name) if fact.id in held]
        if not own:
            return None
        for fact in own:
            option = spec.options[at] if at < len(spec.options) else told.phrase(fact)
            found.append((fact, option if fact.subject == USER else fact.subject))
    numbers = [Decimal(fact.value.text) for fact, _ in found if fact.value.type is ValueType.NUMBER]
    rounds = set[str]().union(*(told.rounds(fact) for fact, _ in found))
    if len(numbers) < len(found) or len(found) < 2 or len(rounds) < 2:
        return None
    if spec.op != "total" and len(set(numbers)) < len(numbers):
        return None
    found.sort(key=lambda each: Decimal(each[0].value.text))
    return Joined(spec, tuple(fact for fact, _ in found), tuple(name for _, name in found))


def _open(told: Told, asked: Asked, joined: Joined, _random: Random) -> Iterator[Draft]:
    spec, about = joined.spec, joined.about
    if spec.op in ("larger", "smaller") and _is_of_things(joined):
        of = get(_end(joined), "subject")
        for ask in in_turn([*spec.ask, *spec.recommend], asked.turn):
            yield Draft(told.fill(word_ask(JOINED, asked, ask)), of, AnswerFormat.FREE, about)
        return
    of = _sum(joined) if spec.op == "total" else _difference(joined)
    for ask in _number_asks(told, asked, joined):
        text = told.fill(word_ask(JOINED, asked, ask))
        yield Draft(text, of, AnswerFormat.NUMBER, about)


def _choices(told: Told, asked: Asked, joined: Joined, random: Random) -> Iterator[Draft]:
    spec = joined.spec
    if spec.op in ("larger", "smaller") and _is_of_things(joined):
        things = _things(told, joined, random)
        of = get(_end(joined), "subject")
        for ask in in_turn([*spec.recommend, *spec.ask], asked.turn) if things else ():
            assert things is not None
            yield choice(told.fill(ask), of, things, asked, joined.about, random)
        return
    of = _sum(joined) if spec.op == "total" else _difference(joined)
    value = _total(joined) if spec.op == "total" else _gap(joined)
    wrong = near_numbers(told.spec_of(joined.facts[0])[1], value, asked.rank, random)
    options = option_of(value), [option_of(one) for one in wrong]
    if len(options[1]) == WRONG:
        for ask in _number_asks(told, asked, joined):
            yield choice(told.fill(ask), of, options, asked, joined.about, random)


def _number_asks(told: Told, asked: Asked, joined: Joined) -> Iterator[str]:
    """Questions for the number that facts give together."""
    spec = joined.spec
    if spec.op in ("larger", "smaller"):
        phrases = {"more": told.phrase(joined.facts[-1]), "less": told.phrase(joined.facts[0])}
        yield from (text.format(**phrases) for text in in_turn(DIFFERENCES, asked.turn))
    else:
        names = {"{larger}": joined.names[-1], "{smaller}": joined.names[0]}
        for ask in in_turn(spec.ask, asked.turn):
            for slot, name in names.items():
                ask = ask.replace(slot, name)
            yield ask


def _things(told: Told, joined: Joined, random: Random) -> tuple[Option, list[Option]] | None:
    """The thing that is right and three others, joined ones first; None without so many."""
    own = list(joined.names)
    right = own.pop(0 if joined.spec.op == "smaller" else -1)
    role = told.spec_of(joined.facts[0])[1].of or ""
    others = [one.name for one in told.plan.cast[role] if one.name not in joined.names]
    wrong = [*random.sample(own, len(own)), *random.sample(others, len(others))][:WRONG]
    return ((right, right), [(one, one) for one in wrong]) if len(wrong) == WRONG else None


def _statements(told: Told, asked: Asked, joined: Joined, random: Random) -> Iterator[Draft]:
    """What two facts come to, which is higher or by how much, said rightly or not."""
    less, more = joined.facts[0], joined.facts[-1]
    phrases = {"more": told.phrase(more), "less": told.phrase(less)}
    about = (less.id, more.id)
    claims: Sequence[str]
    if joined.spec.op == "total":
        of, value, claims = _sum(joined), _total(joined), SUMS
    elif less.value.text == more.value.text:
        return
    elif can_go_either_way(told.plan.pack, joined.spec.of):
        high, low = (more, less) if asked.place == 0 else (less, more)
        claim = random.choice(HIGHER).format(more=told.phrase(high), less=told.phrase(low))
        of = {"op": "compare", "a": get(select(high)), "b": get(select(low)), "with": "more"}
        yield statement(claim, of, asked, about)
        return
    else:
        of, value, claims = _difference(joined), _gap(joined), GAPS
    if asked.place != 0:
        wrong = near_numbers(told.spec_of(more)[1], value, asked.rank, random)
        if not wrong:
            return
        value = random.choice(wrong)
    value = number_of(Decimal(value.text), value.unit)
    claim = random.choice(claims).format(value=spoken_value(value), **phrases)
    yield statement(claim, says(of, value), asked, about)


def can_go_either_way(pack: Pack, names: Sequence[str]) -> bool:
    """Whether either of two facts can be the higher one, neither much more often.

    A claim that is nearly always true of a pack is no question about a dialogue.
    """
    if len(names) == 1:  # of several things, each drawn alike
        return True
    drawn = list(draws(pack, list(names)))
    above = sum(each[names[0]] > each[names[1]] for each in drawn) / len(drawn)
    return _LEAST_OTHER_WAY <= above <= 1 - _LEAST_OTHER_WAY


_MAKERS: Final = {"open": _open, "choice": _choices, "true_false": _statements}


def _is_of_things(joined: Joined) -> bool:
    return all(fact.subject != USER for fact in joined.facts)


def _all(joined: Joined) -> Query:
    return union(*map(select, joined.facts))


def _end(joined: Joined) -> Query:
    which = "min" if joined.spec.op == "smaller" else "max"
    return {"op": "pick", "of": _all(joined), "by": "value", "which": which}


def _sum(joined: Joined) -> Query:
    return {"op": "fold", "of": _all(joined), "with": "sum"}


def _difference(joined: Joined) -> Query:
    more, less = get(select(joined.facts[-1])), get(select(joined.facts[0]))
    return {"op": "diff", "a": more, "b": less}


def _total(joined: Joined) -> FactValue:
    return _number(joined, sum((Decimal(fact.value.text) for fact in joined.facts), Decimal(0)))


def _gap(joined: Joined) -> FactValue:
    less, *_, more = (Decimal(fact.value.text) for fact in joined.facts)
    return _number(joined, more - less)


def _number(joined: Joined, number: Decimal) -> FactValue:
    return joined.facts[0].value.model_copy(update={"text": f"{number:f}"})
