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


FEWER: Final = SYNTHESIS_RULES.declared(
    "lives.fewer_extensions",
    Severity.WARNING,
    "A life gets as many extension sessions as the recipe asks for.",
    "Mem-Gallery A.2.3, added sessions",
)


def fewer_extensions(life: str, wanted: int, made: int) -> Finding:
    """A life speaks of what extension sessions could tell."""
    said = f"{life}: expected {wanted} extension sessions, got {made}"
    fix = "Ask for fewer, or let a model write them: it speaks of the small matters that are known."
    return FEWER.finding(life, "/sessions", said, fix)


NOT_ASKED: Final = SYNTHESIS_RULES.declared(
    "lives.plant_not_asked",
    Severity.WARNING,
    "Everything planted in a life has a KR or CD question that its query proves.",
    "Mem-Gallery A.3, KR and CD",
)


def not_asked(life: str, plant: str) -> Finding:
    """No question about something planted is proven."""
    said = f"{life}: expected a KR or CD question, got none for what {plant}"
    return NOT_ASKED.finding(
        life, "/sessions", said, "Let a person write one, or run another seed."
    )
