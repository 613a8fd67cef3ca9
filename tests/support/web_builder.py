"""Review pages over a real workspace with a few items, and browsers that talk to them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.review_queue import ReviewRequest
from memassay.annotation.web.app import create_app
from memassay.flows.review.page_content import review_content
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.review import CoveredRecord
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import QAItem
from support.fixtures import bundle, item, png

GATE = "questions"
RUN = "run"
PEOPLE = {"ada": "annotator", "bob": "annotator", "eve": "adjudicator", "zoe": "owner"}
PASSWORD = "a long password"


class OpenBook:
    """Reviewers with one password, without the cost of a hash."""

    def role_of(self, name: str, password: str) -> str | None:
        """The role of who knows the password."""
        return PEOPLE.get(name) if password == PASSWORD else None

    def join(self, token: str, name: str, password: str) -> str:
        """Let anybody in."""
        del token, name, password
        return "annotator"


@dataclass
class Pages:
    """A workspace, its desk, a clock that tests turn, and the items by record."""

    workspace: Workspace
    desk: ReviewDesk
    now: list[float]
    items: dict[str, str]
    app: Any

    def browser(self, name: str | None = None) -> "Browser":
        """A browser, logged in if a name is given."""
        browser = Browser(TestClient(self.app, base_url="http://127.0.0.1:8765"))
        if name is not None:
            browser.log_in(name)
        return browser


@dataclass
class Browser:
    """A client that sends the token of its session."""

    client: TestClient
    token: str = ""

    def log_in(self, name: str, password: str = PASSWORD) -> int:
        """Log in; gives the status."""
        if name == "me":
            answer = self.client.get("/login", follow_redirects=False)
        else:
            data = {"name": name, "password": password}
            answer = self.client.post("/login", data=data, follow_redirects=False)
        if answer.status_code == 303:
            found = re.search(r'data-token="([^"]+)"', self.client.get("/").text)
            assert found is not None
            self.token = found.group(1)
        return answer.status_code

    def get(self, path: str, **more: Any) -> Any:
        """Get a page."""
        return self.client.get(path, **more)

    def post(self, path: str, **fields: str) -> Any:
        """Send a form, with the token unless one is given."""
        data = {"token": self.token, **fields}
        return self.client.post(path, data=data, follow_redirects=False)

    def vote(self, item: str, ruling: str = "accept", **fields: str) -> Any:
        """Open an item and vote on it."""
        opened = self.get(f"/item/{item}")
        assert opened.status_code == 200, opened.text
        return self.post(f"/item/{item}/vote", ruling=ruling, **{"ticket": "t1", **fields})


def _requests(
    workspace: Workspace, records: Sequence[Record], asked: Sequence[Record], votes: int
) -> list[ReviewRequest]:
    hashes = dict(zip([one.id for one in records], workspace.store.put_all(records), strict=True))
    beside = [one.id for one in records if isinstance(one, Conversation | Asset)]
    return [
        ReviewRequest(
            GATE,
            one.id,
            "policy",
            (),
            (),
            tuple(
                CoveredRecord(id=name, sha256=hashes[name])
                for name in dict.fromkeys([one.id, *beside])
            ),
            kind=kind_of(one),
            type=str(one.type) if isinstance(one, QAItem) else "",
            votes=votes,
        )
        for one in sorted(asked, key=lambda one: natural_key(one.id))
    ]


@contextmanager
def pages(
    folder: Path,
    *records: Record,
    votes: int = 1,
    users: bool = True,
    blind_rate: float = 0.0,
    **more: Any,
) -> Iterator[Pages]:
    """Review pages over the usual conversation, or that of `sessions`, with some questions."""
    workspace = Workspace(folder)
    picture = png(7)
    workspace.blobs.put(picture)
    given = records or (item(),)
    whole = bundle(*given, **more)
    everything = whole.records()
    asked = [one for one in everything if isinstance(one, QAItem)] or [whole.conversation]
    requests = _requests(workspace, everything, asked, votes)
    workspace.queue.sync(RUN, GATE, requests)
    now = [1000.0]
    desk = ReviewDesk(workspace.engine, lambda: now[0])
    reviewers = OpenBook() if users else None
    app = create_app(desk, review_content(workspace), reviewers, blind_rate)
    yield Pages(workspace, desk, now, {one.record: one.item for one in requests}, app)
    workspace.close()
