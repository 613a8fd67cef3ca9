"""The review pages: a FastAPI application over a desk and the content behind it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import Depends, FastAPI, Form, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from memassay.annotation.desk_shapes import LeaseExpired, Vote
from memassay.annotation.review_desk import ReviewDesk
from memassay.annotation.web_content import ItemContent, ReviewContent
from memassay.annotation.web_forms import changes_of, patch_of
from memassay.annotation.web_keys import KEYS
from memassay.annotation.web_security import (
    Guard,
    Reviewers,
    Session,
    Sessions,
    require_role,
    require_token,
    set_cookie,
)
from memassay.annotation.web_views import found_rounds, session_rounds, view_of
from memassay.schemas.errors import UsageError
from memassay.schemas.finding import Severity
from memassay.schemas.review import ReasonCode, Ruling

_HERE: Final = Path(__file__).parent
_PAGE: Final = 50
_FILTERS: Final = ("gate", "reason", "severity", "type", "conversation")
_RIGHT: Final = (ReasonCode.CORRECT, ReasonCode.CORRECT_AFTER_EDIT)
_WRONG: Final = tuple(code for code in ReasonCode if code not in _RIGHT)


class ReviewPages:
    """The pages and what they share."""

    def __init__(
        self, desk: ReviewDesk, content: ReviewContent, reviewers: Reviewers | None
    ) -> None:
        """Take the queue, what is behind it, and who may log in (None: one person, here)."""
        self.desk = desk
        self.content = content
        self.sessions = Sessions(reviewers)
        self.templates = Jinja2Templates(_HERE / "web_templates")
        self.templates.env.globals["keys"] = KEYS
        self.templates.env.trim_blocks = self.templates.env.lstrip_blocks = True

    def page(
        self, request: Request, name: str, session: Session | None, **values: Any
    ) -> HTMLResponse:
        """A page from a template; everything in it is escaped."""
        shown = {"session": session, **values}
        return self.templates.TemplateResponse(request, name, shown)

    def guidelines(self, type_: str) -> str:
        """The guidelines for a type of question; those for all where it has none of its own."""
        for name in (type_, "general"):
            path = _HERE / "guidelines" / f"{name}.md"
            if name.replace("_", "").isalnum() and path.is_file():
                return path.read_text(encoding="utf-8")
        return ""

    def item(self, item: str) -> ItemContent:
        """An item's content.

        Raises:
            HTTPException: 404 if there is no such item.
        """
        try:
            return self.content.content(item)
        except UsageError as error:
            raise HTTPException(404, str(error)) from None


def create_app(
    desk: ReviewDesk, content: ReviewContent, reviewers: Reviewers | None = None
) -> FastAPI:
    """The application.

    Args:
        desk: Hands out items and takes votes.
        content: What is behind the queue.
        reviewers: Who may log in; None opens the pages to whoever can reach them, which is for
            one person on a loopback address only.
    """
    app = FastAPI(title="memassay review", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard)
    app.mount("/static", StaticFiles(directory=_HERE / "web_static"), name="static")
    pages = ReviewPages(desk, content, reviewers)

    def session(request: Request) -> Session:
        return pages.sessions.of(request)

    Logged = Annotated[Session, Depends(session)]  # noqa: N806 - a type for signatures
    _login_routes(app, pages)
    _queue_routes(app, pages, Logged)
    _item_routes(app, pages, Logged)
    _vote_routes(app, pages, Logged)

    @app.exception_handler(UsageError)
    async def refused(request: Request, error: UsageError) -> Response:
        status = 409 if isinstance(error, LeaseExpired) else 400
        if request.headers.get("hx-request"):
            return HTMLResponse(
                pages.templates.get_template("_message.html").render(message=str(error)), status
            )
        return pages.templates.TemplateResponse(
            request, "message.html", {"session": None, "message": str(error)}, status
        )

    return app


def _login_routes(app: FastAPI, pages: ReviewPages) -> None:
    @app.get("/login")
    def login(request: Request) -> Response:
        if pages.sessions.reviewers is None:
            answer: Response = RedirectResponse("/", 303)
            set_cookie(answer, pages.sessions.begin("me", "owner"))
            return answer
        return pages.page(request, "login.html", None, wrong=False)

    @app.post("/login")
    def log_in(
        request: Request, name: Annotated[str, Form()], password: Annotated[str, Form()]
    ) -> Response:
        opened = pages.sessions.log_in(request, name, password)
        if opened is None:
            wrong = pages.page(request, "login.html", None, wrong=True)
            wrong.status_code = 401
            return wrong
        pages.sessions.end(request)
        answer = RedirectResponse("/", 303)
        set_cookie(answer, opened)
        return answer

    @app.post("/logout")
    def log_out(request: Request, token: Annotated[str, Form()]) -> Response:
        require_token(pages.sessions.of(request), token)
        pages.sessions.end(request)
        return RedirectResponse("/login", 303)


def _queue_routes(app: FastAPI, pages: ReviewPages, Logged: Any) -> None:  # noqa: N803
    @app.get("/")
    def queue(request: Request, session: Logged, after: int = 0) -> Response:
        filters = _filters(request)
        rows = pages.content.page(filters, after, _PAGE)
        return pages.page(
            request,
            "queue.html",
            session,
            rows=rows,
            counts=pages.content.counts(),
            filters=filters,
            after=rows[-1].position if len(rows) == _PAGE else None,
            query="&".join(f"{name}={value}" for name, value in filters.items()),
        )

    @app.get("/next")
    def next_item(request: Request, session: Logged) -> Response:
        filters = _filters(request)
        lease = pages.desk.next_item(session.reviewer, filters)
        query = f"?{request.url.query}" if request.url.query else ""
        if lease is None:
            return pages.page(request, "done.html", session, counts=pages.content.counts())
        return RedirectResponse(f"/item/{lease.item}{query}", 303)

    @app.get("/disputes")
    def disputes(request: Request, session: Logged) -> Response:
        require_role(session, "adjudicator", "owner")
        rows = pages.content.page({"state": "disputed"}, 0, 200)
        return pages.page(
            request,
            "queue.html",
            session,
            rows=rows,
            counts=pages.content.counts(),
            filters={"state": "disputed"},
            after=None,
            query="state=disputed",
        )


def _filters(request: Request) -> dict[str, str]:
    given = request.query_params
    return {name: given[name] for name in _FILTERS if given.get(name)}


def _item_routes(app: FastAPI, pages: ReviewPages, Logged: Any) -> None:  # noqa: N803
    @app.get("/item/{item}")
    def item_page(request: Request, item: str, session: Logged) -> Response:
        content = pages.item(item)
        disputed = content.head.state == "disputed"
        if disputed:
            require_role(session, "adjudicator", "owner")
        elif content.head.state == "open":
            pages.desk.open_item(item, session.reviewer)
        votes = pages.desk.votes(item, session.reviewer, adjudicates=True) if disputed else []
        return pages.page(
            request,
            "item.html",
            session,
            view=view_of(content),
            draft=pages.desk.draft(item, session.reviewer) or {},
            votes=votes,
            disputed=disputed,
            right=_RIGHT,
            wrong=_WRONG,
            guidelines=pages.guidelines(content.head.type),
            query=request.url.query,
            counts=pages.content.counts(),
        )

    @app.get("/item/{item}/session/{name}")
    def session_page(request: Request, item: str, name: str, session: Logged) -> Response:
        rounds = session_rounds(pages.item(item), name)
        return pages.page(request, "_rounds.html", session, rounds=rounds, item=item, found=False)

    @app.get("/item/{item}/search")
    def search(request: Request, item: str, session: Logged, words: str = "") -> Response:
        rounds = found_rounds(pages.item(item), words[:200])
        return pages.page(request, "_rounds.html", session, rounds=rounds, item=item, found=True)

    @app.get("/item/{item}/image/{attachment}")
    def image(item: str, attachment: str, session: Logged) -> Response:
        del session
        try:
            data, media_type = pages.content.image(item, attachment)
        except UsageError as error:
            raise HTTPException(404, str(error)) from None
        headers = {"Cache-Control": "private, max-age=86400", "Content-Disposition": "inline"}
        return Response(data, media_type=media_type, headers=headers)


def _vote_routes(app: FastAPI, pages: ReviewPages, Logged: Any) -> None:  # noqa: N803
    async def form_of(request: Request) -> dict[str, str]:
        given = await request.form()
        return {name: value for name, value in given.items() if isinstance(value, str)}

    def require(session: Session, form: Mapping[str, str], request: Request) -> None:
        require_token(session, form.get("token") or request.headers.get("x-csrf-token", ""))

    @app.post("/item/{item}/draft")
    async def draft(request: Request, item: str, session: Logged) -> Response:
        form = await form_of(request)
        require(session, form, request)
        form.pop("token", None)
        pages.desk.save_draft(item, session.reviewer, form)
        return Response(status_code=204)

    @app.post("/item/{item}/heartbeat")
    async def heartbeat(request: Request, item: str, session: Logged) -> Response:
        require(session, await form_of(request), request)
        lease = pages.desk.heartbeat(item, session.reviewer)
        return JSONResponse({"until": lease.until})

    @app.post("/item/{item}/check")
    async def check(request: Request, item: str, session: Logged) -> Response:
        form = await form_of(request)
        require(session, form, request)
        content = pages.item(item)
        if content.question is None:
            raise HTTPException(400, "Only questions can be edited here.")
        changes = changes_of(content.question, form)
        findings = pages.content.problems(item, patch_of(content.question, form))
        return pages.page(request, "_check.html", session, changes=changes, findings=findings)

    @app.post("/item/{item}/vote")
    async def vote(request: Request, item: str, session: Logged) -> Response:
        form = await form_of(request)
        require(session, form, request)
        content = pages.item(item)
        patch = patch_of(content.question, form) if content.question else []
        ruling = Ruling(form.get("ruling", ""))
        if patch and ruling is Ruling.ACCEPT:
            found = pages.content.problems(item, patch)
            errors = [one for one in found if one.severity is Severity.ERROR]
            if errors:
                raise UsageError(f"not saved: {errors[0].message}; {errors[0].fix}")
        said = Vote(
            ruling=ruling,
            reason=_reason(ruling, form.get("reason", ""), edited=bool(patch)),
            comment=form.get("comment", "")[:2000],
            edits=(pages.content.change(item, patch),) if patch and ruling is Ruling.ACCEPT else (),
            seconds=min(float(form.get("seconds") or 0), 86400.0),
        )
        ticket = f"{session.reviewer} {item} {form.get('ticket', '')}"
        submit = pages.desk.adjudicate if content.head.state == "disputed" else pages.desk.submit
        done = submit(item, session.reviewer, ticket, said)
        if form.get("then") == "stay":
            return RedirectResponse(f"/item/{item}/voted?state={done.state}", 303)
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/next{query}", 303)

    @app.get("/item/{item}/voted")
    def voted(request: Request, item: str, session: Logged) -> Response:
        content = pages.item(item)
        votes = pages.desk.votes(item, session.reviewer)
        return pages.page(
            request, "voted.html", session, content=content, votes=votes, view=view_of(content)
        )

    @app.post("/item/{item}/skip")
    async def skip(request: Request, item: str, session: Logged) -> Response:
        form = await form_of(request)
        require(session, form, request)
        how = "escalated" if form.get("how") == "escalate" else "skipped"
        pages.desk.skip(item, session.reviewer, how, form.get("comment", "")[:200])
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/next{query}", 303)

    @app.post("/undo")
    async def undo(request: Request, session: Logged) -> Response:
        form = await form_of(request)
        require(session, form, request)
        item = pages.desk.undo(session.reviewer)
        return RedirectResponse("/" if item is None else f"/item/{item}", 303)


def _reason(ruling: Ruling, given: str, *, edited: bool) -> ReasonCode:
    """The reason of a ruling; accepting needs none of its own.

    Raises:
        UsageError: A rejection without one.
    """
    if ruling is Ruling.ACCEPT:
        return ReasonCode.CORRECT_AFTER_EDIT if edited else ReasonCode.CORRECT
    if given not in _WRONG:
        raise UsageError(f"reason: expected one of {', '.join(_WRONG)}, got {given!r}")
    return ReasonCode(given)
