"""The pages of an item: what is asked, the history behind it, its images."""

import secrets
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.content import (
    AssignmentContent,
    Content,
    ItemContent,
    ItemHead,
    ProposalContent,
    TimelineContent,
)
from memassay.annotation.pages.pictures import Pictures
from memassay.annotation.pages.security import Session, just_saved, require_role, say_saved
from memassay.annotation.pages.shared import LoggedIn, Pages, ReviewPages, image_response
from memassay.annotation.pages.timeline import timeline_view
from memassay.annotation.pages.views import (
    found_rounds,
    gold_images,
    question_images,
    session_rounds,
    tells_points,
    view_of,
    without_question,
)
from memassay.annotation.voting.adjudication import require_third
from memassay.annotation.web.assignments import answer_names, assignment_values
from memassay.annotation.web.proposals import proposal_values, require_waiting
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.erratum import ErratumStatus
from memassay.schemas.judgements.review import ReasonCode

router = APIRouter()
RIGHT: Final = (ReasonCode.CORRECT, ReasonCode.CORRECT_AFTER_EDIT)
WRONG: Final = tuple(code for code in ReasonCode if code not in RIGHT)
ZOOMS: Final = (50, 75, 100, 150, 200, 300)
"""How large a page can be shown, in hundredths of the width of the window."""


@router.get("/item/{item}")
def item_page(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """An item to decide, leased by opening it; a note about the item saved before is shown once."""
    last = just_saved(request)
    try:
        answer = _shown_item(request, item, pages, session, last)
    except (UsageError, HTTPException):
        if not pages.desk.has_voted(item, session.reviewer):
            raise
        # The way back of a browser leads here: their vote is shown, with Undo above it.
        return RedirectResponse(f"/item/{item}/voted", 303)
    if last:
        say_saved(answer, "")
    return answer


def _shown_item(
    request: Request, item: str, pages: ReviewPages, session: Session, last: str
) -> Response:
    content = pages.item(item)
    disputed = content.head.state == "disputed"
    lease = None
    if isinstance(content, ProposalContent) and session.role == "owner":
        require_waiting(content.head)
    elif disputed:
        require_role(session, "adjudicator", "owner")
        with pages.desk.engine.connect().execution_options(reading=True) as connection:
            require_third(connection, item, session.reviewer)
    else:
        lease = pages.desk.open_item(item, session.reviewer)
    kept = pages.desk.draft(item, session.reviewer)
    draft = kept.document
    values: dict[str, Any] = {
        "head": content.head,
        "findings": content.findings,
        "draft": draft,
        "seen": kept.revision,
        "votes": pages.desk.votes(item, session.reviewer, adjudicates=True) if disputed else [],
        "disputed": disputed,
        "wrong": WRONG,
        "guidelines": pages.guidelines(content.head.type),
        "query": request.url.query,
        "counts": pages.counts(),
        "last": last,
        "ticket": secrets.token_urlsafe(18),
        "until": lease.until if lease else None,
    }
    if isinstance(content, AssignmentContent):
        own = assignment_values(content, session.reviewer)
        own["answers"] = answer_names(values["votes"], own["choices"])
        return pages.page(request, "assignment.html", session, **values, **own)
    if isinstance(content, ProposalContent):
        return pages.page(
            request, "proposal.html", session, **values, **proposal_values(pages, content, session)
        )
    if isinstance(content, TimelineContent):
        shown = timeline_view(content)
        return pages.page(
            request, "timeline.html", session, timeline=content, shown=shown, **values
        )
    asks = content.question is not None and not disputed
    blind = asks and pages.is_blind(item, session.reviewer) and not draft.get("blind")
    return pages.page(
        request,
        "item.html",
        session,
        view=view_of(without_question(content) if blind else content),
        question=content.question,
        images=question_images(content),
        gold=gold_images(content),
        blind=blind,
        edited=pages.content.editing.allows_edits(item),
        joined=len(pages.content.clusters.alterations(item)),
        pointed=tells_points(content.bundle),
        **({} if blind else released_values(pages, content, session)),
        **values,
    )


def released_values(pages: ReviewPages, content: Content, session: Session) -> dict[str, Any]:
    """What a page shows of the errata of its item; nothing if no release holds the item.

    What others report is shown after one's own vote, as their votes are.
    """
    if not isinstance(content, ItemContent) or content.question is None:
        return {}
    head = content.head
    released = pages.content.errata.of(head.item)
    if released is None:
        return {}
    sees_all = _may_see_all(head, session) or pages.desk.has_voted(head.item, session.reviewer)
    reported = [
        one
        for one in released.errata
        if sees_all or one.reporter == session.reviewer or one.status != ErratumStatus.REPORTED
    ]
    unshown = len(released.errata) - len(reported)
    return {"released": released, "reported": reported, "unshown": unshown}


def shown_history(pages: ReviewPages, item: str, session: Session) -> ItemContent:
    """The history of an item; without its question, while that is to be answered blind."""
    content = pages.history(item)
    hidden = content.head.kind == "question" and hides_gold(pages, content, session)
    return without_question(content) if hidden else content


def hides_gold(pages: ReviewPages, content: Content, session: Session) -> bool:
    """Whether somebody has yet to answer an item's question before they see its gold.

    Controls and repeats are decided already, and are as blind as any other; a dispute is open
    to those who decide it.
    """
    item = content.head.item
    if not isinstance(content, ItemContent) or content.question is None:
        return False
    if not pages.is_blind(item, session.reviewer) or _may_see_all(content.head, session):
        return False
    draft = pages.desk.draft(item, session.reviewer).document
    return not draft.get("blind") and not pages.desk.has_voted(item, session.reviewer)


def blind_answer(pages: ReviewPages, head: ItemHead, session: Session) -> str:
    """The answer that somebody gave before they saw the gold; empty where none was asked for.

    Raises:
        UsageError: They have yet to give it.
    """
    asked = head.kind == "question" and head.state != "disputed"
    if not asked or not pages.is_blind(head.item, session.reviewer):
        return ""
    draft = pages.desk.draft(head.item, session.reviewer).document
    if draft.get("blind"):
        return str(draft["blind"])
    # A vote that is sent once more has taken its draft along.
    if pages.desk.has_voted(head.item, session.reviewer):
        return ""
    raise UsageError(
        f"review item {head.item}: expected your own answer to its question first; gold and "
        "evidence are shown after it, and your vote is taken then"
    )


@router.get("/item/{item}/session/{name}")
def session_page(
    request: Request, item: str, name: str, pages: Pages, session: LoggedIn
) -> Response:
    """All rounds of a session, for when it is unfolded."""
    rounds = session_rounds(shown_history(pages, item, session), name)
    return pages.page(request, "_rounds.html", session, rounds=rounds, item=item, found=None)


@router.get("/item/{item}/search")
def search(
    request: Request, item: str, pages: Pages, session: LoggedIn, words: str = ""
) -> Response:
    """Rounds that hold all words."""
    found = found_rounds(shown_history(pages, item, session), words[:200])
    values = {"rounds": found.rounds, "item": item, "found": found}
    return pages.page(request, "_rounds.html", session, **values)


@router.get("/item/{item}/page/{attachment}")
def leaf_page(
    request: Request, item: str, attachment: str, pages: Pages, session: LoggedIn, zoom: int = 100
) -> Response:
    """A picture or a page of a document by itself, with where the evidence is on it."""
    content = shown_history(pages, item, session)
    leaf = Pictures(content.bundle, content.question, content.cited).leaf(attachment)
    if leaf is None:
        raise HTTPException(404, f"review item {item}: shows no picture {attachment!r}")
    at = min(range(len(ZOOMS)), key=lambda position: abs(ZOOMS[position] - zoom))
    values = {
        "item": item,
        "leaf": leaf,
        "zoom": ZOOMS[at],
        "smaller": ZOOMS[max(at - 1, 0)],
        "larger": ZOOMS[min(at + 1, len(ZOOMS) - 1)],
        "until": pages.desk.held_until(item, session.reviewer),
        "counts": pages.counts(),
    }
    return pages.page(request, "leaf.html", session, **values)


@router.get("/item/{item}/image/{attachment}")
def image(item: str, attachment: str, pages: Pages, session: LoggedIn) -> Response:
    """The bytes of an image that the item shows."""
    del session
    return image_response(lambda: pages.content.items.image(item, attachment))


@router.get("/item/{item}/voted")
def votes_page(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """Votes, certificate and probes, for those who have voted."""
    content = pages.item(item)
    may = _may_see_all(content.head, session)
    votes = pages.desk.votes(item, session.reviewer, adjudicates=may)
    values = {"content": content, "votes": votes, "counts": pages.counts()}
    if isinstance(content, AssignmentContent):
        own = assignment_values(content, session.reviewer)
        own["answers"] = answer_names(votes, own["choices"])
        # Who may decide a dispute is shown its votes before, and is to be blind to authors still.
        voted_on = any(vote["reviewer"] == session.reviewer for vote in votes)
        own["named"] = voted_on or content.head.state == "decided"
        return pages.page(request, "assignment_voted.html", session, **values, **own)
    values |= released_values(pages, content, session)
    return pages.page(request, "voted.html", session, item=item, **values)


def _may_see_all(head: ItemHead, session: Session) -> bool:
    """Whether somebody sees votes without one of their own: once nobody can be swayed by it."""
    return session.role in ("adjudicator", "owner") and head.state in ("disputed", "decided")
