"""Sessions of visitors that change an answer of their host are found by what their facts say."""

from typing import Any

import pytest
from support.fixtures import item, refusal
from support.proof_cases import QUERY
from support.visitor_cases import question, visit, visitor_fact

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.ledger import FactStatus
from memassay.schemas.records.question import AskedAt, Evidence
from memassay.validators.check import RULES, check

CHANGES, SPEAKS = RULES["visitors.changes"], RULES["visitors.speaks"]
RESTING: dict[str, Any] = {"evidence": Evidence(groups=[["D1:1"]], facts=["talk/F1"])}
ABSENT: dict[str, Any] = {
    "op": "absent",
    "of": {"op": "select", "where": {"subject": "Ann", "attribute": "drives"}},
}


@pytest.mark.parametrize("arc", [SessionArc.GUEST, SessionArc.SIDE])
def test_guests_and_distractors_are_held_to_the_same(arc: SessionArc) -> None:
    """Another value of what the query asks for is an error, whoever's session states it."""
    (found,) = check(
        visit("I keep wasps.", *visitor_fact("wasps"), question(), arc=arc).bundles,
        RuleContext(),
        [CHANGES],
    )
    assert found.target == "talk/Q001"


def test_a_refusal_that_a_visitor_answers_is_found() -> None:
    """The host does not say it, and the visitor does."""
    of = visit("I drive a van.", *visitor_fact("van", attribute="drives"), refusal(query=ABSENT))
    assert len(check(of.bundles, RuleContext(), [CHANGES])) == 1


def test_a_gold_without_a_query_is_compared_by_the_facts_it_rests_on() -> None:
    """Another value of the same property of the same subject is a rival."""
    resting = item().model_copy(update=RESTING)
    of = visit("I keep wasps.", *visitor_fact("wasps"), resting)
    assert len(check(of.bundles, RuleContext(), [CHANGES])) == 1
    same = visit("I keep bees.", *visitor_fact("bees"), resting)
    assert check(same.bundles, RuleContext(), [CHANGES]) == []


def test_what_is_asked_before_the_visit_stays() -> None:
    """At the end of the first session nobody has visit yet."""
    early = question(asked_at=AskedAt(session="D1"))
    of = visit("I keep wasps. Ann keeps wasps.", *visitor_fact("wasps"), early)
    assert check(of.bundles, RuleContext(), [CHANGES, SPEAKS]) == []


def test_a_visitor_s_own_question_is_not_the_host_s() -> None:
    """It cites the visitor's session alone."""
    own = item("What does Ann keep?", ["wasps"], ["D2:1"], query=QUERY)
    of = visit("I keep wasps.", *visitor_fact("wasps"), own)
    assert check(of.bundles, RuleContext(), [CHANGES, SPEAKS]) == []


def test_what_a_visitor_invents_for_filler_changes_nothing() -> None:
    """Interference is no answer, in a host's session or in a visitor's."""
    filler = visitor_fact("wasps", status=FactStatus.INTERFERENCE)
    of = visit("I keep wasps, ha ha.", *filler, question())
    assert check(of.bundles, RuleContext(), [CHANGES]) == []
