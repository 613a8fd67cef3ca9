"""Fixtures of the family that looks at sessions of visitors."""

from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.question import QAItem
from support.fixtures import Case, Scene, fact, item, mention, scene, session, utterance
from support.proof_cases import QUERY


def visited(said: str, *records: Record, arc: SessionArc = SessionArc.GUEST) -> Scene:
    """Ann, who keeps bees, is visited in a second session, in which she says something."""
    sessions = [
        session(1, utterance("D1:1", "I keep bees behind the shed.")),
        session(2, utterance("D2:1", said), origin="guest1", arc=arc),
        session(3, utterance("D3:1", "The hive gave nine jars of honey.")),
    ]
    return scene(fact(), mention(), *records, sessions=sessions)


def told(text: str, **more: Any) -> tuple[Fact, Mention]:
    """A fact that is stated in the visitor's session alone."""
    return fact("F2", text, **more), mention("M2", "F2", round="D2:1", turn="D2:1.1")


def asked(**more: Any) -> QAItem:
    """What Ann keeps, proven by its query."""
    return item(query=QUERY, **more)


CASES = {
    "visitors.changes": Case(
        bad=lambda: visited("I keep wasps.", *told("wasps"), asked()),
        good=lambda: visited("I drive a van.", *told("van", attribute="drives"), asked()),
    ),
    "visitors.speaks": Case(
        bad=lambda: visited("Ann keeps cats now.", item("How many cats does Ann keep?")),
        good=lambda: visited("We planted a maple.", item("How many cats does Ann keep?")),
    ),
}
