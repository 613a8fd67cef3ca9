"""Fixtures of the family proof."""

from typing import Any

from memassay.schemas.records.question import ItemOrigin, QAItem
from support.fixtures import TALK, Case, Scene, fact, item, mention, refusal, said, scene

QUERY: dict[str, Any] = {
    "op": "get",
    "of": {"op": "select", "where": {"subject": "Ann", "attribute": "keeps"}},
    "field": "value",
}
BEES = "I keep bees behind the shed."


def proven(values: list[str] | None = None, **more: Any) -> QAItem:
    """A machine-made question whose query asks what Ann keeps."""
    return item(values=values, **{"query": QUERY, "origin": ItemOrigin.MACHINE, **more})


def _scene(of: QAItem, *texts: str) -> Scene:
    return scene(fact(), mention(span=[7, 11]), of, sessions=[said(*(texts or (BEES,)))])


CASES = {
    "proof.executes": Case(
        bad=lambda: _scene(proven(["wasps"])),
        good=lambda: _scene(proven()),
    ),
    "proof.evidence": Case(
        bad=lambda: _scene(proven(evidence=["D1:2"]), BEES, "Lovely weather."),
        good=lambda: _scene(proven(), BEES, "Lovely weather."),
    ),
    "proof.rival": Case(
        bad=lambda: _scene(proven(), BEES, "What Ann does keep are bees."),
        good=lambda: _scene(proven(), BEES, "Ask Ben about bees."),
    ),
    "proof.refusal": Case(
        bad=lambda: _scene(refusal(origin=ItemOrigin.MACHINE)),
        good=lambda: scene(
            item(),
            refusal(
                id=f"{TALK}/Q002",
                origin=ItemOrigin.MACHINE,
                decoys=["D1:1"],
                twin_of=f"{TALK}/Q001",
            ),
        ),
    ),
    "proof.query_present": Case(
        bad=lambda: _scene(proven(query=None)),
        good=lambda: _scene(proven()),
    ),
}
