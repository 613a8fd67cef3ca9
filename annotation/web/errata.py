"""Errors that reviewers report in items which are released already."""

import shlex

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.forms import FieldError, limit_text
from memassay.annotation.pages.security import Session
from memassay.annotation.pages.shared import FormFields, LoggedIn, Pages, ReviewPages
from memassay.annotation.web.items import hides_gold, released_values
from memassay.schemas.errors import UsageError

router = APIRouter()
_LONGEST = 2000
"""Characters of what is wrong."""


@router.get("/item/{item}/errata")
def errata(
    request: Request, item: str, pages: Pages, session: LoggedIn, added: str = ""
) -> Response:
    """What is reported of a released item, and the form to report more."""
    return _page(request, item, pages, session, added=added)


@router.post("/item/{item}/errata")
def report(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """Report an error in the newest release that holds an item; what is refused comes back."""
    if hides_gold(pages, pages.item(item), session):
        return RedirectResponse(f"/item/{item}", 303)
    try:
        problem = limit_text(form, "problem", _LONGEST)
        if not problem:
            raise FieldError("problem", "problem: expected what is wrong, got none; say it")
        added = pages.content.errata.report(item, problem, session.reviewer)
    except UsageError as error:
        given = form.get("problem", "")
        answer = _page(request, item, pages, session, problem=given, refused=str(error))
        answer.status_code = 400
        return answer
    return RedirectResponse(f"/item/{item}/errata?added={added.id}", 303)


def _page(
    request: Request,
    item: str,
    pages: ReviewPages,
    session: Session,
    added: str = "",
    problem: str = "",
    refused: str = "",
) -> Response:
    content = pages.item(item)
    if hides_gold(pages, content, session):
        return RedirectResponse(f"/item/{item}", 303)
    values = released_values(pages, content, session)
    if not values:
        raise HTTPException(404, f"review item {item}: no release of this workspace holds it")
    return pages.page(
        request,
        "errata.html",
        session,
        head=content.head,
        item=item,
        opened=True,
        added=next((one for one in values["reported"] if one.id == added), None),
        quoted=shlex.quote(str(values["released"].file)),
        problem=problem,
        refused=refused,
        counts=pages.counts(),
        **values,
    )
