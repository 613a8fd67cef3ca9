"""Drafts of KR and CD: what holds after a change, and whether something conflicts (A.3)."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.knowledge.planted import Planted, PlantKind
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

_ANYTHING: Final = (
    "Was anything said that contradicts this? {Claim}",
    "{Claim} Was anything said that contradicts this?",
    "Does anything in the conversation contradict this? {Claim}",
    "{Claim} Does anything in the conversation contradict that?",
    "Does anything in the conversation contradict that {claim}?",
    "Is there anything in the conversation that conflicts with this? {Claim}",
    "{Claim} Is there anything in the conversation that conflicts with this?",
    "Was anything said that conflicts with the following? {Claim}",
    "Does anything that was said contradict that {claim}?",
    "Does any session contradict this? {Claim}",
)
"""Ways to ask whether anything conflicts with a claim that a history holds itself."""


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
    """CD: whether a claim conflicts with what holds, or what was said once with another telling.

    Half of the statements about corrections and changes are outdated, so that yes is as often right
    as no; the session with the change turns each of these answers round.

    Args:
        planted: What was planted.
        sessions: Id of the session in which each fact was first told, by its id.
        offset: Where in the turn of outdated and valid statements the first one is.
        random: Puts wordings in an order of each history, so that none has one answer.
    """
    claims, anything = (random.sample(every, len(every)) for every in (_CLAIMS, _ANYTHING))
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
    told = [one for one in planted if one.kind in (PlantKind.CONTRADICTION, PlantKind.AGREEMENT)]
    for at, one in enumerate(told, start=offset + len(revised)):
        query = {
            "op": "compare",
            "a": _in(one.before, sessions),
            # The question holds what this session said.
            "b": _in(one.after, sessions, value=one.after.value.text),
            "with": "differ",
        }
        text = _ask(anything, one, one.after, at)
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
