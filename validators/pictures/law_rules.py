"""Rules on values of pictures: what must hold between them holds, and none is from a later day."""

import itertools
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.drawn import DrawnFigure
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "memassay design, the assay: a picture shows what could be"
_FIX: Final = "mend the values, or the law if it is wrong"


@RULES.conversation("picture.law", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def keeps_laws(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Values of a picture obey the orders, bounds and trends that its record states."""
    facts = {fact.id: fact for fact in bundle.facts}
    for asset in bundle.assets:
        figure = asset.drawn.figure if asset.drawn else None
        if figure is None or not (figure.rules or figure.turns):
            continue
        values = _values(asset, facts)
        for broken, got in (*_broken_rules(figure, values), *_broken_turns(figure, values)):
            yield problem(asset.id, ("drawn", "figure"), broken, got, _FIX)


@RULES.conversation("picture.until", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def ends_when_shown(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A chart whose rows are made of dates does not run past the day on which it is shown."""
    dated = {
        asset.id: figure for asset in bundle.assets if (figure := _last_day(asset)) is not None
    }
    for session in bundle.conversation.sessions:
        turns = [turn for round_ in session.rounds for turn in round_.turns]
        for name in (shown.asset for turn in turns for shown in turn.attachments):
            until = dated.get(name)
            if until and session.date and until > session.date:
                expected = f"rows until {session.date}, when it is shown"
                place = ("drawn", "figure", "until")
                yield problem(name, place, expected, until, "end the rows earlier")


def _last_day(asset: Asset) -> str | None:
    """Day of the last row of an image whose rows are made of dates."""
    return asset.drawn.figure.until if asset.drawn and asset.drawn.figure else None


def _values(asset: Asset, facts: Mapping[str, Fact]) -> dict[str, Decimal]:
    """By key of an image, the number, minute or day that the ledger has there."""
    found: dict[str, Decimal] = {}
    for key, read in asset.drawn.facts.items() if asset.drawn else ():
        for name in read:
            number = _number(facts[name].value) if name in facts else None
            if number is not None:
                found[key] = number
    return found


def _number(value: FactValue) -> Decimal | None:
    hours, colon, minutes = value.text.partition(":")
    try:
        if value.type is ValueType.DATE:
            return Decimal(date.fromisoformat(value.text).toordinal())
        return Decimal(hours) * 60 + Decimal(minutes) if colon else Decimal(value.text)
    except (InvalidOperation, ValueError):
        return None


def _broken_rules(figure: DrawnFigure, values: Mapping[str, Decimal]) -> Iterator[tuple[str, str]]:
    """What each rule demands that does not hold, and what is there."""
    for rule in figure.rules:
        pair = [
            Decimal(name[1:]) if name.startswith("=") else values.get(name)
            for name in (rule.smaller, rule.greater)
        ]
        if None in pair:
            continue
        smaller, greater = (number or Decimal(0) for number in pair)
        if smaller + Decimal(rule.by) > greater:
            expected = (
                f"{rule.greater.strip('=')} at least {rule.by} above {rule.smaller.strip('=')}"
            )
            yield expected, f"{smaller} and {greater}"


def _broken_turns(figure: DrawnFigure, values: Mapping[str, Decimal]) -> Iterator[tuple[str, str]]:
    """Shapes that values do not have, and the values."""
    for turn in figure.turns:
        numbers = [values[cell] for cell in turn.cells if cell in values]
        if len(numbers) == len(turn.cells) and not _turn_once(numbers, turn.shape):
            got = ", ".join(str(number) for number in numbers)
            yield f"a {turn.shape} in {', '.join(turn.cells)}", got


def _turn_once(numbers: list[Decimal], shape: str) -> bool:
    steps = [later - earlier for earlier, later in itertools.pairwise(numbers)]
    turn = numbers.index(max(numbers) if shape == "peak" else min(numbers))
    up = shape == "peak"
    before, after = steps[:turn], steps[turn:]
    return all((step > 0) is up for step in before) and all((step < 0) is up for step in after)
