"""Drafts of KR and CD: what holds after a change, and whether something conflicts (A.3)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.knowledge.planted import Planted, PlantKind
from memassay.synth.questions.recall import answer_format

RESOLUTION: Final = "KR"
DETECTION: Final = "CD"
_CLAIMS: Final = (
    "Please determine whether the following information conflicts with the dialogue memory: "
    "{Claim}",
    "Does the following conflict with what was said before? {Claim}",
    "Is it a conflict with the conversation to say that {claim}?",
    "Would it conflict with the conversation to claim that {claim}?",
    "Help me check this against the conversation, does it conflict with it? {Claim}",
    "Somebody notes: {Claim} Does that conflict with the conversation?",
    "Does it contradict the dialogue that {claim}?",
    "Compare this with the dialogue memory. Is there a conflict? {Claim}",
    "If I wrote that {claim}, would that conflict with what was said?",
    "Does this statement conflict with the conversation so far? {Claim}",
)
"""Ways to ask whether a claim conflicts with a history, the first Mem-Gallery's own (A.3)."""

_TOLD_TWICE: Final = (
    "It was said that {claim}. Does that contradict what was said of it at another time?",
    "{Claim} Is there a contradiction to what was said of it in another session?",
    "At one point it was said that {claim}. Does that conflict with what was said of it elsewhere?",
    "Do the sessions contradict each other where one says that {claim}?",
    "Was anything said that contradicts this? {Claim}",
    "Does anything in the conversation contradict that {claim}?",
    "It was said that {claim}. Does anything else in the conversation contradict it?",
    "One session says that {claim}. Does the other one conflict with that?",
)
"""Ways to ask whether two tellings conflict, one of which is in the question."""


def resolution(planted: Sequence[Planted]) -> Iterator[Draft]:
    """KR: what holds after each correction and change; only the later session tells."""
    for one in planted:
        if one.kind.revises:
            query = get(_now(one.after))
            about = (one.after.id,)
            yield Draft(one.ask, query, answer_format(one.after), about)


def detection(
    planted: Sequence[Planted], sessions: Mapping[str, str], offset: int = 0
) -> Iterator[Draft]:
    """CD: whether a claim conflicts with what holds, or what was said once with another telling.

    Half of the statements about corrections and changes are outdated, so that yes is as often right
    as no; the session with the change turns each of these answers round.

    Args:
        planted: What was planted.
        sessions: Id of the session in which each fact was first told, by its id.
        offset: Where in the turn of outdated and valid statements the first one is.
    """
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
        text = _ask(_CLAIMS, one, value, at)
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
        text = _ask(_TOLD_TWICE, one, one.after, at)
        yield Draft(text, query, AnswerFormat.YES_NO, (one.before.id, one.after.id))


def _ask(wordings: Sequence[str], one: Planted, value: Fact, at: int) -> str:
    """The question that holds the claim itself; wordings take turns."""
    verb = "are" if re.search(r"[^s]s$", head_of(one.after.attribute)) else "is"
    pattern = one.claim or f"{one.about} {verb} {{value}}."
    claim = pattern.replace("{value}", spoken_value(value.value)).rstrip(".")
    # A name keeps its capital inside a sentence, which only the claim as it was written tells.
    whole = f"{claim[0].upper()}{claim[1:]}."
    inside = f"the{claim[3:]}" if claim.startswith("The ") else claim
    return wordings[at % len(wordings)].replace("{Claim}", whole).replace("{claim}", inside)


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
