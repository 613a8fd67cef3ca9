"""The names that this memassay knows, so that a release may use no others."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memassay.exports.release import rules
from memassay.exports.release.layout import MANIFEST
from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.bank import BankTally, DropReason
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.cluster import Cluster

_REPAIR: Final = "write the release again from its records"
_EXAMPLES: Final = 3
"""Drafts of one reason that a tally shows."""

EDITS: Final = "-edits"
"""End of the ids of provenance that says what people changed."""


class Known(NamedTuple):
    """What a release that this memassay made may name.

    Attributes:
        rules: Severity by id of every rule.
        stages: Stages that its recipe can have; None where the recipe is of no path.
        checking: By name of a checking stage, the rules whose findings are its own.
        asked: Numbers that the recipe gives for a name, such as the code of a type.
        missing: Its path, if no package that is installed declares it; else nothing.
        same_rules: Whether the release was made under these rules, not under those of another
            memassay.
    """

    rules: Mapping[str, Severity]
    stages: Collection[str] | None
    checking: Mapping[str, Collection[str]]
    asked: Mapping[str, Collection[int]]
    missing: str
    same_rules: bool


def names_agree(records: Mapping[str, Sequence[Record]], known: Known) -> Iterator[Finding]:
    """Findings, provenance and tallies that name what there is not, or say it otherwise.

    Args:
        records: The records of a release that stages of this version of memassay made, by kind.
        known: What they may name.
    """
    if known.missing:
        said = f"{MANIFEST}.recipe.path: expected a path that is installed, got '{known.missing}'"
        fix = f"install the package that declares the path {known.missing}, then check again"
        yield rules.IDENTITY.finding(MANIFEST, "/recipe/path", said, fix)
    elif known.stages is None:
        said = f"{MANIFEST}.recipe: expected a recipe that its path reads, got another"
        yield rules.IDENTITY.finding(MANIFEST, "/recipe", said, _REPAIR)
    yield from _findings(records, known)
    owners = {record.id for record in records.get("conversation", ())}
    held = (each for each in records.get("held_out", ()) if isinstance(each, HeldOut))
    owners |= {conversation_of(each.record) for each in held}
    # What dialogues were made by stays when they have become one conversation.
    for cluster in records.get("cluster", ()):
        if isinstance(cluster, Cluster):
            owners |= {conversation_of(one.dialogue) for one in cluster.members}
            owners |= {conversation_of(one.dialogue) for one in cluster.left_out}
    for each in records.get("provenance", ()):
        if isinstance(each, Provenance):
            yield from _provenance(each, owners, known)
    for tally in records.get("bank", ()):
        if isinstance(tally, BankTally):
            yield from _tally(tally, known)


def _findings(records: Mapping[str, Sequence[Record]], known: Known) -> Iterator[Finding]:
    """Findings of no rule, with another severity than their rule's, or under another id."""
    noted = [each for each in records.get("finding", ()) if isinstance(each, Finding)]
    severities: dict[str, set[Severity]] = {}
    for each in noted:
        severities.setdefault(each.rule, set()).add(each.severity)
    for each in noted:
        made = Finding.make(
            each.rule, each.severity, each.target, each.pointer, each.message, each.fix
        )
        severity = known.rules.get(each.rule)
        if severity is None:
            yield _differs(rules.FINDINGS, each, "rule", "a rule that there is", each.rule)
        elif severity != each.severity and (known.same_rules or len(severities[each.rule]) > 1):
            # Under other rules it may have been another one, but the same for all of the rule.
            yield _differs(rules.FINDINGS, each, "severity", severity, each.severity)
        if made.id != each.id:
            yield _differs(rules.FINDINGS, each, "id", f"{made.id}, as it follows", each.id)


def _provenance(each: Provenance, owners: Collection[str], known: Known) -> Iterator[Finding]:
    owner, _, rest = each.id.rpartition("/")
    # What a release took over from the one that it extends is named after that one too.
    stage = rest.partition("@")[0].removesuffix(EDITS)
    if stage != each.stage:
        yield _differs(rules.PROVENANCE, each, "stage", stage, each.stage)
    elif known.stages is not None and each.stage not in known.stages:
        expected = f"a stage of its path: {', '.join(sorted(known.stages))}"
        yield _differs(rules.PROVENANCE, each, "stage", expected, each.stage)
    if owner and conversation_of(owner) not in owners:
        yield _differs(rules.PROVENANCE, each, "id", "a conversation of the release", owner)


def _tally(tally: BankTally, known: Known) -> Iterator[Finding]:
    asked = known.asked.get(tally.code, ())
    if asked and tally.wanted not in asked:
        expected = f"{' or '.join(map(str, sorted(asked)))} as the recipe asks"
        yield _differs(rules.BANK, tally, "wanted", expected, tally.wanted)
    elif tally.kept > tally.wanted:
        yield _differs(rules.BANK, tally, "wanted", f"at least {tally.kept} kept", tally.wanted)
    reasons = [dropped.reason for dropped in tally.dropped]
    if reasons != sorted(set(reasons)):
        yield _differs(rules.BANK, tally, "dropped", "each reason once, in order", reasons)
    for at, dropped in enumerate(tally.dropped):
        field = f"dropped.{at}"
        if dropped.reason not in {*DropReason, *known.rules}:
            expected = "a reason of banks or a rule"
            yield _differs(rules.BANK, tally, f"{field}.reason", expected, dropped.reason)
        shown = min(dropped.drafts, _EXAMPLES)
        if len(dropped.examples) != shown:
            expected, got = f"drafts for {shown} examples", str(len(dropped.examples))
            yield _differs(rules.BANK, tally, f"{field}.drafts", expected, got)


def _differs(rule: Rule, record: Record, field: str, expected: object, got: object) -> Finding:
    said = f"{record.id}.{field}: expected {expected}, got '{got}'"
    target = record.target if isinstance(record, Finding) else record.id
    return rule.finding(target, pointer(*field.split(".")), said, _REPAIR)
