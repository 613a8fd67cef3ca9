"""What a run made of people's work: decisions and edits applied, votes that no longer hold."""

from collections import Counter
from typing import Annotated

from pydantic import Field

from memassay.annotation.voting.edit_log import EditLog
from memassay.annotation.voting.proposals import Proposals
from memassay.flows.engine.run import Run
from memassay.schemas.base import Shape
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.review import Ruling


class AppliedReview(Shape):
    """The decisions of the same people at a gate, as a run applied them."""

    gate: str
    reviewer: Annotated[str, Field(description="Pseudonyms of who decided.")]
    accepted: int
    rejected: int


class AppliedEdit(Shape):
    """An edit that a run applied to a record, or over a history."""

    record: Annotated[str, Field(description="Id of the record, or of the conversation.")]
    reviewer: Annotated[str, Field(description="Pseudonyms of who made and accepted it.")]
    records: Annotated[int, Field(description="Records that it changes.")]


class VoidedReview(Shape):
    """A record whose decision or votes do not hold any more: what they covered has changed."""

    gate: str
    record: str
    decisions: int
    votes: int


class ReviewReport(Shape):
    """What a run made of people's work."""

    decisions: list[AppliedReview]
    edits: list[AppliedEdit]
    voided: list[VoidedReview]
    made_again: Annotated[
        dict[str, int], Field(description="Units done again with other inputs, by stage.")
    ]
    conflicts: Annotated[
        list[str], Field(description="Accepted edits that could not be made, each with why.")
    ]
    proposals: Annotated[int, Field(description="Edits of histories that wait.")]


def review_of(run: Run, conflicts: list[str]) -> ReviewReport:
    """What a run made of people's work.

    Args:
        run: The run, at its end.
        conflicts: Accepted edits that could not be made.
    """
    counts: Counter[tuple[str, str, bool]] = Counter()
    for gate, outcome in run.outcomes.items():
        for one in outcome.decisions:
            counts[gate, one.reviewer, one.ruling is Ruling.ACCEPT] += 1
    return ReviewReport(
        decisions=[
            AppliedReview(
                gate=gate,
                reviewer=who,
                accepted=counts[gate, who, True],
                rejected=counts[gate, who, False],
            )
            for gate, who in dict.fromkeys((gate, who) for gate, who, _ in counts)
        ],
        edits=_edits(run),
        voided=[
            VoidedReview(gate=gate, record=one.record, decisions=one.decisions, votes=one.votes)
            for gate, outcome in run.outcomes.items()
            for one in sorted(outcome.voided, key=lambda one: natural_key(one.record))
        ],
        made_again=_made_again(run),
        conflicts=conflicts,
        proposals=_proposals(run),
    )


def _edits(run: Run) -> list[AppliedEdit]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for _, edit in EditLog(run.workspace.queue.engine).active():
        if edit.id in run.overlays.used:
            about = conversation_of(edit.target) if edit.change_set else edit.target
            counts[about, edit.reviewer, edit.change_set or edit.id] += 1
    ordered = sorted(counts.items(), key=lambda pair: natural_key(pair[0][0]))
    return [AppliedEdit(record=key[0], reviewer=key[1], records=n) for key, n in ordered]


def _made_again(run: Run) -> dict[str, int]:
    """Units done again by stage, for whatever cause: decisions, edits, the recipe, sources."""
    counts = Counter(stage for stage, _ in run.again)
    return {one.name: counts[one.name] for one in run.plan.stages if counts[one.name]}


def _proposals(run: Run) -> int:
    proposals = Proposals(run.workspace.queue)
    return sum(
        one.state in ("open", "disputed")
        for about in proposals.to_settle()
        for one in proposals.of(about)
        if one.run == run.plan.name
    )
