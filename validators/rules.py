"""Every rule, assembled from its family, and how to apply them.

`RULES` is the rule book. A family is one module; importing it here registers its rules.
"""

from collections.abc import Iterable, Sequence

from memassay.schemas.bundle import Bundle
from memassay.schemas.finding import Finding
from memassay.schemas.ids import natural_key
from memassay.schemas.rules import Rule, RuleContext
from memassay.validators import (
    answer_rules,
    asset_rules,
    balance_rules,
    date_rules,
    duplicate_rules,
    evidence_rules,
    id_rules,
    leakage_rules,
    ledger_rules,
    readability_rules,
    refusal_rules,
    schema_rules,
    speaker_rules,
    time_rules,
)
from memassay.validators.book import RULES

FAMILIES = (
    answer_rules,
    asset_rules,
    balance_rules,
    date_rules,
    duplicate_rules,
    evidence_rules,
    id_rules,
    leakage_rules,
    ledger_rules,
    readability_rules,
    refusal_rules,
    schema_rules,
    speaker_rules,
    time_rules,
)
"""One module per family of rules."""

__all__ = ["FAMILIES", "RULES", "check", "check_collection", "check_conversation"]


def check(
    bundles: Sequence[Bundle], context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of every rule about conversations and about their collection.

    Args:
        bundles: All conversations of a data set.
        context: Bytes of the assets and thresholds.
        rules: The rules to apply.

    Returns:
        Findings by target (natural order), then rule, pointer and message, each once.
    """
    chosen = list(rules)
    found = [
        finding for bundle in bundles for finding in check_conversation(bundle, context, chosen)
    ]
    return ordered([*found, *check_collection(bundles, context, chosen)])


def check_conversation(
    bundle: Bundle, context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of the rules that look at one conversation, in the order of `check`."""
    return ordered(
        finding for rule in rules for finding in rule.check_conversation(bundle, context)
    )


def check_collection(
    bundles: Sequence[Bundle], context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of the rules that look at all conversations, in the order of `check`."""
    return ordered(finding for rule in rules for finding in rule.check_collection(bundles, context))


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by target (natural order), rule, pointer and message; equal ones once."""
    unique = {finding.id: finding for finding in findings}
    return sorted(
        unique.values(),
        key=lambda each: (natural_key(each.target), each.rule, natural_key(each.pointer), each.id),
    )
