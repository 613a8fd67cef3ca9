"""The review pages: a FastAPI application over a desk and the content behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Final

from anyio import to_thread
from fastapi import APIRouter, FastAPI, Form, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DataError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from memassay.annotation.pages.content import ReviewContent
from memassay.annotation.pages.forms import field_of
from memassay.annotation.pages.security import (
    HEADERS,
    Guard,
    Reviewers,
    Session,
    by_script,
    local_path,
    set_cookie,
)
from memassay.annotation.pages.shared import (
    BLIND_RATE,
    HERE,
    FormFields,
    LoggedIn,
    Pages,
    ReviewPages,
    known_pages,
)
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.drafts import DraftChanged
from memassay.annotation.voting.shapes import LeaseExpired
from memassay.annotation.web import assignments as web_assignments
from memassay.annotation.web import clusters as web_clusters
from memassay.annotation.web import errata as web_errata
from memassay.annotation.web import history as web_history
from memassay.annotation.web import items as web_items
from memassay.annotation.web import owner as web_owner
from memassay.annotation.web import points as web_points
from memassay.annotation.web import queue_page as web_queue
from memassay.annotation.web import votes as web_votes
from memassay.annotation.web import warm as web_warm
from memassay.annotation.web import writing as web_writing
from memassay.schemas.errors import MemassayError

router = APIRouter()
_THREADS: Final = 4
_MODULES: Final = (
    web_assignments,
    web_queue,
    web_items,
    web_history,
    web_points,
    web_clusters,
    web_errata,
    web_votes,
    web_warm,
    web_owner,
    web_writing,
)


def create_app(
    desk: ReviewDesk,
    content: ReviewContent,
    reviewers: Reviewers | None = None,
    blind_rate: float = BLIND_RATE,
) -> FastAPI:
    """The application.

    Args:
        desk: Hands out items and takes votes.
        content: What is behind the queue.
        reviewers: Who may log in; None opens the pages to everybody who can reach them, which is
            for one person on a loopback address only.
        blind_rate: Share of questions that are answered before the gold is shown.
    """
    app = FastAPI(
        title="memassay review",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=_few_threads,
    )
    app.state.pages = ReviewPages(desk, content, reviewers, blind_rate)
    app.add_middleware(Guard, alone=reviewers is None, refused=_message)
    app.mount("/static", StaticFiles(directory=HERE / "web_static"), name="static")
    # Not included but taken over: an included router looks for every request's route twice.
    for module in _MODULES:
        app.router.routes.extend(module.router.routes)
    app.router.routes.extend(router.routes)
    app.add_exception_handler(MemassayError, _refuse)
    app.add_exception_handler(DataError, _unfit)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(ClientDisconnect, _ignore_leaving)
    app.add_exception_handler(Exception, _report_failure)
    return app


@asynccontextmanager
async def _few_threads(app: FastAPI) -> AsyncIterator[None]:
    """Answer few requests at a time: more threads of one interpreter get in each other's way."""
    del app
    to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


async def _refuse(request: Request, error: Exception) -> Response:
    """What was refused and why, as a page, or as a line where a script asked.

    Of a form, the line says beside which field it belongs.
    """
    status, message, headers = 400, str(error), None
    if isinstance(error, HTTPException):
        status, message, headers = error.status_code, error.detail, error.headers
    elif isinstance(error, LeaseExpired):
        status = 409
    elif isinstance(error, DraftChanged):
        if by_script(request):
            draft = error.draft
            return JSONResponse({"seen": draft.revision, "fields": draft.document}, 409)
        status = 409
    if headers and "Location" in headers:
        if by_script(request):
            return _message(request, "Your session has ended.", 401)
        return Response(status_code=status, headers=headers)
    session = (
        None if by_script(request) else await known_pages(request).sessions.session_of(request)
    )
    return _message(request, message, status, session, field_of(error))


def _message(
    request: Request, message: str, status: int, session: Session | None = None, field: str = ""
) -> Response:
    """A message as a page, or as a line where a script of our pages asked."""
    templates = known_pages(request).templates
    values = {"session": session, "message": message, "ended": status == 401}
    if not by_script(request):
        return templates.TemplateResponse(request, "message.html", values, status)
    line = templates.get_template("_message.html").render(values)
    return HTMLResponse(line, status, {"X-Field": field} if field else None)


async def _report_failure(request: Request, error: Exception) -> Response:
    """What went wrong here is logged by the server; the page says that nothing was saved."""
    del error
    message = "The server failed at this. Try again; if it fails again, tell the owner."
    answer = _message(request, message, 500)
    # This answer passes no guard.
    answer.headers.update({**HEADERS, "Cache-Control": "no-store"})
    return answer


async def _unfit(request: Request, error: Exception) -> Response:
    """What a database cannot hold, such as a NUL in PostgreSQL; no word of the database's own."""
    del error
    return await _refuse(request, HTTPException(400, "A field holds what cannot be kept."))


async def _ignore_leaving(request: Request, error: Exception) -> Response:
    """Nobody is there to read it: a browser that leaves a page gives up what it was sending."""
    del request, error
    return Response(status_code=400)


@router.get("/login")
def login(
    request: Request, pages: Pages, onward: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """The form to log in, and then go on; who works alone is logged in by it."""
    if pages.sessions.reviewers is None:
        answer: Response = RedirectResponse(local_path(onward), 303)
        set_cookie(request, answer, pages.sessions.begin_alone())
        return answer
    return pages.page(request, "login.html", None, mistaken=False, onward=local_path(onward))


@router.post("/login")
def log_in(
    request: Request,
    pages: Pages,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
    onward: Annotated[str, Form(alias="next")] = "/",
) -> Response:
    """Log in; the session is a fresh one."""
    opened = pages.sessions.log_in(request, name, password)
    if opened is None:
        wrong = pages.page(request, "login.html", None, mistaken=True, onward=local_path(onward))
        wrong.status_code = 401
        return wrong
    pages.sessions.end(request)
    answer = RedirectResponse(local_path(onward), 303)
    set_cookie(request, answer, opened)
    return answer


@router.get("/session")
def current_session(session: LoggedIn) -> Response:
    """Who is logged in by now, and the token of their forms, for a page that was left open."""
    return JSONResponse({"reviewer": session.reviewer, "token": session.csrf})


@router.get("/join")
def joining(request: Request, pages: Pages, invitation: str = "") -> Response:
    """The form for who comes by an invitation."""
    return pages.page(request, "join.html", None, invitation=invitation)


@router.post("/join")
def join(
    request: Request,
    pages: Pages,
    invitation: Annotated[str, Form()],
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Become a reviewer, and be logged in."""
    opened = pages.sessions.join(request, invitation, name, password)
    pages.sessions.end(request)
    answer = RedirectResponse("/", 303)
    if opened is not None:
        set_cookie(request, answer, opened)
    return answer


@router.post("/logout")
def log_out(request: Request, pages: Pages, session: LoggedIn, form: FormFields) -> Response:
    """Log out."""
    del session, form
    pages.sessions.end(request)
    return RedirectResponse("/login", 303)
