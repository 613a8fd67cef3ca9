"""What reviewers send: drafts, votes with edits, skips, and taking the last vote back."""

from dataclasses import replace
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.forms import FieldError, changes_of, field_at, limit_text, patch_of
from memassay.annotation.pages.security import require_role, say_saved
from memassay.annotation.pages.shared import FormFields, LoggedIn, Pages, ReviewPages, onward
from memassay.annotation.voting.drafts import require_seen
from memassay.annotation.voting.rows import PROPOSAL
from memassay.annotation.voting.shapes import Change, Vote
from memassay.annotation.web.assignments import answer_of
from memassay.annotation.web.items import WRONG, blind_answer, shown_history
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.judgements.review import JudgedField, ReasonCode, Ruling

router = APIRouter()
_LONGEST: Final = 2000
"""Characters of a comment."""
_LONGEST_ANSWER: Final = 500
"""Characters of an answer given before the gold is shown."""
_LONGEST_NOTE: Final = 200
"""Characters of a note to an adjudicator; they are kept in the log."""
_LONGEST_PAGE: Final = 40
"""Characters of the name that a page gives itself."""
_DAY_SECONDS: Final = 86400.0


@router.post("/item/{item}/draft")
def draft(item: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Keep what is written so far; gives its revision, which the page sends the next time.

    Raises:
        DraftChanged: Another page of theirs has saved one since.
        UsageError: There is no such item.
    """
    pages.content.queue.head(item)
    seen = form.pop("seen", None)
    kept = {name: form[name] for name in form if name != "blind"}
    return JSONResponse(
        {"seen": pages.desk.save_draft(item, session.reviewer, kept, seen).revision}
    )


@router.post("/item/{item}/blind")
def answer_blind(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """Take an answer that was given before the gold was shown.

    Raises:
        UsageError: There is no such item, or they say nothing.
    """
    pages.content.queue.head(item)
    answer = limit_text(form, "blind", _LONGEST_ANSWER)
    if not answer:
        raise UsageError("blind: expected your answer; if the history does not say, write that")
    known = pages.desk.draft(item, session.reviewer)
    document = {**known.document, "blind": answer}
    pages.desk.save_draft(item, session.reviewer, document, known.revision)
    return onward(request, f"/item/{item}")


@router.post("/item/{item}/heartbeat")
def heartbeat(item: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Hold an item for longer.

    Raises:
        LeaseExpired: The lease ran out, and somebody else has it by now.
    """
    return JSONResponse({"until": pages.hold(item, session.reviewer, _page(form)).until})


@router.post("/item/{item}/release")
def release(item: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Let go of an item whose last page is left; what was leased again since stays.

    Without the end of a lease, the page is left for another one of its item.
    """
    if "until" not in form:
        pages.desk.close_page(item, session.reviewer, _page(form))
        return Response(status_code=204)
    try:
        pages.desk.give_back(item, session.reviewer, float(form["until"]), _page(form))
    except ValueError:
        raise HTTPException(400, "until: expected the end of your lease") from None
    return Response(status_code=204)


def _page(form: dict[str, str]) -> str:
    return form.get("page", "")[:_LONGEST_PAGE]


@router.post("/item/{item}/check")
def check(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """What an edit changes, and what the rules say of it."""
    content = shown_history(pages, item, session)
    if content.question is None:
        raise HTTPException(400, "Only questions can be edited here, and after a blind answer.")
    try:
        patch = patch_of(content.question, form)
        findings, stale = pages.content.edits.problems(item, patch) if patch else ((), ())
    except UsageError as error:
        return pages.page(request, "_message.html", session, message=str(error))
    return pages.page(
        request,
        "_check.html",
        session,
        changes=changes_of(content.question, form),
        findings=findings,
        stale=stale,
        cost=pages.content.edits.rebuild_cost(item, stale) if stale else None,
    )


@router.post("/item/{item}/vote")
def vote(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """Take a vote, with its edit, and go on to the next item."""
    head = pages.content.queue.head(item)
    require_seen(item, pages.desk.draft(item, session.reviewer), form, form.pop("seen", None))
    answer = answer_of(pages, head, session.reviewer, form)
    form["blind"] = blind_answer(pages, head, session)
    # Choosing and scoring are one key each: an answer alone is an acceptance.
    cast = replace(_vote(pages, item, _with_ruling(form)), answer=answer)
    ticket = f"{session.reviewer[:30]} {item} {form.get('ticket', '')}"[:80]
    owner = head.kind == PROPOSAL and session.role == "owner"
    if head.state == "disputed" or owner:
        require_role(session, "adjudicator", "owner")
        pages.desk.adjudicate(item, session.reviewer, ticket, cast, owner=owner)
    else:
        pages.desk.submit(item, session.reviewer, ticket, cast)
    forward = onward(request, "/disputes" if head.state == "disputed" else "/next")
    say_saved(forward, item)
    return forward


def _with_ruling(form: dict[str, str]) -> dict[str, str]:
    return {"ruling": str(Ruling.ACCEPT), **form} if form.get("answer") else form


def _vote(pages: ReviewPages, item: str, form: dict[str, str]) -> Vote:
    """The vote that a form means.

    Raises:
        UsageError: It says no ruling or reason, or its edit breaks a rule.
    """
    if form.get("ruling") not in set(Ruling):
        raise UsageError(f"ruling: expected {' or '.join(Ruling)}, got {form.get('ruling')!r}")
    ruling = Ruling(form["ruling"])
    patch = []
    if ruling is Ruling.ACCEPT:
        content = pages.item(item)
        question = content.question if isinstance(content, ItemContent) else None
        patch = patch_of(question, form) if question else []
    return Vote(
        ruling=ruling,
        reason=_reason(ruling, form.get("reason", ""), edited=bool(patch)),
        comment=_comment(form),
        edits=(_change(pages, item, patch),) if patch else (),
        seconds=_seconds(form.get("seconds", "")),
        wrong_fields=tuple(field for field in JudgedField if form.get(f"wrong_{field}")),
    )


def _change(pages: ReviewPages, item: str, patch: list[dict[str, Any]]) -> Change:
    """The edit that a patch is.

    Raises:
        UsageError: It will not do; of a rule's error, the field that it is about is named.
    """
    try:
        return pages.content.edits.change(item, patch)
    except UsageError as error:
        findings, _ = pages.content.edits.problems(item, patch)
        wrong = [field_at(one.pointer) for one in findings if one.severity is Severity.ERROR]
        raise FieldError(next(iter(wrong), ""), str(error)) from error


def _reason(ruling: Ruling, given: str, *, edited: bool) -> ReasonCode:
    """The reason of a ruling; accepting needs none of its own.

    Raises:
        UsageError: A rejection without one.
    """
    if ruling is Ruling.ACCEPT:
        return ReasonCode.CORRECT_AFTER_EDIT if edited else ReasonCode.CORRECT
    if given not in WRONG:
        raise UsageError(f"reason: expected one of {', '.join(WRONG)}, got {given!r}")
    return ReasonCode(given)


def _comment(form: dict[str, str]) -> str:
    blind = form.get("blind", "")
    comment = limit_text(form, "comment", _LONGEST)
    return f"{comment} [answered blind: {blind}]".strip() if blind else comment


def _seconds(given: str) -> float:
    """How long somebody looked, at most a day; nothing that a browser sends can break a sum."""
    return min(float(given), _DAY_SECONDS) if given.isdecimal() else 0.0


@router.post("/item/{item}/skip")
def skip(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """Pass an item over, or hand it to an adjudicator with a note."""
    if form.get("how") == "escalate":
        note = limit_text(form, "comment", _LONGEST_NOTE)
        pages.desk.skip(item, session.reviewer, "escalated", note)
    else:
        # Passed over, nothing of it is handed on: what was typed stays in the draft.
        pages.desk.skip(item, session.reviewer, "skipped", "")
    answer = onward(request)
    say_saved(answer, "")
    return answer


@router.post("/undo")
def undo(pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Take the last vote back and open its item again."""
    del form
    item = pages.desk.undo(session.reviewer)
    answer = RedirectResponse("/" if item is None else f"/item/{item}", 303)
    say_saved(answer, "")
    return answer
