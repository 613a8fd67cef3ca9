"""What owners ask of the review of a workspace: how far it is, the log, invitations."""

from dataclasses import asdict
from typing import Any

from memassay.annotation.measures.review_stats import audit_log, review_stats
from memassay.annotation.storage.invitations import invite
from memassay.annotation.voting.desk import ReviewDesk
from memassay.flows.review.scoring import scores
from memassay.flows.store.workspace import Workspace


def review_report(workspace: Workspace) -> dict[str, Any]:
    """States, throughput, agreement, disagreements and scores, to be printed or sent."""
    return {**asdict(review_stats(workspace.queue.engine)), "scores": scores(workspace)}


def review_log(workspace: Workspace) -> list[dict[str, Any]]:
    """Every line of the audit log, oldest first."""
    return audit_log(workspace.queue.engine)


def invitation(workspace: Workspace, role: str, days: float) -> str:
    """A new invitation; gives its token, which is kept nowhere.

    Raises:
        UsageError: There is no such role.
    """
    return invite(workspace.queue.engine, role, days)


def people_of(
    workspace: Workspace, by: str, shut_out: str | None = None, let_in: str | None = None
) -> list[dict[str, Any]]:
    """Everybody who has joined, by name, after somebody was shut out or let in.

    Raises:
        UsageError: Nobody has this name, or it is their own, or the last owner's.
    """
    desk = ReviewDesk(workspace.queue.engine)
    for name, disabled in ((shut_out, True), (let_in, False)):
        if name is not None:
            desk.shut_out(name, by, disabled=disabled)
    return desk.reviewers()
