"""The pages of an item: what is asked, the history behind it, its images."""

from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from memassay.annotation.web_content import TimelineContent
from memassay.annotation.web_pages import Logged, Pages, ReviewPages
from memassay.annotation.web_security import Session, just_saved, require_role
from memassay.annotation.web_views import found_rounds, session_rounds, view_of
from memassay.schemas.errors import UsageError
from memassay.schemas.review import ReasonCode

router = APIRouter()
RIGHT: Final = (ReasonCode.CORRECT, ReasonCode.CORRECT_AFTER_EDIT)
WRONG: Final = tuple(code for code in ReasonCode if code not in RIGHT)


@router.get("/item/{item}")
def item_page(request: Request, item: str, pages: Pages, session: Logged) -> Response:
    """An item to decide, leased by opening it."""
    content = pages.item(item)
    disputed = content.head.state == "disputed"
    if disputed:
        require_role(session, "adjudicator", "owner")
    else:
        pages.desk.open_item(item, session.reviewer)
    draft = pages.desk.draft(item, session.reviewer) or {}
    values = {
        "head": content.head,
        "findings": content.findings,
        "draft": draft,
        "votes": pages.desk.votes(item, session.reviewer, adjudicates=True) if disputed else [],
        "disputed": disputed,
        "wrong": WRONG,
        "guidelines": pages.guidelines(content.head.type),
        "query": request.url.query,
        "counts": pages.counts(),
        "last": just_saved(request),
    }
    if isinstance(content, TimelineContent):
        return pages.page(request, "timeline.html", session, timeline=content, **values)
    question = content.question
    blind = question is not None and not disputed and pages.is_blind(item, session.reviewer)
    return pages.page(
        request,
        "item.html",
        session,
        view=view_of(content),
        blind=blind and not draft.get("blind"),
        **values,
    )


@router.get("/item/{item}/session/{name}")
def session_page(request: Request, item: str, name: str, pages: Pages, session: Logged) -> Response:
    """All rounds of a session, for when it is unfolded."""
    rounds = session_rounds(pages.history(item), name)
    return pages.page(request, "_rounds.html", session, rounds=rounds, item=item, found=False)


@router.get("/item/{item}/search")
def search(request: Request, item: str, pages: Pages, session: Logged, words: str = "") -> Response:
    """Rounds that hold all words."""
    rounds = found_rounds(pages.history(item), words[:200])
    return pages.page(request, "_rounds.html", session, rounds=rounds, item=item, found=True)


@router.get("/item/{item}/image/{attachment}")
def image(item: str, attachment: str, pages: Pages, session: Logged) -> Response:
    """The bytes of an image that the item shows."""
    del session
    try:
        data, media_type = pages.content.image(item, attachment)
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    headers = {"Cache-Control": "private, max-age=86400", "Content-Disposition": "inline"}
    return Response(data, media_type=media_type, headers=headers)


@router.get("/item/{item}/voted")
def voted(request: Request, item: str, pages: Pages, session: Logged) -> Response:
    """Votes, certificate and probes, for those who have voted."""
    votes = pages.desk.votes(item, session.reviewer, adjudicates=_may_see_all(pages, item, session))
    return pages.page(
        request,
        "voted.html",
        session,
        content=pages.item(item),
        votes=votes,
        counts=pages.counts(),
    )


def _may_see_all(pages: ReviewPages, item: str, session: Session) -> bool:
    """Whether somebody sees votes without one of their own: once nobody can be swayed by it."""
    state = pages.content.head(item).state
    return session.role in ("adjudicator", "owner") and state in ("disputed", "decided")
