"""What making one life of single dialogues reports about its own work."""

from collections.abc import Sequence
from typing import Final

from memassay.schemas.judgements.finding import Finding, Severity
from memassay.synth.findings import SYNTHESIS_RULES

BRIDGE: Final = SYNTHESIS_RULES.declare(
    "lives.bridge_fact",
    Severity.INFO,
    "A model's rounds between two sessions add no fact; a neutral round takes their place.",
    "Mem-Gallery A.2.3, transitions",
)


def bridge_says(life: str, before: str, after: str, problems: Sequence[str]) -> Finding:
    """A model's bridge says something of its own."""
    said = f"{life}: expected rounds from {before} to {after} that add no fact, got "
    fix = "Nothing to do: a neutral round is there."
    return BRIDGE.finding(life, "/sessions", f"{said}{'; '.join(problems)}", fix)


FEWER: Final = SYNTHESIS_RULES.declare(
    "lives.fewer_extensions",
    Severity.WARNING,
    "A life gets as many extension sessions as the recipe asks for.",
    "Mem-Gallery A.2.3, added sessions",
)


def fewer_extensions(life: str, wanted: int, made: int) -> Finding:
    """A life mentions the things that extension sessions could be about."""
    said = f"{life}: expected {wanted} extension sessions, got {made}"
    fix = "Ask for fewer: it mentions the subjects of the other arcs."
    return FEWER.finding(life, "/sessions", said, fix)


NOT_ASKED: Final = SYNTHESIS_RULES.declare(
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


PROFILE: Final = SYNTHESIS_RULES.declare(
    "lives.profile",
    Severity.INFO,
    "A model's profile says what the user said; their own sentences take its place.",
    "Mem-Gallery A.2.3",
)


def profile_says(life: str, words: Sequence[str]) -> Finding:
    """A model's profile has names or numbers that the user never said."""
    said = f"{life}: expected a profile of what was said, got also {', '.join(map(repr, words))}"
    return PROFILE.finding(life, "/speakers", said, "Nothing to do: their own sentences are there.")


REVISED: Final = SYNTHESIS_RULES.declare(
    "lives.revised",
    Severity.WARNING,
    "What a model revises in a life, people look at beside the original.",
    "Mem-Gallery A.2.3, quality control",
)
NOT_REVISED: Final = SYNTHESIS_RULES.declare(
    "lives.not_revised",
    Severity.INFO,
    "A model's revision leaves alone what a question cites, what was planted, what is not there.",
    "Mem-Gallery A.2.3, quality control",
)


def turn_revised(life: str, turn: str, reason: str) -> Finding:
    """A model revised a turn."""
    said = f"{life}.{turn}: expected a person's look at a revision, got '{reason}'"
    return REVISED.finding(life, "/sessions", said, "Look at it: `memassay review list`.")


def not_revised(life: str, place: str, why: str) -> Finding:
    """A model's revision is not used."""
    said = f"{life}.{place}: expected a revision of a turn that is free to change, got {why}"
    return NOT_REVISED.finding(life, "/sessions", said, "Nothing to do: the turn stays as it was.")


WORDED: Final = SYNTHESIS_RULES.declare(
    "lives.session_worded",
    Severity.WARNING,
    "A new session that a model worded says what the ledger has, and people look at it.",
    "Mem-Gallery A.2.3, added sessions",
)
WORDING: Final = SYNTHESIS_RULES.declare(
    "lives.wording_refused",
    Severity.INFO,
    "A model's words for a round keep its values and add none; the draft takes their place.",
    "Mem-Gallery A.2.3, added sessions",
)


def session_worded(life: str, session: str) -> Finding:
    """A model worded a new session."""
    said = f"{life}.{session}: expected a person's look, got a session in a model's words"
    return WORDED.finding(life, f"/{session}", said, "Look at it: `memassay review list`.")


def wording_refused(life: str, session: str, problem: str) -> Finding:
    """A model's words are not used."""
    said = f"{life}.{session}: {problem if 'expected' in problem else f'expected {problem}'}"
    return WORDING.finding(life, f"/{session}", said, "Nothing to do: the draft is there.")


NOT_READ: Final = SYNTHESIS_RULES.declare(
    "lives.not_read",
    Severity.INFO,
    "What a model reads of a life quotes words that are there, of two dialogues.",
    "Mem-Gallery A.2.3, coherence",
)
UNSURE: Final = SYNTHESIS_RULES.declare(
    "lives.unsure_contradiction",
    Severity.WARNING,
    "No model takes two dialogues of a life for contradicting each other, even if it is not sure.",
    "Mem-Gallery A.2.3, coherence",
)


def not_read(life: str, place: str, expected: str, got: str) -> Finding:
    """Something that a model read of a life is not used."""
    said = f"{life}: expected {expected}, got {got} in {place}"
    return NOT_READ.finding(life, "/sessions", said, "Nothing to do: it does not count.")


def unsure(life: str, places: Sequence[str], reason: str) -> Finding:
    """A model thinks that two dialogues may contradict each other."""
    said = f"{life}: expected one life, got {' and '.join(places)}, of which a model says: {reason}"
    fix = "Look at both; `memassay review clusters drop` leaves a dialogue out."
    return UNSURE.finding(life, "/sessions", said, fix)
