"""Agent samples and undated dialogues go through ledger, questions, release and reader."""

import json
from pathlib import Path

import pytest
from support.places import PAPERS
from support.release_builder import MemoryBlobs

from memassay.exports import open_release
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation, FactStatus
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check


def _slice(paper: str) -> list[Bundle]:
    found = json.loads((PAPERS / f"{paper}.json").read_text("utf-8"))
    return [Bundle.model_validate(bundle) for bundle in found]


def _released(bundles: list[Bundle], folder: Path) -> list[Bundle]:
    blobs = MemoryBlobs()
    findings = check(bundles, RuleContext())
    write_release(
        folder,
        ReleaseContent(
            name="slice",
            version="0.1.0",
            licence="CC0-1.0",
            bundles=bundles,
            findings=findings,
            certificates=[one for bundle in bundles for one in certify(bundle, findings)],
            blobs=blobs,
        ),
    )
    return list(open_release(folder).bundles())


@pytest.mark.parametrize("paper", ["worldmemarena", "mmrc"])
def test_a_slice_comes_back_from_its_release(paper: str, tmp_path: Path) -> None:
    """What the reader gives is what was released: conversation, ledger and questions."""
    bundles = sorted(_slice(paper), key=lambda bundle: bundle.id)
    read = sorted(_released(bundles, tmp_path / "release"), key=lambda bundle: bundle.id)
    assert [one.records() for one in read] == [
        Bundle.from_records(one.records()).records() for one in bundles
    ]


@pytest.mark.parametrize("paper", ["worldmemarena", "mmrc"])
def test_every_gold_of_a_slice_is_proven_from_its_release(paper: str, tmp_path: Path) -> None:
    """Queries executed over the ledger that was read back give the gold answers."""
    read = _released(_slice(paper), tmp_path / "release")
    asked = [(bundle, item) for bundle in read for item in bundle.questions if item.query]
    assert len(asked) >= 15
    for bundle, item in asked:
        check_item(item, bundle)


def test_the_agent_slice_has_what_makes_it_one() -> None:
    """It holds a set-up session, an update, an interference and checkpoints."""
    bundles = _slice("worldmemarena")
    facts = [fact for bundle in bundles for fact in bundle.facts]
    arcs = {session.arc for bundle in bundles for session in bundle.conversation.sessions}
    assert "setup" in arcs
    assert any(fact.operation is FactOperation.REVISE for fact in facts)
    assert any(fact.status is FactStatus.INTERFERENCE for fact in facts)
    assert any(bundle.conversation.checkpoints for bundle in bundles)


def test_the_dialogue_slice_has_no_dates() -> None:
    """An MMRC-like dialogue is one session without a date."""
    (bundle,) = _slice("mmrc")
    assert [session.date for session in bundle.conversation.sessions] == [None]


@pytest.mark.parametrize("paper", ["worldmemarena", "mmrc"])
def test_a_slice_breaks_no_rule(paper: str) -> None:
    """Records of other paths pass the same rules, and no certificate refutes an item."""
    bundles = _slice(paper)
    findings = check(bundles, RuleContext())
    assert [one.rule for one in findings if one.severity is Severity.ERROR] == []
    verdicts = {one.verdict for bundle in bundles for one in certify(bundle, findings)}
    assert Verdict.PROVEN in verdicts
    assert Verdict.REFUTED not in verdicts
