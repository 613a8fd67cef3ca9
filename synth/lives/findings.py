"""What making one life of single dialogues reports about its own work."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

BRIDGE: Final = SYNTHESIS_RULES.declared(
    "lives.bridge_fact",
    Severity.INFO,
    "A model's rounds between two sessions add no fact; a neutral round takes their place.",
    "Mem-Gallery A.2.3, transitions",
)


def bridge_says(life: str, before: str, after: str, problems: Sequence[str]) -> Finding:
    """A model's bridge says something of its own."""
    said = f"{life}: expected rounds from {before} to {after} that add no fact, got "
    fix = "Nothing to do: a neutral round stands there."
    return BRIDGE.finding(life, "/sessions", f"{said}{'; '.join(problems)}", fix)
