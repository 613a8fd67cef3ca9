"""What the stages of m2a report about their own work."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.talks.bank import Written

NO_GAP: Final = SYNTHESIS_RULES.declared(
    "m2a.no_gap",
    Severity.ERROR,
    "A host has a gap between two sessions that is long enough for its guests.",
    "M2A C, eq. 7",
)
FEWER: Final = SYNTHESIS_RULES.declared(
    "m2a.fewer_questions",
    Severity.WARNING,
    "Guest sessions have as many questions of each category as the recipe asks for.",
    "M2A C, step 3",
)


def no_gap(host: str, least: timedelta) -> Finding:
    """A host has no gap that is long enough."""
    return NO_GAP.finding(
        host,
        "",
        f"{host}: expected a gap of {least.days} days between two sessions, got none",
        "Lower guests.gap_days, or leave this host out.",
    )


def fewer(host: str, name: str, written: Written) -> Iterator[Finding]:
    """A conversation, or the guests in it, has fewer questions than wanted."""
    for code, number in sorted(written.missing.items()):
        yield FEWER.finding(
            host,
            f"/{name}/{code}",
            f"{host}.{name}: expected {number} more questions of category {code}, got none",
            "Ask for fewer, or run another seed.",
        )
