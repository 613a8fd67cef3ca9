"""Pages for owners: how much is done, how far people agree, who did what, who may come in."""

import json

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse

from memassay.annotation.measures.review_stats import audit_log, review_stats
from memassay.annotation.pages.security import require_role
from memassay.annotation.pages.shared import FormFields, LoggedIn, Pages

router = APIRouter()


@router.get("/owner")
def overview(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """Throughput, agreement, disagreements, and how readers' answers were scored."""
    require_role(session, "owner")
    stats = review_stats(pages.desk.engine)
    counts = {state: number for state, number in stats.states.items() if state != "stale"}
    return pages.page(
        request,
        "owner.html",
        session,
        stats=stats,
        counts=counts,
        scores=pages.content.scores(),
        accounts=pages.desk.reviewers(),
    )


@router.post("/owner/people")
def set_access(pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Shut a reviewer out, or let them in again; what they did stays.

    Raises:
        UsageError: Nobody has this name, or it is their own, or the last owner's.
    """
    require_role(session, "owner")
    out = form.get("how") == "out"
    pages.desk.shut_out(form.get("name", ""), session.reviewer, disabled=out)
    return RedirectResponse("/owner#accounts", 303)


@router.get("/owner/log")
def log(pages: Pages, session: LoggedIn) -> Response:
    """The whole log, a JSON object a line."""
    require_role(session, "owner")
    lines = "".join(f"{json.dumps(row, sort_keys=True)}\n" for row in audit_log(pages.desk.engine))
    headers = {"Content-Disposition": 'attachment; filename="review-log.jsonl"'}
    return PlainTextResponse(lines, media_type="application/x-ndjson", headers=headers)
