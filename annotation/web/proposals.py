"""The page of a proposed edit of a history: what it would do, and who decides."""

from typing import Any

from memassay.annotation.pages.content import ItemHead, ProposalContent
from memassay.annotation.pages.forms import word_changes
from memassay.annotation.pages.security import Session
from memassay.annotation.pages.shared import ReviewPages
from memassay.annotation.pages.views import view_of
from memassay.schemas.errors import UsageError


def require_waiting(head: ItemHead) -> None:
    """See that an owner has something to decide.

    Raises:
        UsageError: It is decided, withdrawn, or was asked again.
    """
    if head.state not in ("open", "disputed"):
        raise UsageError(
            f"review item {head.item}: expected one that waits, got a {head.state} one"
        )


def proposal_values(
    pages: ReviewPages, content: ProposalContent, session: Session
) -> dict[str, Any]:
    """What the page of a proposed edit shows."""
    preview = content.preview
    stages = list(preview.stages) if preview else []
    return {
        "proposal": content.proposal,
        "preview": preview,
        "view": view_of(content.history()),
        "sees_all": session.role in ("adjudicator", "owner"),
        "texts": [(place, word_changes(old, new)) for place, old, new in preview.texts]
        if preview
        else [],
        "stale": stages,
        "cost": pages.content.edits.rebuild_cost(content.head.item, stages) if stages else None,
    }
