"""Pages that are served to one browser, whose server can be made to fail."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from memassay.annotation.pages.security import COOKIE
from memassay.annotation.storage.tables import LEASES, WEB_SESSIONS
from support.fixtures import item, numbered
from support.web_builder import Pages, pages
from support.web_walking import listening, until


@dataclass
class Fault:
    """Between the browser and the pages: answers some paths itself."""

    app: ASGIApp
    answers: dict[str, int] = field(default_factory=dict)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a bare status where one is set for the end of the path."""
        path = scope.get("path", "")
        status = next((one for end, one in self.answers.items() if path.endswith(end)), None)
        if status is None:
            await self.app(scope, receive, send)
        else:
            await PlainTextResponse("Internal Server Error", status)(scope, receive, send)


@dataclass
class Desk:
    """Pages that are served, with a page of a browser on them.

    Attributes:
        built: The pages.
        fault: What answers instead of them.
        address: Where they are.
        page: A page of ada.
        items: Items in order.
    """

    built: Pages
    fault: Fault
    address: str
    page: Any
    items: list[str]

    def open(self, number: int = 0) -> Any:
        """Her page, at an item."""
        self.page.goto(f"{self.address}/item/{self.items[number]}")
        self.page.wait_for_load_state("load")
        return self.page

    def end_sessions(self) -> None:
        """As after twelve hours: everybody has to log in again."""
        with self.built.workspace.engine.begin() as connection:
            connection.execute(delete(WEB_SESSIONS))
        self.built.app.state.pages.sessions._kept.clear()

    def draft(self, number: int = 0) -> dict[str, Any]:
        """What the server keeps of what ada has filled in."""
        return self.built.desk.draft(self.items[number], "ada").document

    def state(self, number: int = 0) -> str:
        """State of an item."""
        return str(self.built.workspace.queue.item(self.items[number]).state)

    def holders(self, number: int = 0) -> int:
        """How many hold an item."""
        query = select(func.count()).where(LEASES.c.item == self.items[number])
        with self.built.workspace.engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    def copies(self) -> list[str]:
        """Names of what the browser keeps."""
        kept = self.page.evaluate("Object.keys(localStorage)")
        return [name for name in kept if name.startswith("memassay:copy:")]

    def wait(self, what: str, holds: Callable[[], object]) -> None:
        """Wait for what the server knows."""
        until(self.page, what, holds)


def asked(number: int) -> Any:
    """A question by its number."""
    return item(f"What does Ann keep, {number}?")


@contextmanager
def desk_of_ada(folder: Path, page: Any, **more: Any) -> Iterator[Desk]:
    """Three questions, and ada before them."""
    with pages(folder, *numbered(3, asked), **more) as built:
        built.desk.clock = time.time
        fault = Fault(built.app)
        with listening(fault) as address:
            # Another port is another origin: what the browser kept for one test is not there.
            session = built.app.state.pages.sessions.begin("ada", "annotator")
            page.context.add_cookies([{"name": COOKIE, "value": session, "url": address}])
            yield Desk(built, fault, address, page, list(built.items.values()))
            page.goto("about:blank")
