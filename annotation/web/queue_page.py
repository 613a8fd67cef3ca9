"""The pages of the queue: the list with its filters, the next item, many accepted at once."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.measures.progress import left_for
from memassay.annotation.pages.content import ItemHead
from memassay.annotation.pages.forms import number_of
from memassay.annotation.pages.security import Session, require_role, same
from memassay.annotation.pages.shared import (
    FILTERS,
    FormFields,
    LoggedIn,
    Pages,
    ReviewPages,
    filters_of,
    onward,
)
from memassay.annotation.voting.adjudication import barred_items
from memassay.annotation.voting.rows import ASSIGNMENT, PROPOSAL
from memassay.annotation.voting.shapes import Vote
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import parse_place
from memassay.schemas.judgements.review import ReasonCode, Ruling

router = APIRouter()
_PAGE = 50
_AT_ONCE = 200
"""Items that are accepted at once at most."""


@router.get("/")
def queue(request: Request, pages: Pages, session: LoggedIn, after: str = "") -> Response:
    """What waits, narrowed as the address says."""
    return _list_page(request, pages, session, "open", after)


@router.get("/disputes")
def disputes(request: Request, pages: Pages, session: LoggedIn, after: str = "") -> Response:
    """What reviewers differ on; for those who decide it."""
    require_role(session, "adjudicator", "owner")
    return _list_page(request, pages, session, "disputed", after)


def _list_page(
    request: Request, pages: ReviewPages, session: Session, state: str, after: str
) -> Response:
    filters = filters_of(request)
    rows = pages.content.queue.page({"state": state, **filters}, _place(after), _PAGE)
    more = f"{rows[-1].priority}.{rows[-1].position}" if len(rows) == _PAGE else None
    return pages.page(
        request,
        "queue.html",
        session,
        rows=rows,
        counts=pages.counts(),
        facets=pages.content.queue.facets(state),
        names=FILTERS,
        filters=filters,
        state=state,
        after=more,
        query=urlencode(filters),
        barred=_barred_items(pages, session, rows) if state == "disputed" else frozenset(),
    )


def _barred_items(pages: ReviewPages, session: Session, rows: Sequence[ItemHead]) -> frozenset[str]:
    """Disputes that a reviewer may not decide: they voted, and somebody else can."""
    with pages.desk.engine.connect().execution_options(reading=True) as connection:
        return barred_items(connection, [row.item for row in rows], session.reviewer)


def _place(after: str) -> tuple[int, int]:
    """A place in the order of the queue, from the address; the beginning if it is none."""
    first, _, second = after.partition(".")
    place = number_of(first), number_of(second)
    return (-1, -1) if place[0] is None or place[1] is None else (place[0], place[1])


@router.get("/next")
def next_item(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """The first item that needs this reviewer's vote."""
    lease = pages.desk.next_item(session.reviewer, filters_of(request))
    if lease is None:
        left = left_for(
            pages.desk.engine, session.reviewer, pages.desk.skip_count(session.reviewer)
        )
        counts = pages.content.queue.counts()
        return pages.page(request, "done.html", session, counts=counts, left=left)
    return onward(request, f"/item/{lease.item}")


@router.get("/after/{item}")
def item_after(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """The next item in the order of the queue that this reviewer may open."""
    return _neighbour(request, item, pages, session, forward=True)


@router.get("/before/{item}")
def item_before(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """The item before, in the order of the queue, that this reviewer may open."""
    return _neighbour(request, item, pages, session, forward=False)


def _neighbour(
    request: Request, item: str, pages: ReviewPages, session: Session, *, forward: bool
) -> Response:
    head, filters = pages.content.queue.head(item), filters_of(request)
    found = pages.content.queue.neighbour(head, session.reviewer, filters, forward=forward)
    if found is not None:
        return onward(request, f"/item/{found}")
    where = "after" if forward else "before"
    message = f"No item {where} this one waits for you{' in this view' if filters else ''}."
    back = f"/item/{item}?{urlencode(filters)}" if filters else f"/item/{item}"
    return pages.page(
        request, "message.html", session, message=message, title="No more items", back=back
    )


@router.get("/go")
def go_to(
    pages: Pages, session: LoggedIn, name: Annotated[str, Query(alias="id")] = "", item: str = ""
) -> Response:
    """The item of an id or of a record, or a place in the history of the item one comes from.

    Raises:
        HTTPException: 404 if there is none.
    """
    name = name.strip()
    head = pages.content.queue.find_named(name)
    if head is not None:
        sees = head.state == "decided" and session.role != "annotator"
        return RedirectResponse(f"/item/{head.item}{'/voted' if sees else ''}", 303)
    if item and parse_place(name) is not None:
        return RedirectResponse(f"/item/{quote(item, safe='')}#{quote(name)}", 303)
    raise HTTPException(404, f"Expected the id of an item or a record of the queue, got {name!r}.")


@router.post("/skipped")
def offer_skipped(request: Request, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Offer again what this reviewer has skipped."""
    del form
    pages.desk.offer_skipped(session.reviewer)
    return onward(request)


@router.get("/bulk")
def bulk(request: Request, pages: Pages, session: LoggedIn) -> Response:
    """What accepting at once would accept."""
    require_role(session, "adjudicator", "owner")
    filters, rows = _alike(request, pages)
    return pages.page(
        request,
        "bulk.html",
        session,
        rows=rows,
        filters=filters,
        query=urlencode(filters),
        seal=_seal(session, [row.item for row in rows]),
        counts=pages.counts(),
    )


@router.post("/bulk")
def bulk_accept(request: Request, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Accept exactly what the preview showed.

    Raises:
        HTTPException: 409 if the queue has changed since.
    """
    require_role(session, "adjudicator", "owner")
    _, rows = _alike(request, pages)
    items = [row.item for row in rows]
    if not same(_seal(session, items), form.get("seal", "")):
        raise HTTPException(409, "The queue has changed since the preview. Look at it again.")
    vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT, "accepted with others of the same reason")
    passed_over = []
    for item in items:
        try:
            pages.desk.open_item(item, session.reviewer)
            pages.desk.submit(item, session.reviewer, secrets.token_urlsafe(24), vote)
        except UsageError:
            # Somebody else has it in hand, or this reviewer has voted on it already.
            passed_over.append(item)
    if not passed_over:
        return RedirectResponse("/", 303)
    message = (
        f"{len(items) - len(passed_over)} accepted. {len(passed_over)} passed over: in somebody "
        "else's hands, or you have voted on them."
    )
    return pages.page(request, "message.html", session, message=message, title="Accepted")


def _alike(request: Request, pages: ReviewPages) -> tuple[dict[str, str], list[ItemHead]]:
    """Items of one identical reason: the same reason, rules and stage.

    Raises:
        HTTPException: 400 if no reason is given, or it is that of errors.
    """
    filters = filters_of(request)
    if filters.get("reason") in (None, "error"):
        raise HTTPException(400, "Choose one reason first; errors are accepted one by one.")
    rows = pages.content.queue.page({"state": "open", **filters}, (-1, -1), _AT_ONCE)
    if not rows:
        return filters, []
    first = (rows[0].gate, rows[0].rules)
    alike = [row for row in rows if (row.gate, row.rules) == first]
    # An assignment is answered, not accepted; an edit of a history is looked at by itself.
    return filters, [row for row in alike if row.kind not in (ASSIGNMENT, PROPOSAL)]


def _seal(session: Session, items: list[str]) -> str:
    """What a preview showed, sealed with the session."""
    return hmac.new(session.csrf.encode(), "\x1f".join(items).encode(), hashlib.sha256).hexdigest()
