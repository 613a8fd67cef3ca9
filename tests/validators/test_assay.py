"""Certificates say what the rules that looked at an item say together."""

from support.fixtures import (
    asset,
    attached,
    bundle,
    fact,
    item,
    mention,
    pictured,
    refusal,
    scene,
)
from support.proof_cases import proven

from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Certificate, Outcome, Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.certificates.certify import certify, rules_sha256
from memassay.validators.check import RULES, check


def _finding(target: str, severity: Severity, rule: str = "import.anything") -> Finding:
    return Finding.make(rule, severity, target, "", f"{target}: expected x, got 'y'", "mend it")


def _of(asked: QAItem, *findings: Finding) -> Certificate:
    (made,) = certify(scene(asked).bundles[0], findings)
    return made


def _outcomes(made: Certificate) -> dict[str, Outcome]:
    return {each.rule: each.outcome for each in made.checks}


def test_an_item_that_nothing_doubts_is_supported() -> None:
    """Without an executed query the best verdict is supported, never proven."""
    assert _of(item()).verdict is Verdict.SUPPORTED


def test_a_warning_makes_an_item_doubtful() -> None:
    """One doubt is enough, and it is named with what was seen."""
    found = _finding("talk/Q001", Severity.WARNING, "speakers.cited")
    made = _of(item(), found)
    assert made.verdict is Verdict.DOUBTFUL
    (doubt,) = [each for each in made.checks if each.outcome is Outcome.DOUBTFUL]
    assert (doubt.rule, doubt.detail) == ("speakers.cited", found.message)


def test_an_error_refutes_an_item_whatever_else_was_found() -> None:
    """An error outweighs warnings."""
    findings = [_finding("talk/Q001", each) for each in (Severity.WARNING, Severity.ERROR)]
    assert _of(item(), *findings).verdict is Verdict.REFUTED


def test_an_information_leaves_an_item_supported() -> None:
    """Findings of severity info are kept as passed checks."""
    made = _of(item(), _finding("talk/Q001", Severity.INFO))
    assert made.verdict is Verdict.SUPPORTED
    assert _outcomes(made)["import.anything"] is Outcome.PASSED


def test_a_gold_that_no_rule_could_test_is_not_supported() -> None:
    """Its certificate names the date, number or name, as what was not checked."""
    of = scene(item(values=["nine kinds of bees"]))
    (made,) = certify(of.bundles[0], check(of.bundles, of.context))
    (untested,) = [each for each in made.checks if each.rule == "tested.gold"]
    assert (made.verdict, untested.outcome) == (Verdict.DOUBTFUL, Outcome.DOUBTFUL)
    assert "got '9'" in untested.detail


def test_findings_about_other_items_are_not_held_against_an_item() -> None:
    """Only the item itself and the images it shows or cites count."""
    assert _of(item(), _finding("talk/Q002", Severity.ERROR)).verdict is Verdict.SUPPORTED


def test_a_broken_image_in_the_evidence_refutes_an_item() -> None:
    """An item that cites an image cannot be better than the image."""
    of = Bundle.model_validate(scene(asset(), item(), sessions=pictured()).bundles[0])
    (made,) = certify(of, [_finding("talk/A1", Severity.ERROR, "assets.blob")])
    assert made.verdict is Verdict.REFUTED


def test_a_broken_image_of_the_question_refutes_an_item() -> None:
    """An item that shows an image cannot be better than the image."""
    of = scene(asset(), item(shown=[attached("Q:IMG_001")])).bundles[0]
    (made,) = certify(of, [_finding("talk/A1", Severity.ERROR, "assets.blob")])
    assert made.verdict is Verdict.REFUTED


def test_a_certificate_names_every_rule_that_applies() -> None:
    """A rule that asks nothing of a refusal is not among its checks."""
    asked = refusal()
    outcomes = _outcomes(_of(asked))
    assert list(outcomes) == [
        rule.id
        for rule in RULES
        if rule.applies is not None
        and rule.applies(asked)
        and (rule.concerns is None or rule.concerns(scene(asked).bundles[0]))
    ]
    assert "evidence.present" not in outcomes
    assert outcomes["refusals.format"] is Outcome.PASSED


def test_certificates_name_one_rule_set() -> None:
    """Its hash follows from ids, severities and demands, whatever the item."""
    first, second = _of(refusal()), _of(item())
    assert first.rules_sha256 == second.rules_sha256 == rules_sha256()
    assert rules_sha256(list(RULES)[1:]) != rules_sha256()


def test_a_certificate_is_bound_to_what_the_rules_saw() -> None:
    """Its id follows from the item's id, its hash from the item's content."""
    asked = item()
    made = _of(asked)
    assert (made.id, made.item) == ("talk/Q001.certificate", "talk/Q001")
    assert made.item_sha256 == content_hash(asked)


def test_certificates_are_records_without_findings_of_their_own() -> None:
    """Checking and certifying twice gives the same records."""
    of = scene(item(values=["ants"]))
    found = check(of.bundles, of.context)
    assert certify(of.bundles[0], found) == certify(of.bundles[0], reversed(found))


def test_an_executed_query_proves() -> None:
    """An item whose query gave its gold, and that nothing doubted, is proven."""
    of = bundle(fact(), mention(span=[7, 11]), proven())
    (made,) = certify(of, [])
    assert made.verdict is Verdict.PROVEN
