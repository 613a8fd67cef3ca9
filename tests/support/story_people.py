"""What people do about stories of models, over the HTTP of the review pages."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi.testclient import TestClient

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.web.app import create_app
from memassay.flows.review.assignments import assignment_of
from memassay.flows.review.page_content import review_content
from memassay.flows.store.workspace import Workspace, open_workspace
from support.web_builder import Browser, OpenBook


@dataclass
class Owner:
    """Somebody alone at a desk.

    Attributes:
        browser: What they look through.
        workspace: What is behind the pages.
    """

    browser: Browser
    workspace: Workspace

    def waiting(self, gate: str) -> dict[str, str]:
        """Items that wait at a gate, by their records."""
        return {one.record: one.id for one in self.workspace.queue.items(gate, ("open",))}

    def choose(self, gate: str, words: str) -> int:
        """Keep the draft that says some words, wherever drafts wait; says how many there were."""
        items = self.waiting(gate).values()
        for item in items:
            choice = assignment_of(self.workspace, self.workspace.queue.item(item))
            (key,) = (one.key for one in choice.candidates if words in one.text)
            self._vote(item, answer=key)
        return len(items)

    def move_image(self, item: str, image: str, turn: str) -> None:
        """Show an image of the history behind an item at another turn."""
        path = f"/item/{item}/history"
        form = self.browser.get(f"{path}/form?op=move_image&place={image}").text
        base = re.search(r'name="base" value="([0-9a-f]+)"', form)
        assert base is not None, form
        fields = {"op": "move_image", "place": image, "turn": turn, "base": base[1]}
        answer = self.browser.post(path, **fields)
        assert answer.status_code == 303, answer.text

    def accept(self, item: str, **edit: str) -> None:
        """Accept an item, corrected if need be."""
        self._vote(item, ruling="accept", **edit)

    def _vote(self, item: str, **fields: str) -> None:
        assert self.browser.get(f"/item/{item}").status_code == 200
        answer = self.browser.post(f"/item/{item}/vote", ticket="t", **fields)
        assert answer.status_code == 303, answer.text


@contextmanager
def owner_of(folder: Path) -> Iterator[Owner]:
    """An owner at the pages of a workspace."""
    with open_workspace(folder) as workspace:
        desk = ReviewDesk(workspace.queue.engine)
        app = create_app(desk, review_content(workspace), OpenBook(), blind_rate=0.0)
        browser = Browser(TestClient(app, base_url="http://127.0.0.1:8765"))
        browser.log_in("zoe")
        yield Owner(browser, workspace)
