"""What the stages of m2a report about their own work."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.paths.m2a.talks.bank import Written

NO_GAP: Final = SYNTHESIS_RULES.declare(
    "m2a.no_gap",
    Severity.ERROR,
    "A host has a gap between two sessions that is long enough for its guests.",
    "M2A C, eq. 7",
)
FEWER: Final = SYNTHESIS_RULES.declare(
    "m2a.fewer_questions",
    Severity.WARNING,
    "Guest sessions have as many questions of each category as the recipe asks for.",
    "M2A C, step 3",
)

SESSIONS: Final = SYNTHESIS_RULES.declare(
    "m2a.guest_sessions",
    Severity.ERROR,
    "Guest sessions of a model have the sessions, turns, speakers, concepts and images asked for.",
    "M2A C, step 2",
)
QUESTION: Final = SYNTHESIS_RULES.declare(
    "m2a.guest_question",
    Severity.ERROR,
    "A question of a model about guest sessions cites the turns that bear its answer.",
    "M2A C, step 3",
)
LEFT_OUT: Final = SYNTHESIS_RULES.declare(
    "m2a.question_left_out",
    Severity.WARNING,
    "Every question of a model about guest sessions can be a record, and is one that was wanted.",
    "design, authors: what cannot be used is named, and nothing is made up in its place",
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


def wrong_sessions(
    host: str, name: str, problems: Sequence[str], *, lost: bool
) -> Iterator[Finding]:
    """What is wrong with guest sessions after the last call."""
    fix = "Choose another model for the role guests, raise guests.repairs, or let a person decide."
    fix = f"No guest came in. {fix}" if lost else fix
    for said in problems:
        yield SESSIONS.finding(host, "", f"{host}.{name}: {said}", fix)


def wrong_question(item: str, problems: Sequence[str]) -> Finding:
    """What is wrong with a question after the last call."""
    said = f"{item}: {'; '.join(problems)}"
    return QUESTION.finding(item, "", said, "Mend it: `memassay review list`; or reject it.")


def left_out(host: str, name: str, problem: str) -> Finding:
    """A question of which no record is made."""
    said = f"{host}.{name}: {problem}"
    return LEFT_OUT.finding(host, "", said, "None: the model's reply is kept as it came.")
