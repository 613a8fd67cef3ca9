"""What the stages of worldmemarena report about their own work."""

from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

ASKED: Final = SYNTHESIS_RULES.declare(
    "worldmemarena.asked",
    Severity.INFO,
    "A checkpoint asks what it is due to ask, or else something in its place.",
    "WorldMemArena §4.4, Table 4",
)


def not_asked(sample: str, checkpoint: str, what: str) -> Finding:
    """Nothing in a sample proves what a checkpoint is due to ask."""
    return ASKED.finding(
        sample,
        "/checkpoints",
        f"{sample}.{checkpoint}: expected a question of {what}, got none",
        "Give the vertical more attributes of that sort, or the sample more sessions.",
    )
