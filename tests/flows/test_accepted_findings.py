"""Findings that people let pass by accepting a record."""

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.flows.review.accepted_findings import mark_accepted
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling
from memassay.schemas.records.bundle import Bundle

ITEM, ASSET = "alex/Q0001", "alex/D1_IMG_001"


@pytest.fixture(scope="module")
def alex() -> Bundle:
    """A bundle with two assets and four questions."""
    return bundle("alex", "Luna", "red", MemoryBlobs())


def _decision(
    seen: Bundle, *names: str, ruling: Ruling = Ruling.ACCEPT, **changed: str
) -> Decision:
    states = {record.id: content_hash(record) for record in seen.records()} | changed
    return Decision(
        id="decision-1",
        covers=[CoveredRecord(id=name, sha256=states[name]) for name in names],
        gate="validate",
        reviewer="heron",
        ruling=ruling,
        reason=ReasonCode.CORRECT,
    )


def _severity(alex: Bundle, decision: Decision, target: str) -> Severity:
    found = Finding.make("test.rule", Severity.ERROR, target, "", f"{target}: bad", "mend it")
    (after,) = mark_accepted([found], [decision], {alex.id: alex}.get)
    return after.severity


def test_an_accepted_record_says_who_accepted_it(alex: Bundle) -> None:
    """The finding stays, as information with the reviewer's pseudonym and reason."""
    found = Finding.make("test.rule", Severity.ERROR, ITEM, "", f"{ITEM}: bad", "mend it")
    (after,) = mark_accepted([found], [_decision(alex, ITEM, "alex")], {alex.id: alex}.get)
    assert after.severity is Severity.INFO
    assert after.message == f"{ITEM}: bad (accepted by heron: correct)"
    assert after.id == found.id


def test_assets_seen_with_an_accepted_record_are_accepted(alex: Bundle) -> None:
    """What is wrong with them was borne by the record."""
    assert _severity(alex, _decision(alex, ITEM, "alex", ASSET), ASSET) is Severity.INFO


@pytest.mark.parametrize("target", ["alex", "alex/Q0002", ASSET, "mem-gallery.VS"])
def test_nothing_else_is_accepted(alex: Bundle, target: str) -> None:
    """Not the conversation that was seen beside the record, nor what was not seen."""
    assert _severity(alex, _decision(alex, ITEM, "alex"), target) is Severity.ERROR


def test_a_conversation_is_accepted_by_a_decision_about_it(alex: Bundle) -> None:
    """Its own."""
    assert _severity(alex, _decision(alex, "alex", ASSET), "alex") is Severity.INFO


@pytest.mark.parametrize("changed", [ITEM, "alex"])
def test_another_state_was_not_accepted(alex: Bundle, changed: str) -> None:
    """A decision holds for exactly the contents that the reviewer saw."""
    decision = _decision(alex, ITEM, "alex", **{changed: "0" * 64})
    assert _severity(alex, decision, ITEM) is Severity.ERROR


def test_a_rejection_overrules_nothing(alex: Bundle) -> None:
    """It agrees with the finding."""
    assert _severity(alex, _decision(alex, ITEM, ruling=Ruling.REJECT), ITEM) is Severity.ERROR
