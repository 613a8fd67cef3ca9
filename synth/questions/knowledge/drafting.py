"""Drafts of KR and CD: what holds after a change, and whether something conflicts (A.3)."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.knowledge.planted import Planted
from memassay.synth.questions.recall import answer_format

RESOLUTION: Final = "KR"
DETECTION: Final = "CD"
_CLAIMS: Final = (
    "Please determine whether the following information conflicts with the dialogue memory: "
    "{Claim}",
    "Does this conflict with the conversation? {Claim}",
    "{Claim} Does that conflict with the conversation?",
    "Does this conflict with what was said? {Claim}",
    "{Claim} Is that in conflict with what was said?",
    "Does it conflict with the conversation that {claim}?",
    "Is this statement in conflict with the conversation? {Claim}",
    "Does it contradict what was said that {claim}?",
    "I wrote down: {Claim} Does that conflict with the conversation?",
    "Does the following statement contradict the conversation? {Claim}",
)
"""Ways to ask whether a claim conflicts with a history, the first Mem-Gallery's own (A.3)."""


def resolution(planted: Sequence[Planted]) -> Iterator[Draft]:
    """KR: what holds after each correction and change; only the later session tells."""
    for one in planted:
        if one.kind.revises:
            query = get(_now(one.after))
            about = (one.after.id,)
            yield Draft(one.ask, query, answer_format(one.after), about)


def detection(
    planted: Sequence[Planted], sessions: Mapping[str, str], offset: int, random: Random
) -> Iterator[Draft]:
    """CD: whether a claim conflicts with the newest statement of what it is about.

    Half of the claims say otherwise, so that yes is as often right as no; the session with the
    newest statement decides each of these answers.

    Args:
        planted: What was planted.
        sessions: Id of the session in which each fact was first told, by its id.
        offset: Where in the turn of outdated and valid claims the first one is.
        random: Puts wordings in an order of each history, so that none has one answer.
    """
    claims = random.sample(_CLAIMS, len(_CLAIMS))
    revised = [one for one in planted if one.kind.revises]
    for at, one in enumerate(revised, start=offset):
        # Neither corrections nor changes are always asked of with the outdated value.
        value = one.before if (at + at // 2) % 2 == 0 else one.after
        claim = {
            "subject": value.subject,
            "attribute": value.attribute,
            "value": spoken_value(value.value),
        }
        query = {"op": "conflict", "claim": claim, "against": _now(one.after)}
        text = _ask(claims, one, value, at)
        yield Draft(text, query, AnswerFormat.YES_NO, (one.before.id, one.after.id))
    stated = [one for one in planted if not one.kind.revises]
    for at, one in enumerate(stated, start=offset + len(revised)):
        query = {
            "op": "compare",
            # The question holds the older value; the newer one agrees with it or not.
            "a": _in(one.before, sessions, value=one.before.value.text),
            "b": _in(one.after, sessions),
            "with": "differ",
        }
        text = _ask(claims, one, one.before, at)
        yield Draft(text, query, AnswerFormat.YES_NO, (one.before.id, one.after.id))


def ask_conflict(claim: str, turn: int) -> str:
    """A question whether a claim conflicts with a history; wordings take turns."""
    return _word(_CLAIMS[turn % len(_CLAIMS)], claim[:1].upper() + claim[1:])


def _ask(wordings: Sequence[str], one: Planted, value: Fact, at: int) -> str:
    """The question that holds the claim itself; wordings take turns."""
    claim = one.claim.replace("{value}", spoken_value(value.value)).rstrip(".")
    return _word(wordings[at % len(wordings)], claim)


def _word(wording: str, claim: str) -> str:
    # A sentence that begins with a name keeps its capital inside another one.
    inside = f"the{claim[3:]}" if claim.startswith("The ") else claim
    return wording.replace("{Claim}", f"{claim}.").replace("{claim}", inside)


def _now(fact: Fact) -> dict[str, Any]:
    return {"op": "as_of", "of": select(fact), "at": "end"}


def _in(fact: Fact, sessions: Mapping[str, str], **more: str) -> dict[str, Any]:
    """The value that a session gives."""
    where = {
        "subject": fact.subject,
        "attribute": fact.attribute,
        "session": sessions[fact.id],
        **more,
    }
    return get({"op": "select", "where": where})
