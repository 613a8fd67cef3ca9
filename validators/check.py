"""Every rule, assembled from its family, and how to apply them.

`RULES` is the rule book. A family is one module; importing it here registers its rules. What
published sets are known to get wrong, and the rules that find it:

==================================================  ===========================================
known defect                                        rule
==================================================  ===========================================
evidence ids that are malformed                     `import.evidence_malformed` (importers)
evidence ids that lead nowhere                      `evidence.resolves`
evidence that is missing                            `evidence.present`
evidence beside the place that answers              `readability.gold`, `evidence.image_rounds`
evidence sorted as strings, or repeated             `evidence.string_order`, `evidence.repeated`
missing answers                                     `answers.present`, `answers.placeholder`
mixed answer types                                  `answers.mixed_kinds`, `answers.image_ids`
golds that only hidden metadata supports            `leakage.hidden_gold`, `leakage.hidden_words`
wrong speaker                                       `speakers.mistaken`, `speakers.cited`
wrong date arithmetic                               `dates.contradicts`, `dates.unlikely`,
                                                    `dates.weekday`, `dates.duration`
filler that changes the answer                      `ledger.interference`
the same filler twice                               `duplicates.turn`
duplicated questions                                `duplicates.question`, `duplicates.conflict`,
                                                    `duplicates.near_question`
memory points never said                            `ledger.said`
evidence of memory points that do not exist         `ledger.evidence_facts`
broken update chains                                `ledger.update_chain`, `ledger.no_cycles`,
                                                    `ledger.references`
one constant gold for a whole type                  `balance.constant_gold`
unbalanced yes and no, or letters                   `balance.yes_no`, `balance.choice_letters`
answers that the question gives away                `answers.gold_in_question`,
                                                    `balance.constant_answer`,
                                                    `balance.question_only`
refusals that the history answers                   `refusals.stated`, `refusals.answered`,
                                                    `refusals.trap_said`
golds that the facts do not give, or that stand     `proof.executes`, `proof.evidence`,
elsewhere too                                       `proof.rival`
image ids that do not exist                         `answers.image_exists`
captions under another image than they describe     `captions.exchanged`
images that are not those that a mention names      `ledger.mention_resolves`
identical images in question and history            `assets.question_in_history`,
                                                    `assets.question_like_history`
slots and other marks of templates in a text        `text.slot`, `text.placeholder`
questions that are not of the type they claim       `type.*`, one rule a constraint
ids of which one is a prefix of another             `ids.prefix_free`
histories that leave their persona, their story,    `timeline.*` on timelines, `audit.*` on
the facts, the pictures or the order of time        dialogues
==================================================  ===========================================
"""

from collections.abc import Iterable, Sequence

from memassay.schemas.contracts.rules import Rule, RuleContext
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.validators.book import RULES
from memassay.validators.drift import audit_rules, timeline_rules
from memassay.validators.histories import (
    asset_rules,
    caption_rules,
    duplicate_rules,
    id_rules,
    ledger_rules,
    schema_rules,
    speaker_rules,
    text_rules,
    time_rules,
)
from memassay.validators.items import (
    answer_rules,
    balance_rules,
    date_rules,
    evidence_rules,
    leakage_rules,
    proof_rules,
    readability_rules,
    refusal_rules,
    type_rules,
)

FAMILIES = (
    answer_rules,
    asset_rules,
    audit_rules,
    balance_rules,
    caption_rules,
    date_rules,
    duplicate_rules,
    evidence_rules,
    id_rules,
    leakage_rules,
    ledger_rules,
    proof_rules,
    readability_rules,
    refusal_rules,
    schema_rules,
    speaker_rules,
    text_rules,
    time_rules,
    timeline_rules,
    type_rules,
)
"""One module per family of rules."""

ADJUSTABLE = (
    "assets.question_like_history",
    "balance.constant_answer",
    "duplicates.near_question",
)
"""Rules with a number that a recipe may set under `thresholds`."""

__all__ = ["ADJUSTABLE", "FAMILIES", "RULES", "check", "check_collection", "check_conversation"]


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
