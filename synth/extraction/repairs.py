"""Repairs of what a model's audit flagged, as records, and findings of what is left of it."""

from collections.abc import Sequence

from memassay.schemas.contracts.rules import Rule
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.flaw import FlawKind, Repair
from memassay.synth.findings import SYNTHESIS_RULES

ATTEMPTS = 3
"""How often a flagged part is made again before people are asked."""

DIALOGUE_FLAGGED = SYNTHESIS_RULES.declare(
    "audit.flagged_by_model",
    Severity.ERROR,
    "The audits of a dialogue by a model find nothing that repairs did not mend.",
    "M3Exam §2.2 and E, dialogue self-check per chunk and across chunks (Figures 18, 19)",
)


def model_repair(
    rule: Rule,
    stage: str,
    part: str,
    attempt: int,
    flags: Sequence[tuple[FlawKind, str]],
    hashes: tuple[str, str],
    *,
    settled: bool,
) -> Repair:
    """The record of one attempt at a part that a model's audit flagged."""
    conversation, _, local = part.partition("/")
    return Repair(
        id=record_id(conversation, f"repair-{stage}-model-{local}-{attempt}"),
        conversation=conversation,
        stage=stage,
        target=part,
        attempt=attempt,
        rules=[rule.id for _ in flags],
        messages=[f"{kind}: {reason}" for kind, reason in flags],
        before_sha256=hashes[0],
        after_sha256=hashes[1],
        settled=settled,
    )
