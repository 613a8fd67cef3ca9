"""Certificates: what the rules that looked at an item say together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from memassay.schemas.contracts.rules import Applies, LooksAt, Rule
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome, Probe, Verdict
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.certificates.probes import doubts
from memassay.validators.places import evidence_turns
from memassay.validators.registry import RULES, UNTESTED

_OUTCOME: Final = {
    Severity.ERROR: Outcome.FAILED,
    Severity.WARNING: Outcome.DOUBTFUL,
    Severity.INFO: Outcome.PASSED,
}
_GRAVITY: Final = (Outcome.FAILED, Outcome.DOUBTFUL, Outcome.PASSED, Outcome.NOT_APPLICABLE)


def certify(
    bundle: Bundle, findings: Iterable[Finding], probed: Mapping[str, list[Probe]] | None = None
) -> list[Certificate]:
    """One certificate per question, bound to the content that the rules saw.

    Args:
        bundle: The conversation with its questions.
        findings: Whatever the importer and the rules found; those about an item, and those
            about the images it shows or cites, decide its verdict.
        probed: Probes of items, by content hash of the item.

    Returns:
        Certificates in the order of the questions. An item that no check failed or doubted
        is `proven` if a query over the ledger gave its gold, else `supported`, unless no rule
        could test a date, number or name of its gold: that leaves a doubt.
    """
    by_target: dict[str, list[Finding]] = defaultdict(list)
    # What readers say is for people: it proves nothing, and refutes nothing.
    read = {rule.id for rule in RULES if rule.looks_at is LooksAt.READER}
    for finding in findings:
        if finding.rule not in read:
            by_target[finding.target].append(finding)
    looking = [
        rule
        for rule in RULES
        if rule.applies is not None and (rule.concerns is None or rule.concerns(bundle))
    ]
    asked = {rule.id: rule.applies for rule in looking}
    return [_certificate(bundle, item, by_target, probed or {}, asked) for item in bundle.questions]


def _certificate(
    bundle: Bundle,
    item: QAItem,
    by_target: dict[str, list[Finding]],
    probed: Mapping[str, list[Probe]],
    asked: Mapping[str, Applies | None],
) -> Certificate:
    targets = [item.id, *sorted(_assets_of(bundle, item))]
    checks = _checks(
        asked, item, [each for target in targets for each in by_target.get(target, [])]
    )
    sha256 = content_hash(item)
    probes = probed.get(sha256, [])
    doubted = bool(doubts(bundle, item, probes))
    return Certificate(
        id=f"{item.id}.certificate",
        item=item.id,
        item_sha256=sha256,
        checks=checks,
        probes=probes,
        verdict=_verdict(
            checks, executed=item.query is not None and bool(bundle.facts), doubted=doubted
        ),
    )


def _assets_of(bundle: Bundle, item: QAItem) -> set[str]:
    """Ids of the assets that an item shows or whose turn it cites."""
    shown = [each.asset for each in item.question.attachments]
    cited = [each.asset for turn in evidence_turns(bundle, item) for each in turn.attachments]
    return {*shown, *cited}


def _checks(
    asked: Mapping[str, Applies | None], item: QAItem, findings: Iterable[Finding]
) -> list[Check]:
    """The outcome of every rule that looks at questions, and of every rule that found something.

    Args:
        asked: Whether rules say anything about an item, by id; those of other conversations
            are left out.
        item: The question.
        findings: What was found about it and its images.
    """
    said: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        said[finding.rule].append(finding)
    unbroken = [
        _silent(rule.id, Outcome.PASSED if _applies(asked, rule, item) else Outcome.NOT_APPLICABLE)
        for rule in RULES
        if rule.applies is not None and rule.id not in said
    ]
    broken = [_check(rule, found) for rule, found in said.items()]
    return sorted([*unbroken, *broken], key=lambda check: check.rule)


def _applies(asked: Mapping[str, Applies | None], rule: Rule, item: QAItem) -> bool:
    applies = asked.get(rule.id)
    return applies is not None and applies(item)


@cache
def _silent(rule: str, outcome: Outcome) -> Check:
    """The check of a rule that found nothing, one for all questions: most checks are such."""
    return Check(rule=rule, outcome=outcome)


def _check(rule: str, found: list[Finding]) -> Check:
    outcomes = {_OUTCOME[finding.severity] for finding in found}
    if rule == UNTESTED:
        outcomes = {Outcome.NOT_APPLICABLE}
    return Check(
        rule=rule,
        outcome=next(outcome for outcome in _GRAVITY if outcome in outcomes),
        detail="; ".join(sorted({finding.message for finding in found})),
    )


def _verdict(checks: Iterable[Check], *, executed: bool, doubted: bool) -> Verdict:
    outcomes = {check.outcome for check in checks}
    doubted = doubted or any(check.rule == UNTESTED and check.detail for check in checks)
    if Outcome.FAILED in outcomes:
        return Verdict.REFUTED
    if doubted or Outcome.DOUBTFUL in outcomes:
        return Verdict.DOUBTFUL
    return Verdict.PROVEN if executed else Verdict.SUPPORTED
