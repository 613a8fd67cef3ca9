"""What lessons report about themselves."""

from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

_SOURCE: Final = "Mem-Gallery A.3, test-time learning"
NO_PAIR: Final = SYNTHESIS_RULES.declare(
    "lessons.no_pair",
    Severity.ERROR,
    "A conversation with lessons is one of a user with an assistant.",
    _SOURCE,
)
NO_GAP: Final = SYNTHESIS_RULES.declare(
    "lessons.no_gap",
    Severity.WARNING,
    "There is a gap between two sessions for each session of a lesson.",
    _SOURCE,
)
FEWER: Final = SYNTHESIS_RULES.declare(
    "lessons.fewer",
    Severity.WARNING,
    "A conversation has as many lessons and questions of them as the recipe asks for.",
    _SOURCE,
)
MISSED: Final = SYNTHESIS_RULES.declare(
    "lessons.sizes",
    Severity.WARNING,
    "A conversation with its lessons is as large as its scenario says.",
    _SOURCE,
)


def no_pair(host: str) -> Finding:
    """Nobody could teach, or be taught."""
    said = f"{host}: expected a user and an assistant, got others; no lesson came in"
    return NO_PAIR.finding(host, "/speakers", said, "Leave lessons out for this conversation.")


def no_gap(host: str, lesson: str) -> Finding:
    """A session of a lesson had to come at the end of another."""
    return NO_GAP.finding(
        host,
        f"/{lesson}",
        f"{host}.{lesson}: expected a gap of some days between two sessions, got none; what is "
        "taught comes at the end of a session",
        "Nothing need be done; or set lessons.place to ends.",
    )


def fewer(host: str, what: str, wanted: int, got: int) -> Finding:
    """There are fewer lessons or questions than wanted."""
    return FEWER.finding(
        host,
        f"/{what}",
        f"{host}: expected {wanted} {what}, got {got}",
        "Add classes or pictures that differ, or ask for fewer.",
    )


def other_size(host: str, what: str, wanted: int, got: int) -> Finding:
    """A conversation has more or less of something than its scenario says."""
    return MISSED.finding(
        host,
        f"/{what}",
        f"{host}.{what}: expected {wanted}, got {got}",
        "Change this size or another that leaves it no room, or name another persona.",
    )
