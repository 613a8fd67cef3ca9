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
from memassay.validators.registry import RULES, UNREAD_TEXT, UNTESTED

_OUTCOME: Final = {
    Severity.ERROR: Outcome.FAILED,
    Severity.WARNING: Outcome.DOUBTFUL,
    Severity.INFO: Outcome.PASSED,
}
_GRAVITY: Final = (Outcome.FAILED, Outcome.DOUBTFUL, Outcome.PASSED)


def rules_sha256(rules: Iterable[Rule] = RULES) -> str:
    """The hash of what rules demand; of all of them unless some are given."""
    return content_hash([[rule.id, str(rule.severity), rule.what] for rule in rules])


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
        is `proven` if a query over the ledger gave its gold and no finding says that the history
        has text which nobody read; else `supported`, unless no rule could test a date, number or
        name of its gold: that leaves a doubt.
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
    asked = {rule.id: rule.applies for rule in looking if rule.applies is not None}
    rule_set = rules_sha256()
    is_known = not any(one.rule == UNREAD_TEXT for one in by_target[bundle.id])
    return [
        _certificate(bundle, item, by_target, probed or {}, asked, rule_set, is_known=is_known)
        for item in bundle.questions
    ]


def _certificate(
    bundle: Bundle,
    item: QAItem,
    by_target: dict[str, list[Finding]],
    probed: Mapping[str, list[Probe]],
    asked: Mapping[str, Applies],
    rule_set: str,
    *,
    is_known: bool,
) -> Certificate:
    targets = [item.id, *sorted(_assets_of(bundle, item))]
    checks = _checks(
        asked, item, [each for target in targets for each in by_target.get(target, [])]
    )
    is_executed = is_known and item.query is not None and bool(bundle.facts)
    sha256 = content_hash(item)
    probes = probed.get(sha256, [])
    doubted = bool(doubts(bundle, item, probes))
    return Certificate(
        id=f"{item.id}.certificate",
        item=item.id,
        item_sha256=sha256,
        rules_sha256=rule_set,
        checks=checks,
        probes=probes,
        verdict=_verdict(checks, executed=is_executed, doubted=doubted),
    )


def _assets_of(bundle: Bundle, item: QAItem) -> set[str]:
    """Ids of the assets that an item shows or whose turn it cites."""
    shown = [each.asset for each in item.question.attachments]
    cited = [each.asset for turn in evidence_turns(bundle, item) for each in turn.attachments]
    return {*shown, *cited}


def _checks(asked: Mapping[str, Applies], item: QAItem, findings: Iterable[Finding]) -> list[Check]:
    """The outcome of every rule that says something about an item, and of every one that found it.

    Args:
        asked: Whether rules say anything about an item, by id; those of other conversations
            are left out.
        item: The question.
        findings: What was found about it and its images.
    """
    by_rule: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_rule[finding.rule].append(finding)
    unbroken = [
        _silent(rule) for rule, applies in asked.items() if rule not in by_rule and applies(item)
    ]
    broken = [_check(rule, found) for rule, found in by_rule.items()]
    return sorted([*unbroken, *broken], key=lambda check: check.rule)


@cache
def _silent(rule: str) -> Check:
    """The check of a rule that found nothing, one for all questions: most checks are such."""
    return Check(rule=rule, outcome=Outcome.PASSED)


def _check(rule: str, found: list[Finding]) -> Check:
    # Nothing is wrong with a gold that no rule could test, but nothing speaks for it either.
    doubtful = {Outcome.DOUBTFUL} if rule == UNTESTED else set()
    outcomes = doubtful or {_OUTCOME[finding.severity] for finding in found}
    return Check(
        rule=rule,
        outcome=next(outcome for outcome in _GRAVITY if outcome in outcomes),
        detail="; ".join(sorted({finding.message for finding in found})),
    )


def _verdict(checks: Iterable[Check], *, executed: bool, doubted: bool) -> Verdict:
    outcomes = {check.outcome for check in checks}
    if Outcome.FAILED in outcomes:
        return Verdict.REFUTED
    if doubted or Outcome.DOUBTFUL in outcomes:
        return Verdict.DOUBTFUL
    return Verdict.PROVEN if executed else Verdict.SUPPORTED
