"""Audits inside a unit: rules look at what a stage made, the stage mends what they flag.

Author, rules, repair at most three times; what is left are findings that the gate sees (M3Exam
§2.2, A.4). Only flagged parts may change, and every repair leaves a record.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memassay.flows.engine.failures import author_failed
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import RepairingStage, StageContext
from memassay.schemas.contracts.rules import Rule, RuleContext
from memassay.schemas.errors import AuthorError, RecordError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Repair
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import IMPORTED, Conversation, Speaker, SpeakerKind
from memassay.validators.check import check_conversation

ATTEMPTS: Final = 3
"""How often a flagged part is made again before people are asked."""


@dataclass(frozen=True)
class Audit:
    """The rules that look at what one stage made.

    Attributes:
        rules: The rules.
        version: Raised when a rule would say something else about the same records.
        thresholds: Numbers a recipe sets, by rule id.
    """

    rules: tuple[Rule, ...]
    version: str
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What a unit's content key holds of its audit."""
        rules = [[rule.id, str(rule.severity), rule.what] for rule in self.rules]
        return content_hash([self.version, rules, dict(self.thresholds)])


@dataclass(frozen=True)
class Audited:
    """What a stage made after its audit.

    Attributes:
        records: Its records, mended where that was possible.
        repairs: What was mended, attempt by attempt.
        findings: What is still wrong.
    """

    records: list[Record]
    repairs: list[Repair]
    findings: list[Finding]


def audit_stage(
    stage: RepairingStage,
    audit: Audit,
    given: Sequence[Record],
    made: Sequence[Record],
    context: StageContext,
) -> Audited:
    """Audit what a stage made of its input, and let it mend what is flagged.

    Raises:
        RecordError: The stage changed a part that nothing flagged.
    """
    records, repairs = list(made), list[Repair]()
    findings = findings_of(audit, given, records, context)
    for attempt in range(1, ATTEMPTS + 1):
        flagged = _flagged_parts(stage, findings, records)
        if not flagged:
            break
        try:
            repaired = list(stage.repair(given, records, flagged, attempt, context))
        except AuthorError as error:
            # What is still wrong is reported beside it; the history stays as it was, to look at.
            findings = [*findings, author_failed(context.shard, error)]
            break
        before, after = stage.parts(records), stage.parts(repaired)
        records = repaired
        mended = _mended_parts(stage, before, after, flagged)
        findings = findings_of(audit, given, records, context)
        still = _flagged_parts(stage, findings, records)
        repairs += [
            _repair(
                stage, context.shard, part, attempt, flagged[part], before, after, part in still
            )
            for part in mended
        ]
        if not mended:
            break
    return Audited(records, repairs, findings)


def findings_of(
    audit: Audit, given: Sequence[Record], made: Sequence[Record], context: StageContext
) -> list[Finding]:
    """What the rules of an audit say about what a stage made of its input, and in place of it."""
    again = {record.id for record in made}
    records = [*(record for record in given if record.id not in again), *made]
    if not any(isinstance(record, Conversation) for record in records):
        records.append(untold(context.shard))
    rules = RuleContext(blobs=context.blobs, thresholds=audit.thresholds)
    return check_conversation(Bundle.from_records(records), rules, audit.rules)


def untold(conversation: str) -> Conversation:
    """A conversation before a word of it is written, so that rules can look at its timeline."""
    user = Speaker(id="user", name="user", kind=SpeakerKind.HUMAN)
    # No rule asks for its path, and it is never stored.
    return Conversation(
        id=conversation, collection="untold", path=IMPORTED, speakers=[user], sessions=[]
    )


def _flagged_parts(
    stage: RepairingStage, findings: Sequence[Finding], made: Sequence[Record]
) -> dict[str, list[Finding]]:
    flagged: dict[str, list[Finding]] = {}
    for finding in findings:
        part = stage.part_of(finding, made)
        if part is not None:
            flagged.setdefault(part, []).append(finding)
    return flagged


def _mended_parts(
    stage: RepairingStage,
    before: Mapping[str, str],
    after: Mapping[str, str],
    flagged: Mapping[str, object],
) -> list[str]:
    """Names of the parts that changed, in natural order; all of them were flagged."""
    names = {*before, *after}
    changed = sorted(
        (name for name in names if before.get(name) != after.get(name)), key=natural_key
    )
    for name in changed:
        if name not in flagged or name not in before or name not in after:
            raise RecordError(
                f"{name}: expected only flagged parts to change in a repair, got a change from "
                f"stage {stage.name}; mend flagged parts alone, and keep their names"
            )
    return changed


def _repair(
    stage: RepairingStage,
    conversation: str,
    part: str,
    attempt: int,
    findings: Sequence[Finding],
    before: Mapping[str, str],
    after: Mapping[str, str],
    still: bool,
) -> Repair:
    local = part.rpartition("/")[2]
    return Repair(
        id=record_id(conversation, f"repair-{stage.name}-{local}-{attempt}"),
        conversation=conversation,
        stage=stage.name,
        target=part,
        attempt=attempt,
        rules=[finding.rule for finding in findings],
        messages=[finding.message for finding in findings],
        before_sha256=before[part],
        after_sha256=after[part],
        settled=not still,
    )
