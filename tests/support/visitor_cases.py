"""Fixtures of the family that looks at sessions of visitors."""

from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.question import QAItem
from support.fixtures import Case, Scene, fact, item, mention, scene, session, utterance
from support.proof_cases import QUERY


def visit(said: str, *records: Record, arc: SessionArc = SessionArc.GUEST) -> Scene:
    """Ann, who keeps bees, is visit in a second session, in which she says something."""
    sessions = [
        session(1, utterance("D1:1", "I keep bees behind the shed.")),
        session(2, utterance("D2:1", said), origin="guest1", arc=arc),
        session(3, utterance("D3:1", "The hive gave nine jars of honey.")),
    ]
    return scene(fact(), mention(), *records, sessions=sessions)


def visitor_fact(text: str, **more: Any) -> tuple[Fact, Mention]:
    """A fact that is stated in the visitor's session alone."""
    return fact("F2", text, **more), mention("M2", "F2", round="D2:1", turn="D2:1.1")


def question(**more: Any) -> QAItem:
    """What Ann keeps, proven by its query."""
    return item(query=QUERY, **more)


CASES = {
    "visitors.changes": Case(
        bad=lambda: visit("I keep wasps.", *visitor_fact("wasps"), question()),
        good=lambda: visit("I drive a van.", *visitor_fact("van", attribute="drives"), question()),
    ),
    "visitors.speaks": Case(
        bad=lambda: visit("Ann keeps cats now.", item("How many cats does Ann keep?")),
        good=lambda: visit("We planted a maple.", item("How many cats does Ann keep?")),
    ),
}
