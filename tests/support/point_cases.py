"""A good and a bad fixture for each rule on memory points."""

from typing import Any

from memassay.schemas.records.ledger import FactOperation, FactStatus
from support.fixtures import (
    TALK,
    Case,
    Scene,
    asset,
    checkpoint,
    fact,
    mention,
    pictured,
    said,
    scene,
    session,
    utterance,
)

ASKED = [checkpoint("C1", "D1")]


def _point(text: str, statement: str = "Ann looks after bees.") -> Scene:
    return scene(fact(statement=statement), mention(), sessions=[said(text)], checkpoints=ASKED)


def _shown(caption: str) -> Scene:
    seen = mention(attachment="D1:IMG_001", asset=f"{TALK}/A1", modality="image")
    point = fact(statement="Ann looks after bees.")
    return scene(asset(), point, seen, sessions=pictured(caption=caption), checkpoints=ASKED)


def _claim(text: str) -> Scene:
    filler = fact(statement="Ann looks after bees.", status=FactStatus.INTERFERENCE)
    return scene(filler, mention(), sessions=[said(text)], checkpoints=ASKED)


def _chain(**more: Any) -> Scene:
    later = {"round": "D2:1", "turn": "D2:1.1"}
    return scene(
        fact("F1", statement="Ann looks after bees."),
        fact("F2", "ants", statement="Ann looks after ants.", **more),
        mention("M1", "F1"),
        mention("M2", "F2", **later),
        sessions=[
            said("Ann keeps bees."),
            session(2, utterance("D2:1", "Ann keeps ants now.")),
        ],
        checkpoints=ASKED,
    )


CASES = {
    "points.stated": Case(
        bad=lambda: _point("I keep bees.", "Ann looks after ants."),
        good=lambda: _point("I keep bees."),
    ),
    "points.covered": Case(
        bad=lambda: _point("I keep ants."), good=lambda: _point("I keep the bees.")
    ),
    "points.pictured": Case(
        bad=lambda: _shown("A hive"), good=lambda: _shown("What Ann keeps: bees")
    ),
    "points.captioned": Case(
        bad=lambda: _shown(" "), good=lambda: scene(asset(), sessions=pictured(caption=""))
    ),
    "points.set_aside": Case(
        bad=lambda: _claim("Ann keeps bees."),
        good=lambda: _claim("The joke was that Ann keeps bees."),
    ),
    "points.chain": Case(
        bad=lambda: _chain(),
        good=lambda: _chain(operation=FactOperation.REVISE, supersedes=[f"{TALK}/F1"]),
    ),
}
