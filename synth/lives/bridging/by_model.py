"""What a model is shown of a seam, and whether what it writes adds a fact."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.synth.lives.bridging.neutral import Pair
from memassay.synth.lives.bridging.no_fact import facts_in
from memassay.synth.lives.bridging.seams import Seam
from memassay.synth.lives.tasks import BridgeRounds, cluster_bridge

_SHOWN: Final = 4
"""Rounds on either side of a seam that a model is shown (our choice)."""


def bridge_task(bundle: Bundle, seam: Seam, rounds: int) -> Task[BridgeRounds]:
    """What a model is asked for at a seam."""
    user = bundle.conversation.speakers[0]
    about = user.profile.summary if user.profile else None
    profile = {"name": user.name, **({"about": about} if about else {})}
    before, after = seam.before.rounds[-_SHOWN:], seam.after.rounds[:_SHOWN]
    return cluster_bridge(
        profile, rounds_for_prompt(before), rounds_for_prompt(after), rounds, record=bundle.id
    )


def rounds_for_prompt(rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """Rounds as prompts show them."""
    return [
        {"round": one.id, "said": [f"{turn.speaker}: {turn.text}" for turn in one.turns]}
        for one in rounds
    ]


def facts_of(said: Sequence[Pair], bundle: Bundle, seam: Seam) -> Iterator[str]:
    """What rounds at a seam say that they must not."""
    around = " ".join(
        turn.text
        for session in (seam.before, seam.after)
        for one in session.rounds
        for turn in one.turns
    )
    names = [one.name for one in bundle.conversation.speakers]
    for pair in said:
        for text in pair:
            for wrong in facts_in(text, around, names):
                yield f"{wrong} in {text!r}"
