"""A rule on what texts claim of charts: it is what the chart shows."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.drawn import DrawnFigure
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "memassay design, the assay: a picture shows what could be"
_CHARTS: Final = ("bar_chart", "line_chart")
_OPEN: Final = re.compile(
    r"\b(?:if|when|where|whether|should|would|could|may|might|not|nor|never|usually|often)\b|n't\b",
    re.IGNORECASE,
)
"""Words of a sentence that claims nothing for certain."""
_GREATEST: Final = "highest|tallest|longest|largest|biggest|most"
_LEAST: Final = "lowest|shortest|smallest|least|fewest"
_EXTREME: Final = (
    r"\b{row}\b(?: bar| point)?,? (?:is|was|has|stands|comes|took|leads|shows)\b[^,.;:]{{0,15}}?"
    rf"\b(?:(?P<greatest>{_GREATEST})|(?P<least>{_LEAST}))\b"
)
_TREND: Final = re.compile(
    r"\b(?:the|your|this|its|my) (?:line|curve|trend|chart) (?:is |keeps |has been )?"
    r"(?:(?P<up>rises|rising|climbs|climbing|grows|growing)"
    r"|(?P<down>falls|falling|drops|dropping|sinks|sinking))\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


@RULES.conversation("picture.claim", Severity.INFO, _SOURCE, looks_at=LooksAt.HISTORY)
def shows_what_is_claimed(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """The row that a text calls the highest or lowest of a chart is, and its line runs that way."""
    for session in bundle.conversation.sessions:
        for at, round_ in enumerate(session.rounds):
            numbers = _chart_of(bundle, round_)
            for turn in round_.turns if numbers else ():
                for sentence in _SENTENCE.split(turn.text):
                    for expected in () if _OPEN.search(sentence) else _breaches(sentence, numbers):
                        place = ("sessions", session.index - 1, "rounds", at)
                        fix = "say what the picture shows, or draw what is said"
                        yield problem(bundle.conversation.id, place, expected, sentence, fix)


def _chart_of(bundle: Bundle, round_: Round) -> dict[str, Decimal]:
    """By row, the numbers of the one chart that a round shows; none where it shows others, too."""
    shown = [one.asset for turn in round_.turns for one in turn.attachments]
    assets = [bundle.asset_by_id[name] for name in shown if name in bundle.asset_by_id]
    figures = [one.drawn.figure for one in assets if one.drawn and one.drawn.figure]
    return _numbers(figures[0]) if len(shown) == len(figures) == 1 else {}


def _numbers(figure: DrawnFigure) -> dict[str, Decimal]:
    if figure.kind not in _CHARTS:
        return {}
    try:
        return {
            row: Decimal(cells[0].partition(" ")[0].removesuffix("%"))
            for row, cells in zip(figure.rows, figure.cells, strict=True)
        }
    except InvalidOperation:
        return {}


def _breaches(sentence: str, numbers: dict[str, Decimal]) -> Iterator[str]:
    """What a sentence claims that the numbers of a chart do not show."""
    for row, number in numbers.items():
        claim = re.search(_EXTREME.format(row=re.escape(row)), sentence)
        if claim and claim["greatest"] and number < max(numbers.values()):
            yield f"{max(numbers, key=numbers.__getitem__)} to be the {claim['greatest']}"
        elif claim and claim["least"] and number > min(numbers.values()):
            yield f"{min(numbers, key=numbers.__getitem__)} to be the {claim['least']}"
    trend, steps = _TREND.search(sentence), [b - a for a, b in pairwise(numbers.values())]
    if trend and trend["up"] and sum(steps) <= 0:
        yield "a line whose end is not above its beginning to be no rising one"
    elif trend and trend["down"] and sum(steps) >= 0:
        yield "a line whose end is not below its beginning to be no falling one"
