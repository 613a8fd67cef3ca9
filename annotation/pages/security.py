"""Who may do what at the review pages: roles, tokens, headers, limits."""

import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from fastapi import HTTPException, Request, Response
from fastapi.responses import PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE: Final = "memassay_session"
_SAVED: Final = "memassay_saved"
_SAVED_SECONDS: Final = 10
_ITEM: Final = re.compile(r"R[0-9a-f]{12}\Z", re.ASCII)
LARGEST_BODY: Final = 256 * 1024
"""Bytes of a form."""
LARGEST_UPLOAD: Final = 8 * 1024 * 1024
"""Bytes of a form that may hold an image."""
_PICTURES: Final = frozenset(
    f"image/{kind}" for kind in ("png", "jpeg", "gif", "webp", "bmp", "avif", "tiff")
)
_BYTES: Final = "application/octet-stream"
_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_LOCAL: Final = re.compile(r"/(?!/)[!-\[\]-~]*\Z", re.ASCII)
_SCRIPT: Final = "x-save"
"""Header of what the script of our pages sends, which stays where it is whatever is answered."""
HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


class Reviewers(Protocol):
    """Who may log in; an implementation keeps hashes of passwords only."""

    def role_of(self, name: str, password: str) -> str | None:
        """The role (`annotator`, `adjudicator`, `owner`) of who knows the password, else None."""
        ...

    def join(self, token: str, name: str, password: str) -> str:
        """Become a reviewer by an invitation, once; gives the role.

        Raises:
            UsageError: The invitation, the name or the password will not do.
        """
        ...


@dataclass(frozen=True)
class Session:
    """Somebody logged in.

    Attributes:
        reviewer: Their name.
        role: What they may do.
        csrf: Token that every form of theirs must send back.
    """

    reviewer: str
    role: str
    csrf: str


def require_token(session: Session, given: str) -> None:
    """Refuse a request that another site made the browser send.

    Raises:
        HTTPException: 403 if the token is not the session's.
    """
    if not same(session.csrf, given):
        raise HTTPException(403, "This form is not from your session. Reload the page.")


def same(secret: str, given: str) -> bool:
    """Whether what was sent is a secret; the time it takes does not tell how much of it is."""
    return hmac.compare_digest(secret.encode(), given.encode("utf-8", "surrogatepass"))


def picture(data: bytes, media_type: str) -> Response:
    """The bytes of a picture; of anything else, whatever its record says, a file to keep.

    Pages and scripts that somebody else wrote must not come from our address.
    """
    shown = media_type in _PICTURES
    how = "inline" if shown else "attachment"
    headers = {"Cache-Control": "private, max-age=86400", "Content-Disposition": how}
    return Response(data, media_type=media_type if shown else _BYTES, headers=headers)


def require_role(session: Session, *roles: str) -> None:
    """Refuse those who may not.

    Raises:
        HTTPException: 403.
    """
    if session.role not in roles:
        raise HTTPException(403, f"This page is for {' and '.join(roles)}.")


def by_script(request: Request) -> bool:
    """Whether a script of our pages asked, and puts the answer into the page that is open."""
    return _SCRIPT in request.headers or "hx-request" in request.headers


def local_path(path: str) -> str:
    """A path of these pages to go on to after a login; the queue for anything else."""
    return path if _LOCAL.match(path) else "/"


def set_cookie(request: Request, response: Response, name: str) -> None:
    """Give a browser its session."""
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, name, httponly=True, samesite="strict", secure=secure, path="/")


def say_saved(response: Response, item: str) -> None:
    """Show on the next page which item was saved; empty for none, which removes an older note."""
    age = _SAVED_SECONDS if item else 0
    response.set_cookie(_SAVED, item, age, httponly=True, samesite="strict", path="/item")


def just_saved(request: Request) -> str:
    """The item that was saved just before this page; empty for none."""
    item = request.cookies.get(_SAVED, "")
    return item if _ITEM.match(item) else ""


def _in_a_line(request: Request, message: str, status: int) -> Response:
    del request
    return PlainTextResponse(message, status)


class Guard:
    """Limits bodies, and sets the headers that keep a page from doing what we never wrote.

    What a script of our pages has saved leads on by a header instead of a redirection: the script
    would follow that unseen, and take the page it ends at, such as the login, for success.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        alone: bool,
        refused: Callable[[Request, str, int], Response] = _in_a_line,
    ) -> None:
        """Wrap an application; alone, it answers to the names of this machine only.

        Without a login, a page elsewhere could otherwise point a name of its own at this address
        and read the answers (DNS rebinding).

        Args:
            app: The application.
            alone: Whether one person works without a login.
            refused: Makes the answer to a form that will not do, of a message and a status.
        """
        self.app = app
        self.alone = alone
        self.refused = refused

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless its host or its body will not do."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        scripted = _SCRIPT in Request(scope).headers

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scripted and message["status"] == 303:
                    message["status"] = 204
                    headers["X-Onward"] = headers["location"]
                    del headers["location"], headers["content-length"]
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refused = self._refuse(Request(scope))
        await (refused or self.app)(scope, receive, send_guarded)

    def _refuse(self, request: Request) -> Response | None:
        if self.alone and request.url.hostname not in _THIS_MACHINE:
            return PlainTextResponse("This server answers on this machine only.", 421)
        size = request.headers.get("content-length", "0")
        path = request.scope["path"]
        uploads = path.startswith("/write/") or path.endswith("/history/image")
        largest = LARGEST_UPLOAD if uploads else LARGEST_BODY
        if not size.isdecimal() or int(size) > largest:
            return self.refused(request, "The form is too large. Nothing of it was saved.", 413)
        pieces = "transfer-encoding" in request.headers
        if request.method == "POST" and (pieces or "content-length" not in request.headers):
            return self.refused(request, "The length of the form is missing.", 411)
        return None
