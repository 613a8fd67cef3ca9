"""Drafts of KR and CD: what holds after a change, and whether something conflicts (A.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.knowledge.planted import Planted, PlantKind
from memassay.synth.questions.recall import answer_format

RESOLUTION: Final = "KR"
DETECTION: Final = "CD"
_PREAMBLE: Final = (
    "Please determine whether the following information conflicts with the dialogue memory: "
)


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
    """CD: whether a statement conflicts with what holds, or two tellings with each other.

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
            "subject": one.after.subject,
            "attribute": one.after.attribute,
            "value": spoken_value(value.value),
        }
        query = {"op": "conflict", "claim": claim, "against": _now(one.after)}
        said = one.claim.replace("{value}", spoken_value(value.value))
        text = f"{_PREAMBLE}{said[0].upper()}{said[1:]}"
        yield Draft(text, query, AnswerFormat.YES_NO, (one.before.id, one.after.id))
    for one in planted:
        if one.kind in (PlantKind.CONTRADICTION, PlantKind.AGREEMENT):
            query = {
                "op": "compare",
                "a": _in(one.before, sessions),
                "b": _in(one.after, sessions),
                "with": "differ",
            }
            text = f"Is there a contradiction in what was said about {one.about}?"
            yield Draft(text, query, AnswerFormat.YES_NO, (one.before.id, one.after.id))


def _now(fact: Fact) -> dict[str, Any]:
    return {"op": "as_of", "of": select(fact), "at": "end"}


def _in(fact: Fact, sessions: Mapping[str, str]) -> dict[str, Any]:
    """The value that a session gives."""
    where = {
        "subject": fact.subject,
        "attribute": fact.attribute,
        "session": sessions[fact.id],
    }
    return get({"op": "select", "where": where})
