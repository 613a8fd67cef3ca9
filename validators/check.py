"""Every rule, assembled from its family, and how to apply them.

`RULES` is the registry. A family is one module, `<family>_rules`: in one of the folders here,
where its name is enough to be found, or of another package, by an entry point of the group
`memassay.rules`. What published sets are known to get wrong, and the rules that find it:

==================================================  ===========================================
known defect                                        rule
==================================================  ===========================================
evidence ids that are malformed                     `import.evidence_malformed` (importers)
evidence ids that lead nowhere                      `evidence.resolves`
evidence that is missing                            `evidence.present`
evidence beside the place that answers              `support.elsewhere`, `support.mistyped`,
                                                    `support.reply`, `support.asked`,
                                                    `dates.beside`, `evidence.image_rounds`
evidence sorted as strings, or repeated             `evidence.string_order`, `evidence.repeated`
missing answers                                     `answers.present`, `answers.placeholder`
mixed answer types                                  `answers.mixed_kinds`, `answers.image_ids`
golds that only hidden metadata supports            `leakage.hidden_words`
wrong speaker                                       `speakers.cited`, `speakers.turns`
wrong date arithmetic                               `dates.contradicts`, `dates.duration`,
                                                    `dates.unsaid`, `days.weekday`, `days.exists`
wrong dates in questions                            `dates.question`, `dates.question_unsaid`
answers that were true and are no longer            `dates.replaced`
filler that changes the answer                      `ledger.interference`
the same filler twice                               `duplicates.turn`
duplicated questions                                `duplicates.question`, `duplicates.conflict`,
                                                    `duplicates.near_question`,
                                                    `duplicates.reworded`, `pairs.likest`
memory points never said                            `ledger.said`, `points.covered`, `points.stated`
memory points that no caption holds                 `points.pictured`, `points.captioned`
interference that nothing refutes                   `points.set_aside`
evidence of memory points that do not exist         `ledger.evidence_facts`
broken update chains                                `ledger.update_chain`, `ledger.no_cycles`,
                                                    `ledger.references`, `points.chain`
one constant gold for a whole type                  `balance.constant_gold`
unbalanced yes and no, or letters                   `balance.yes_no`, `balance.choice_letters`
answers that the question gives away                `answers.gold_in_question`,
                                                    `claims.gold_asked`, `balance.question_only`,
                                                    `balance.constant_answer`
refusals that the history answers                   `refusals.answered`, `refusals.trap_said`
questions that nobody could answer                  `answers.form_asked`, `claims.unknown_name`
traps that are right                                `refusals.trap_refuses`, `answers.trap_is_gold`
counts that the evidence does not give              `claims.count`
refusals of what was there and has ended            `refusals.ended`
questions that do not ask what their query answers  `question.asks`, `question.asks_likely`
phrases that fit two things, none or another        `question.reference`
two questions of one query, or of one wording       `pairs.one_query`, `pairs.two_queries`
twins that do not exist                             `pairs.twin`
golds that the facts do not give, or that the       `proof.executes`, `proof.evidence`,
history contradicts                                 `rival.contradicted`
guests and distractors that change a host's         `visitors.changes`, `visitors.speaks`
answer, or give one to what it refuses
image ids that do not exist                         `answers.image_exists`
captions under another image than they describe     `captions.exchanged`
one series of pictures under two names              `pictures.named`
images that are not those that a mention names      `ledger.mention_resolves`, `shown.asset`,
                                                    `shown.value`
images, words and regions that are not those        `drawn.*`
drawn again from the facts of the ledger
pictures of what could not be, or read wrongly      `picture.law`, `picture.until`,
                                                    `picture.unique`, `reading.value`,
                                                    `reading.corrected`, `picture.claim`
captions that give the gold away, or of other kinds `shown.caption_answers`, `shown.kind`
images whose bytes are not what their record says,  `assets.pixels`, `assets.readable`,
hide something, or cannot be read; licences         `assets.thumbnail`, `assets.licence`,
                                                    `assets.duplicate_group`
identical images in question and history            `assets.question_in_history`,
                                                    `assets.question_like_history`
slots and other marks of templates in a text        `text.slot`, `text.placeholder`
control characters, and marks of redacted keys      `text.control`, `text.redacted`
markup, other languages, loops, models that speak   `hygiene.*`
of themselves
questions that are not of the type they claim       `type.*`, one rule a constraint
ids of which one is a prefix of another             `ids.prefix_free`
histories that leave their persona, their story,    `timeline.*` on timelines, `audit.*` on
the facts, the pictures or the order of time        dialogues
stages told before they happened, or named by a     `time.told`, `time.phrase`
phrase that means another day
==================================================  ===========================================
"""

import pkgutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, Final, NoReturn

from memassay import validators
from memassay.schemas.contracts.rules import LooksAt, Rule, RuleContext, Traits, digest_name
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.registry import entries_of
from memassay.schemas.values.caches import clear_text_caches
from memassay.validators.measured import READ
from memassay.validators.registry import RULES

GROUP: Final = "memassay.rules"
"""Entry points by which other packages add families of rules: each names a module."""

__all__ = [
    "FAMILIES",
    "GROUP",
    "OF_READERS",
    "RULES",
    "check",
    "check_conversation",
    "digest_conversation",
    "digested_kinds",
    "judge_collection",
]


def _families() -> Iterator[ModuleType]:
    """Every module `*_rules` of this package, then those of entry points; importing registers.

    Raises:
        UsageError: A module of another package cannot be imported, or repeats the id of a rule.
    """
    # By itself the walk leaves out folders that cannot be imported, without a word.
    walk = pkgutil.walk_packages(validators.__path__, f"{validators.__name__}.", _refuse)
    for found in walk:
        if found.name.endswith("_rules"):
            yield import_module(found.name)
    for entry in entries_of(GROUP):
        try:
            yield import_module(entry.module)
        except Exception as error:  # whatever a foreign module raises, its package is to blame
            package = entry.dist.name if entry.dist else "a package"
            raise UsageError(
                f"{GROUP} {entry.name}: expected {entry.value} of {package} to register rules, got "
                f"{type(error).__name__}: {error}; mend or uninstall that package"
            ) from error


def _refuse(package: str) -> NoReturn:
    raise ImportError(f"{package}: expected a folder of rules that can be imported, got an error")


FAMILIES: Final = tuple(_families())
"""One module per family of rules, by name."""
OF_READERS: Final = tuple(rule for rule in RULES if rule.looks_at is LooksAt.READER)
"""The rules on what readers say; without a reader they find nothing."""
for _rule, (_right, _of) in READ.items():
    RULES.measure(_rule, _right, _of)


def check(
    bundles: Iterable[Bundle], context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of every rule about conversations and about their collection.

    Args:
        bundles: All conversations of a data set, in natural order of their ids; none is kept.
        context: Bytes of the assets and thresholds.
        rules: The rules to apply.

    Returns:
        Findings by target (natural order), then rule, pointer and message, each once.
    """
    chosen = list(rules)
    found: list[Finding] = []
    traits: list[Traits] = []
    for bundle in bundles:
        found += check_conversation(bundle, context, chosen)
        traits.append(digest_conversation(bundle, chosen))
        # The next conversation has other texts; kept, these would grow with every one.
        clear_text_caches()
    return order_findings([*found, *judge_collection(traits, context, chosen)])


def check_conversation(
    bundle: Bundle, context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of the rules that look at one conversation, in the order of `check`."""
    own = context.of_conversation()
    return order_findings(
        finding for rule in rules for finding in rule.check_conversation(bundle, own)
    )


def digest_conversation(bundle: Bundle, rules: Iterable[Rule] = RULES) -> Traits:
    """What the rules about all conversations need of one; no rule needs the others for it."""
    traits: dict[str, Any] = {}
    for rule in rules:
        # Several rules may have one digest.
        if rule.digest is not None and digest_name(rule.digest) not in traits:
            traits |= rule.digest_conversation(bundle)
    return traits


def digested_kinds(rules: Iterable[Rule] = RULES) -> frozenset[str]:
    """The kinds of data that `digest_conversation` looks at, beside the conversation."""
    digesting = [rule.digests or DATA_KINDS for rule in rules if rule.digest is not None]
    return frozenset({"conversation"}).union(*digesting)


def judge_collection(
    traits: Iterable[Traits], context: RuleContext, rules: Iterable[Rule] = RULES
) -> list[Finding]:
    """Findings of the rules that look at all conversations, in the order of `check`.

    Args:
        traits: Those of every conversation, in natural order of their ids, taken by the digests of
            these rules; gone through once for each rule.
        context: Thresholds.
        rules: The rules to apply.
    """
    return order_findings(
        finding for rule in rules for finding in rule.judge_collection(traits, context)
    )


def order_findings(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by target (natural order), rule, pointer and message; equal ones once."""
    unique = {finding.id: finding for finding in findings}
    return sorted(
        unique.values(),
        key=lambda each: (natural_key(each.target), each.rule, natural_key(each.pointer), each.id),
    )
