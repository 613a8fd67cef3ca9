"""Which decisions hold: what they cover is as it was, and rules say nothing that nobody saw."""

import pytest
from support.fixtures import TALK, bundle, item, refusal, session, utterance

from memassay.annotation.voting.review_queue import ReviewItem
from memassay.flows.engine.covers import covered_by, holding, round_states
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.hashing import content_hash, sha256
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling

ASK = GateSection(policy="all", on_warning="pass")
QUESTION = f"{TALK}/Q001"
SEEN = [QUESTION, f"{TALK}/D1:1"]


def _decided(ruling: Ruling) -> ReviewItem:
    covers = tuple(CoveredRecord(id=one, sha256=sha256(one.encode())) for one in SEEN)
    decision = Decision(
        id="decision",
        covers=list(covers),
        gate="check",
        reviewer="ada",
        ruling=ruling,
        reason=ReasonCode.CORRECT if ruling is Ruling.ACCEPT else ReasonCode.AMBIGUOUS,
    )
    return ReviewItem(
        *("R1", "run", "check", QUESTION, "drawn", (), (), covers, "decided", decision),
        history=sha256(b"history"),
    )


def _finding(severity: Severity) -> Finding:
    return Finding(
        id="f", rule="a.rule", severity=severity, target=QUESTION, message="no", fix="mend it"
    )


@pytest.mark.parametrize(
    ("ruling", "history", "severity", "cites", "holds"),
    [
        (Ruling.ACCEPT, b"history", Severity.ERROR, SEEN, True),
        (Ruling.ACCEPT, b"other", None, SEEN, True),
        (Ruling.ACCEPT, b"other", Severity.WARNING, SEEN, True),
        (Ruling.ACCEPT, b"other", Severity.ERROR, SEEN, False),
        (Ruling.ACCEPT, b"other", None, [*SEEN, f"{TALK}/D2:1"], False),
        (Ruling.REJECT, b"other", Severity.ERROR, SEEN, True),
    ],
)
def test_an_acceptance_holds_where_nothing_new_is_found(
    ruling: Ruling, history: bytes, severity: Severity | None, cites: list[str], holds: bool
) -> None:
    """In another history: no error that nobody saw, nothing cited that nobody saw."""
    states = {one: sha256(one.encode()) for one in SEEN} | {TALK: sha256(history)}
    found = {QUESTION: [_finding(severity)]} if severity else {}
    held = list(holding([_decided(ruling)], states.get, ASK, found, lambda _: cites))
    assert bool(held) is holds


def test_what_is_covered_is_the_evidence_or_for_a_refusal_all_of_it() -> None:
    """A round with the date of its session; a question that cites nothing rests on the whole."""
    talk = [session(1, utterance("D1:1", "I keep bees.")), session(2, utterance("D2:1", "So?"))]
    whole = bundle(item(), sessions=talk)
    assert f"{TALK}/D1:1" in covered_by(whole, item().id)
    assert f"{TALK}/D2:1" not in covered_by(whole, item().id)
    assert TALK in covered_by(bundle(refusal(), sessions=talk), refusal().id)
    other = bundle(item(), sessions=[talk[0].model_copy(update={"date": "2020-01-01"}), talk[1]])
    before, after = round_states(whole), round_states(other)
    assert {one for one in before if before[one] != after[one]} == {f"{TALK}/D1:1"}
    assert before[f"{TALK}/D2:1"] == content_hash(
        [talk[1].date, talk[1].rounds[0].model_dump(mode="json")]
    )
