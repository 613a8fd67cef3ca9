"""What the stages of mmrc report about their own work."""

from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

ABILITY: Final = SYNTHESIS_RULES.declare(
    "mmrc.ability",
    Severity.ERROR,
    "Every ability that the card of a dialogue asks has a question.",
    "MMRC §3.3, Table 2",
)


def not_asked(dialogue: str, code: str, pack: str) -> Finding:
    """Nothing in a dialogue proves a question of an ability."""
    return ABILITY.finding(
        dialogue,
        f"/{code}",
        f"{dialogue}.{code}: expected a question, got none from the pack {pack}",
        "Give the pack more facts, joins, pictures or refusals of this kind.",
    )
