"""What all review pages share: the desk, the content, the templates, who is there."""

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeAlias, TypeVar

from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from fastapi.templating import Jinja2Templates
from starlette.datastructures import UploadFile

from memassay.annotation.measures.progress import votes_by, votes_in
from memassay.annotation.pages.content import (
    AssignmentContent,
    Content,
    ItemContent,
    ProposalContent,
    ReviewContent,
    TimelineContent,
)
from memassay.annotation.pages.forms import RELATIONS
from memassay.annotation.pages.keys import KEYS
from memassay.annotation.pages.security import (
    LARGEST_BODY,
    LARGEST_UPLOAD,
    Reviewers,
    Session,
    picture,
    require_token,
)
from memassay.annotation.pages.sessions import Sessions
from memassay.annotation.pages.writing_content import NewImage
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.shapes import Lease, LeaseExpired
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.rulings import JudgedField
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import is_blank

_Counted = TypeVar("_Counted")
HERE: Final = Path(__file__).parent
FILTERS: Final = ("reason", "gate", "type", "severity", "conversation")
"""What the queue can be narrowed by, in the order of the page."""
BLIND_RATE: Final = 0.1
"""Share of questions that are answered before the gold is shown."""
_COUNT_SECONDS: Final = 1.0
_COUNT_REST: Final = 50
"""Seconds between two counts of the queue, at least, and how often longer than a count takes."""
_BESIDE_IMAGE: Final = ("licence", "attribution")
"""Fields of a form that say whose image it sends."""


class RestedCount(Generic[_Counted]):
    """What takes a while to count, as of a second ago; of a long queue, longer."""

    def __init__(self, count: Callable[[], _Counted]) -> None:
        """Say how it is counted."""
        self._count = count
        self._last: _Counted | None = None
        self._again = float("-inf")

    def __call__(self) -> _Counted:
        """What was counted last, or is counted now."""
        begun = time.monotonic()
        if self._last is None or begun >= self._again:
            if self._last is not None:
                # Who asks while it is counted gets the last counts.
                self._again = begun + _COUNT_SECONDS
            self._last = self._count()
            ended = time.monotonic()
            self._again = ended + max(_COUNT_SECONDS, _COUNT_REST * (ended - begun))
        return self._last


class ReviewPages:
    """The pages and what they share."""

    def __init__(
        self,
        desk: ReviewDesk,
        content: ReviewContent,
        reviewers: Reviewers | None,
        blind_rate: float = BLIND_RATE,
    ) -> None:
        """Take the queue, what is behind it, and who may log in (None: one person, here)."""
        self.desk = desk
        self.content = content
        self.blind_rate = blind_rate
        self.sessions = Sessions(reviewers, desk.engine)
        self.counts = RestedCount(content.queue.counts)
        self.clustered = RestedCount(lambda: bool(content.clusters.runs()))
        self.votes_in = RestedCount(lambda: votes_in(desk.engine))
        self.templates = Jinja2Templates(HERE / "web_templates")
        self.templates.env.globals |= {
            "keys": KEYS,
            "formats": list(AnswerFormat),
            "relations": RELATIONS,
            "judged": list(JudgedField),
            "largest_body": LARGEST_BODY,
            "largest_upload": LARGEST_UPLOAD,
        }
        self.templates.env.filters["words"] = lambda text: str(text).replace("_", " ")
        # Templates do not change while they are served; looking takes a while at every include.
        self.templates.env.auto_reload = False
        self.templates.env.trim_blocks = self.templates.env.lstrip_blocks = True

    def page(
        self, request: Request, name: str, session: Session | None, **values: Any
    ) -> HTMLResponse:
        """A page from a template; everything in it is escaped."""
        shown = {"session": session, "clustered": self.clustered(), **values}
        if session is not None and "counts" in values:
            own = votes_by(self.desk.engine, session.reviewer)
            shown |= {"own": own, "votes_in": self.votes_in()}
        return self.templates.TemplateResponse(request, name, shown)

    def hold(self, item: str, reviewer: str, page: str) -> Lease:
        """Hold an item for longer; one whose lease ran out is taken again where nobody has it.

        Raises:
            LeaseExpired: Somebody has.
        """
        with suppress(LeaseExpired):
            return self.desk.heartbeat(item, reviewer, page)
        try:
            self.desk.open_item(item, reviewer)
            return self.desk.heartbeat(item, reviewer, page)
        except UsageError:
            raise LeaseExpired(
                f"review item {item}: your lease ran out, and it needs no vote of yours any more, "
                "or somebody else has it; what you wrote is kept"
            ) from None

    def guidelines(self, type_: str) -> str:
        """The guidelines for all questions, then those for a type, where it has its own."""
        return _guidelines(type_)

    def item(self, item: str) -> Content:
        """An item's content.

        Raises:
            HTTPException: 404 if there is no such item.
        """
        try:
            return self.content.items.content(item)
        except UsageError as error:
            raise HTTPException(404, str(error)) from None

    def history(self, item: str) -> ItemContent:
        """The content of an item that has a conversation.

        Raises:
            HTTPException: 404 if there is no such item, or it has none.
        """
        content = self.item(item)
        if isinstance(content, TimelineContent):
            raise HTTPException(404, f"review item {item}: a timeline has no conversation yet")
        if isinstance(content, AssignmentContent | ProposalContent):
            return self._beside(content)
        return content

    def _beside(self, content: AssignmentContent | ProposalContent) -> ItemContent:
        try:
            return content.history()
        except UsageError as error:
            raise HTTPException(404, str(error)) from None

    def is_blind(self, item: str, reviewer: str) -> bool:
        """Whether a reviewer answers an item before they see its gold; the same at each reload."""
        digest = hashlib.sha256(f"blind\x1f{item}\x1f{reviewer}".encode()).digest()
        return int.from_bytes(digest[:8], "big") / 2**64 < self.blind_rate


@cache
def _guidelines(type_: str) -> str:
    parts = []
    for name in (type_, "general"):
        path = HERE / "guidelines" / f"{name}.md"
        if name.replace("_", "").isalnum() and path.is_file():
            parts.append(path.read_text(encoding="utf-8").strip())
    return "\n\n".join(parts)


def known_pages(request: Request) -> ReviewPages:
    """The pages of the application that a request came to."""
    pages: ReviewPages = request.app.state.pages
    return pages


async def pages_of(request: Request) -> ReviewPages:
    """The pages of the application that a request came to.

    Not a plain function: it would wait for a thread of its own.
    """
    return known_pages(request)


async def session_of(request: Request) -> Session:
    """Who sends a request.

    Raises:
        HTTPException: 303 to the login page.
    """
    return await known_pages(request).sessions.of(request)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form that this session was given.

    Raises:
        HTTPException: 403 if another site made the browser send it.
    """
    given = await request.form()
    # What nobody can see, nobody has typed: a field of such characters alone is an empty one.
    form = {
        name: "" if is_blank(value) else value
        for name, value in given.items()
        if isinstance(value, str)
    }
    token = form.pop("token", "") or request.headers.get("x-csrf-token", "")
    require_token(await known_pages(request).sessions.of(request), token)
    return form


async def image_of(request: Request) -> NewImage | None:
    """The image that a form sends with its licence; None if it sends none."""
    given = await request.form()
    sent = given.get("picture")
    data = await sent.read() if isinstance(sent, UploadFile) else b""
    return NewImage(data, *(str(given.get(one, "")) for one in _BESIDE_IMAGE)) if data else None


def image_response(found: Callable[[], tuple[bytes, str]]) -> Response:
    """The bytes of an image as they are looked up.

    Raises:
        HTTPException: 404 if there are none.
    """
    try:
        return picture(*found())
    except UsageError as error:
        raise HTTPException(404, str(error)) from None


def filters_of(request: Request) -> dict[str, str]:
    """How the queue is narrowed, from the address."""
    given = request.query_params
    return {name: given[name] for name in FILTERS if given.get(name)}


def onward(request: Request, path: str = "/next") -> Response:
    """To another page, with the filters kept."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{path}{query}", 303)


Pages: TypeAlias = Annotated[ReviewPages, Depends(pages_of)]
LoggedIn: TypeAlias = Annotated[Session, Depends(session_of)]
SentImage: TypeAlias = Annotated[NewImage | None, Depends(image_of)]
FormFields: TypeAlias = Annotated[dict[str, str], Depends(form_of)]
