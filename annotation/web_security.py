"""Who may do what at the review pages: sessions, tokens, headers, limits."""

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from fastapi import HTTPException, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memassay.schemas.errors import UsageError

COOKIE: Final = "memassay_session"
_LARGEST_BODY: Final = 256 * 1024
_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
_TRIES: Final = 5
_TRIES_OF_ADDRESS: Final = 20
_TRIED_NAMES: Final = 1000
_WINDOW_SECONDS: Final = 60.0
_IDLE_SECONDS: Final = 12 * 3600.0


class Reviewers(Protocol):
    """Who may log in; passwords are hashed by whoever fulfils this."""

    def role_of(self, name: str, password: str) -> str | None:
        """The role (`annotator`, `adjudicator`, `owner`) of who knows the password, else None."""
        ...

    def join(self, token: str, name: str, password: str) -> str:
        """Become a reviewer by an invitation, once; gives the role.

        Raises:
            UsageError: The invitation, the name or the password will not do.
        """
        ...


@dataclass
class Session:
    """Somebody logged in.

    Attributes:
        reviewer: Their name.
        role: What they may do.
        csrf: Token that every form of theirs must send back.
        seen: When they were last seen.
        last: Item that they voted on last, to be told of once.
        handed: Item that they were just sent to, which is leased to them already.
    """

    reviewer: str
    role: str
    csrf: str
    seen: float
    last: str = ""
    handed: str = ""


@dataclass
class Sessions:
    """Sessions on the server; the cookie holds a random name of one and nothing else.

    Attributes:
        reviewers: Who may log in; None where one person works alone on this machine.
        clock: Seconds that only go forward.
    """

    reviewers: Reviewers | None
    clock: Callable[[], float] = time.monotonic
    _open: dict[str, Session] = field(default_factory=dict)
    _failures: dict[str, deque[float]] = field(default_factory=dict)

    def of(self, request: Request) -> Session:
        """The session of a request.

        Raises:
            HTTPException: 303 to the login page.
        """
        session = self.known(request)
        if session is None:
            raise HTTPException(303, headers={"Location": "/login"})
        session.seen = self.clock()
        return session

    def known(self, request: Request) -> Session | None:
        """The session of a request; None if there is none, or it ran out."""
        session = self._open.get(request.cookies.get(COOKIE, ""))
        if session is None or self.clock() - session.seen > _IDLE_SECONDS:
            return None
        return session

    def log_in(self, request: Request, name: str, password: str) -> str | None:
        """Name of a new session, a fresh one at every login; None if the password is wrong.

        Raises:
            HTTPException: 429 after five wrong tries within a minute for one name, or twenty from
                one address.
        """
        self._require_patience(request, name)
        if self.reviewers is None:
            return None
        role = self.reviewers.role_of(name, password)
        if role is None:
            self._count_failure(request, name)
            return None
        return self.begin(name, role)

    def join(self, request: Request, invitation: str, name: str, password: str) -> str | None:
        """Name of a new session for who comes by an invitation; None where nobody logs in.

        Raises:
            HTTPException: 429 after too many tries.
            UsageError: The invitation, the name or the password will not do.
        """
        self._require_patience(request, name)
        if self.reviewers is None:
            return None
        try:
            role = self.reviewers.join(invitation, name, password)
        except UsageError:
            self._count_failure(request, name)
            raise
        return self.begin(name.strip(), role)

    def begin(self, reviewer: str, role: str) -> str:
        """Open a session and give its name."""
        name = secrets.token_urlsafe(32)
        self._open[name] = Session(reviewer, role, secrets.token_urlsafe(24), self.clock())
        return name

    def end(self, request: Request) -> None:
        """Close the session of a request."""
        self._open.pop(request.cookies.get(COOKIE, ""), None)

    def _require_patience(self, request: Request, name: str) -> None:
        for key, limit in _keys(request, name):
            tries = self._failures.get(key, deque())
            while tries and self.clock() - tries[0] > _WINDOW_SECONDS:
                tries.popleft()
            if len(tries) >= limit:
                raise HTTPException(429, "Too many tries. Wait a minute and try again.")

    def _count_failure(self, request: Request, name: str) -> None:
        now = self.clock()
        if len(self._failures) > _TRIED_NAMES:
            self._forget_old_tries(now)
        for key, _ in _keys(request, name):
            self._failures.setdefault(key, deque()).append(now)

    def _forget_old_tries(self, now: float) -> None:
        old = [
            key
            for key, tries in self._failures.items()
            if not tries or now - tries[-1] > _WINDOW_SECONDS
        ]
        for key in old:
            del self._failures[key]


def _keys(request: Request, name: str) -> list[tuple[str, int]]:
    """What wrong tries are counted by, and how many each may have; an office has one address."""
    address = request.client.host if request.client else ""
    return [(f"name {name[:80]}", _TRIES), (f"address {address}", _TRIES_OF_ADDRESS)]


def require_token(session: Session, given: str) -> None:
    """Refuse a request that another site made the browser send.

    Raises:
        HTTPException: 403 if the token is not the session's.
    """
    if not hmac.compare_digest(session.csrf, given):
        raise HTTPException(403, "This form is not from your session. Reload the page.")


def require_role(session: Session, *roles: str) -> None:
    """Refuse those who may not.

    Raises:
        HTTPException: 403.
    """
    if session.role not in roles:
        raise HTTPException(403, f"This page is for {' and '.join(roles)}.")


def set_cookie(request: Request, response: Response, name: str) -> None:
    """Give a browser its session."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, name, httponly=True, samesite="strict", secure=secure, path="/")


class Guard:
    """Limits bodies, and sets the headers that keep a page from doing what we never wrote."""

    def __init__(self, app: ASGIApp, *, alone: bool) -> None:
        """Wrap an application; alone, it answers to the names of this machine only.

        Without a login, a page elsewhere could otherwise point a name of its own at this address
        and read the answers (DNS rebinding).
        """
        self.app = app
        self.alone = alone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its host or its body will not do."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refused(Request(scope))
        await (refused or self.app)(scope, receive, send_guarded)

    def _refused(self, request: Request) -> Response | None:
        if self.alone and request.url.hostname not in _THIS_MACHINE:
            return PlainTextResponse("This server answers on this machine only.", 421)
        size = request.headers.get("content-length", "0")
        if not size.isdecimal() or int(size) > _LARGEST_BODY:
            return PlainTextResponse("The form is too large.", 413)
        if request.method == "POST" and "content-length" not in request.headers:
            return PlainTextResponse("The length of the form is missing.", 411)
        return None
