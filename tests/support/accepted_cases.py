"""Fixtures of the family accepted: what counts as right or wrong beside a gold."""

from typing import Any

from memassay.schemas.records.question import AnswerFormat
from support.fixtures import Case, Scene, item, scene


def _beside(gold: str, form: AnswerFormat = AnswerFormat.FREE, **more: Any) -> Scene:
    return scene(item(values=[gold], format=form, **more))


def _number(**more: Any) -> Scene:
    return _beside("22 days", AnswerFormat.NUMBER, **more)


CASES = {
    "accepted.equivalent": Case(
        bad=lambda: _number(equivalents=["11 days"]),
        good=lambda: _number(equivalents=["twenty-two days"]),
    ),
    "accepted.equivalent_unproven": Case(
        bad=lambda: _beside("groomsman", equivalents=["banana"]),
        good=lambda: _beside("a groomsman", equivalents=["the Groomsman"]),
    ),
    "accepted.coarser": Case(
        bad=lambda: _beside("2024-04-25", AnswerFormat.DATE, coarser=["May 2024"]),
        good=lambda: _beside("2024-04-25", AnswerFormat.DATE, coarser=["April 2024"]),
    ),
    "accepted.coarser_unproven": Case(
        bad=lambda: _beside("a green magnet", coarser=["later on"]),
        good=lambda: _beside("a green magnet", coarser=["magnet"]),
    ),
    "accepted.rival": Case(
        bad=lambda: _beside("bees", traps=["the bees."]),
        good=lambda: _beside("bees", traps=["wasps"]),
    ),
}
