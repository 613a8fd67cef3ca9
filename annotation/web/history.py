"""The pages on which people change a history: a turn, a redaction, an image, the sessions."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.forms import limit_text, number_of, word_changes
from memassay.annotation.pages.history_content import HistoryRecord, ProposedEdit
from memassay.annotation.pages.security import Session, by_script
from memassay.annotation.pages.shared import (
    FormFields,
    LoggedIn,
    Pages,
    ReviewPages,
    SentImage,
    image_response,
)
from memassay.annotation.pages.views import view_of
from memassay.annotation.voting.shapes import LeaseExpired
from memassay.annotation.web.items import hides_gold
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session as Sitting
from memassay.schemas.records.conversation import Turn

router = APIRouter()
TITLES: Final = {
    "edit_turn": ("Edit", ""),
    "redact": ("Redact words of", ""),
    "place_image": ("Place an image at", ""),
    "remove_image": ("Remove", ""),
    "move_image": ("Move", "to another turn"),
    "merge_sessions": ("Merge", "with the session before"),
    "split_session": ("Begin a new session with", ""),
    "move_session": ("Move", ""),
    "move_round": ("Move", ""),
}
"""What can be done, as it is written over the form before and behind the place."""
_LONGEST: Final = 2000


@dataclass(frozen=True)
class Chosen:
    """What somebody is about to do.

    Attributes:
        op: Name of the operation.
        place: The place that they chose.
        turn: Its turn, where it is one.
        session: The session that it lies in.
        between: Dates of the sessions around the place, or around where it would go.
        form: What they have filled in so far.
    """

    op: str
    place: str
    turn: Turn | None
    session: Sitting
    between: tuple[str, str]
    form: Mapping[str, str]


@router.get("/item/{item}/history")
def history_page(
    request: Request, item: str, pages: Pages, session: LoggedIn, saved: str = "", opened: str = ""
) -> Response:
    """A history with what can be done to it; a form beside it once something is chosen."""
    if hides_gold(pages, pages.item(item), session):
        return RedirectResponse(f"/item/{item}", 303)
    _require_right(pages, item, session)
    return _page(request, item, pages, session, dict(request.query_params), opened, saved[:40])


@router.get("/item/{item}/history/session/{name}")
def session_part(
    request: Request, item: str, name: str, pages: Pages, session: LoggedIn
) -> Response:
    """The rounds of a session, for when it is unfolded."""
    _require_right(pages, item, session)
    history = _history(pages, item)
    shown = history.bundle.session_by_id.get(name)
    if shown is None:
        raise HTTPException(404, f"{history.bundle.id}: no session {name[:20]!r}")
    values = {"item": item, "sitting": shown, **_beside(history)}
    values["edited"] = pages.content.editing.allows_edits(item)
    return pages.page(request, "_history_rounds.html", session, **values)


@router.get("/item/{item}/history/form")
def form_part(request: Request, item: str, pages: Pages, session: LoggedIn) -> Response:
    """The form for what was chosen."""
    _require_right(pages, item, session)
    history = _history(pages, item)
    chosen = _read_choice(history.bundle, dict(request.query_params))
    return pages.page(
        request, "_history_form.html", session, item=item, chosen=chosen, **_beside(history)
    )


@router.post("/item/{item}/history/check")
def check(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """What a change would do."""
    _require_right(pages, item, session)
    bundle = _history(pages, item).bundle
    missing = _missing(bundle, form)
    if missing:
        return pages.page(request, "_history_check.html", session, missing=missing)
    try:
        preview = pages.content.editing.preview(item, operation_of(bundle, form))
    except UsageError as error:
        return pages.page(request, "_message.html", session, message=str(error))
    stages = list(preview.stages)
    return pages.page(
        request,
        "_history_check.html",
        session,
        preview=preview,
        # Why a question is held tells its gold; others are to answer it before they see that.
        sees_all=_sees_all(session),
        owner=session.role == "owner",
        texts=[(place, word_changes(old, new)) for place, old, new in preview.texts],
        stale=stages,
        cost=pages.content.edits.rebuild_cost(item, stages) if stages else None,
    )


@router.post("/item/{item}/history")
def save(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields
) -> Response:
    """Propose an edit; what cannot be done comes back with the form as it was."""
    _require_right(pages, item, session)
    bundle = _history(pages, item).bundle
    try:
        comment = limit_text(form, "comment", _LONGEST)
        operation = operation_of(bundle, form)
        base = form.get("base", "")
        # What was done is read beside the words of who did it, wherever they are shown.
        done = f"{form.get('op', '').replace('_', ' ')} {form.get('place', '')}"
        noted = f"{comment} [{done}]".strip()
        owner = session.role == "owner"
        editing = pages.content.editing
        name = editing.propose(item, operation, base, session.reviewer, noted, owner=owner)
    except UsageError as error:
        if by_script(request):
            raise
        answer = _page(request, item, pages, session, form, "", "", str(error))
        answer.status_code = 400
        return answer
    where = form.get("place", "").partition(":")[0]
    return RedirectResponse(f"/item/{item}/history?saved={name}&opened={where}", 303)


@router.post("/item/{item}/history/image")
def bring_image(
    request: Request, item: str, pages: Pages, session: LoggedIn, form: FormFields, image: SentImage
) -> Response:
    """Take in an image of the reviewer's own, to be placed then.

    Raises:
        HTTPException: 400 if none is sent.
        UsageError: It is no image or too large a one, or its licence is none.
    """
    del form
    _require_right(pages, item, session)
    if image is None:
        raise HTTPException(400, "image: expected a file, got none; choose one first")
    asset = pages.content.editing.bring(item, image)
    values = {"item": item, "asset": asset, "picked": True}
    answer = pages.page(request, "_history_asset.html", session, **values)
    answer.headers["HX-Trigger-After-Settle"] = "brought"
    return answer


@router.post("/item/{item}/history/back")
def take_back(item: str, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Withdraw a proposal, or, as an owner, take the latest change back.

    Raises:
        UsageError: It is somebody else's, or not the latest, or not theirs to take back.
    """
    _require_right(pages, item, session)
    owner, name = session.role == "owner", form.get("name", "")
    pages.content.editing.take_back(item, name, session.reviewer, owner=owner)
    return RedirectResponse(f"/item/{item}/history", 303)


@router.get("/item/{item}/history/asset/{name}")
def asset(item: str, name: str, pages: Pages, session: LoggedIn) -> Response:
    """The bytes of an image or page that belongs to the conversation, shown or not.

    Raises:
        UsageError: Not for this reviewer, who may not change the history.
    """
    _require_right(pages, item, session)
    return image_response(lambda: pages.content.editing.asset(item, name))


def operation_of(bundle: Bundle, form: Mapping[str, str]) -> dict[str, Any]:
    """The operation that a filled form means.

    Raises:
        UsageError: A number is none, or the words to redact are not in the turn.
    """
    op, place = form.get("op", ""), form.get("place", "")
    date = form.get("date", "").strip() or None
    match op:
        case "edit_turn":
            return {"op": op, "turn": place, "text": form.get("text", "").replace("\r\n", "\n")}
        case "redact":
            return {"op": op, "turn": place, **_span(bundle, place, form)}
        case "place_image":
            caption = form.get("caption", "").strip() or None
            return {"op": op, "turn": place, "asset": form.get("asset", ""), "caption": caption}
        case "move_image":
            return {"op": op, "attachment": place, "turn": form.get("turn", "").strip()}
        case "split_session":
            return {"op": op, "round": place, "date": date}
        case "move_session":
            return {"op": op, "session": place, "position": _position(form), "date": date}
        case "move_round":
            session = form.get("session", "").strip()
            return {"op": op, "round": place, "session": session, "position": _position(form)}
        case "remove_image":
            return {"op": op, "attachment": place}
        case _:
            return {"op": op, "session": place}


def _missing(bundle: Bundle, form: Mapping[str, str]) -> str:
    """What somebody has still to do before there is anything to look at; nothing once there is."""
    turn = bundle.turn_by_id.get(form.get("place", ""))
    text = form.get("text", "").replace("\r\n", "\n")
    match form.get("op", ""):
        case "redact" if not form.get("words"):
            return "Select the words that go."
        case "place_image" if not form.get("asset"):
            return "Choose an image."
        case "move_image" if not form.get("turn", "").strip():
            return "Name the turn that shows it then."
        case "edit_turn" if turn is not None and text == turn.text:
            return "Nothing is changed yet."
    return ""


def _position(form: Mapping[str, str]) -> int:
    given = form.get("position", "").strip()
    number = number_of(given)
    if number is None:
        raise UsageError(f"position: expected a number from 1 on, got {given[:20]!r}")
    return number


def _span(bundle: Bundle, place: str, form: Mapping[str, str]) -> dict[str, int]:
    """Where the words to redact stand: where they were selected, or where they stand first."""
    turn = bundle.turn_by_id.get(place)
    words, text = form.get("words", "").replace("\r\n", "\n"), turn.text if turn else ""
    given = number_of(form.get("start", ""))
    start = -1 if given is None else given
    if not words or text[start : start + len(words)] != words:
        start = text.find(words) if words else -1
    if start < 0:
        raise UsageError(
            f"{place}.text: expected words that it says, got {words[:60]!r}; select them, or "
            "write them as they stand there"
        )
    return {"start": start, "end": start + len(words)}


def _require_right(pages: ReviewPages, item: str, session: Session) -> None:
    """Edits are proposed by everybody who may see the item; a lease of it is held for longer.

    Raises:
        UsageError: They have yet to answer the item's question.
    """
    with suppress(LeaseExpired):
        pages.desk.heartbeat(item, session.reviewer)
    if hides_gold(pages, pages.item(item), session):
        # It opens at what the question cites.
        raise UsageError(f"review item {item}: answer its question first, then edit its history")


def _sees_all(session: Session) -> bool:
    """Whether somebody sees who changed what, and all that the rules find in questions."""
    return session.role in ("adjudicator", "owner")


def _may_know(one: ProposedEdit, session: Session) -> bool:
    """Whether somebody sees a proposal: their own, and, for those who decide, all that wait."""
    return one.writer == session.reviewer or (one.waits and _sees_all(session))


def _history(pages: ReviewPages, item: str) -> HistoryRecord:
    pages.history(item)
    return pages.content.editing.history(item)


def _page(
    request: Request,
    item: str,
    pages: ReviewPages,
    session: Session,
    form: Mapping[str, str],
    opened: str,
    saved: str,
    message: str = "",
) -> Response:
    content, history = pages.history(item), _history(pages, item)
    bundle = history.bundle
    offered = form.get("op") and pages.content.editing.allows_edits(item)
    chosen = _read_choice(bundle, form) if offered else None
    view = view_of(ItemContent(content.head, (), bundle, None, None))
    wanted = (chosen.session.id if chosen else "") or opened or _first(content)
    sitting = bundle.session_by_id.get(wanted) or bundle.conversation.sessions[0]
    made = {one.name for one in history.changes}
    return pages.page(
        request,
        "history.html",
        session,
        head=content.head,
        item=item,
        view=view,
        opened=sitting,
        chosen=chosen,
        saved=saved,
        message=message,
        counts=pages.counts(),
        changes=history.changes,
        proposals=[
            one for one in history.proposals if one.name not in made and _may_know(one, session)
        ],
        kept=saved in made,
        sees_all=_sees_all(session),
        until=pages.desk.held_until(item, session.reviewer),
        edited=pages.content.editing.allows_edits(item),
        **_beside(history),
    )


def _first(content: ItemContent) -> str:
    """The session that a question cites first."""
    cited = content.question.evidence.canonical if content.question else []
    return cited[0].partition(":")[0] if cited else ""


def _beside(history: HistoryRecord) -> dict[str, Any]:
    """What every form needs: the state that is changed, and the images there are."""
    bundle = history.bundle
    shown: dict[str, list[str]] = {}
    for _, one in bundle.conversation.attachments():
        shown.setdefault(one.asset, []).append(one.id)
    assets = [one for one in bundle.assets if one.media_type and one.media_type[:6] == "image/"]
    return {
        "base": history.base,
        "titles": TITLES,
        "sittings": bundle.conversation.sessions,
        "assets": [(one.id, shown.get(one.id, [])) for one in assets],
        "names": {one.id: one.name for one in bundle.conversation.speakers},
    }


def _read_choice(bundle: Bundle, form: Mapping[str, str]) -> Chosen:
    """What a form is about.

    Raises:
        HTTPException: 404 if there is no such place or operation.
    """
    op, place = form.get("op", ""), form.get("place", "")
    parsed = parse_place(place)
    session = bundle.session_by_id.get(parsed.session) if parsed else None
    if session is None or op not in TITLES:
        raise HTTPException(404, f"{bundle.id}: nothing to change at {place[:40]!r}")
    turn = bundle.turn_by_id.get(place)
    return Chosen(op, place, turn, session, _between(bundle, op, session, form), form)


def _between(bundle: Bundle, op: str, session: Sitting, form: Mapping[str, str]) -> tuple[str, str]:
    """Dates that a new date must lie between; empty where there is no neighbour."""
    sessions = sorted(bundle.conversation.sessions, key=lambda one: natural_key(one.id))
    dates = [one.date or "" for one in sessions]
    if op == "split_session":
        return dates[session.index - 1], (*dates, "")[session.index]
    position = number_of(form.get("position", ""))
    if op == "move_session" and position is not None:
        rest = [one.date or "" for one in sessions if one.id != session.id]
        at = min(max(position, 1), len(sessions)) - 1
        return ("", *rest)[at], (*rest, "")[at]
    return "", ""
