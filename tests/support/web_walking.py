"""Workspaces that are served to a real browser, and pictures of their pages.

With MEMASSAY_SCREENSHOTS naming a folder, tests that walk leave a picture of every page there.
"""

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner

from memassay.annotation.pages.content import ReviewContent
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.shapes import Vote
from memassay.annotation.web.app import create_app
from memassay.cli import main
from memassay.flows.review.page_content import review_content
from memassay.flows.store.workspace import open_workspace
from support.web_builder import PASSWORD, OpenBook

CHROMIUM = os.environ.get("MEMASSAY_CHROMIUM", "/usr/bin/chromium")
PICTURES = os.environ.get("MEMASSAY_SCREENSHOTS", "")
SLOWER = float(os.environ.get("MEMASSAY_BROWSER_SLOWER", "1"))
"""How many times slower than it is a browser is made, to see that no test is in a hurry."""
PATIENCE_SECONDS = 120
"""Longest wait for anything; a test that passes waits for as long as it needs."""


@dataclass
class Served:
    """A workspace that is served.

    Attributes:
        address: Where.
        content: What is behind the queue.
        desk: The queue.
    """

    address: str
    content: ReviewContent
    desk: ReviewDesk

    def item(self, record: str) -> str:
        """The item of a record."""
        heads = self.content.queue.page({}, (-1, -1), 500)
        return next(head.item for head in heads if head.record == record)

    def items(self, **filters: str) -> list[str]:
        """Items in the order of the queue."""
        return [head.item for head in self.content.queue.page(filters, (-1, -1), 500)]

    def draft(self, item: str, reviewer: str) -> dict[str, str]:
        """What is kept of what a reviewer has filled in."""
        return self.desk.draft(item, reviewer).document

    def decide(self, reviewer: str, item: str, vote: Vote) -> None:
        """Vote as somebody else, without a browser."""
        self.desk.open_item(item, reviewer)
        self.desk.submit(item, reviewer, f"{reviewer} {item}", vote)


def run(recipe: Path, folder: Path, *more: str) -> None:
    """Run or resume a recipe; people may be waited for."""
    result = CliRunner().invoke(main, ["run", str(recipe), "--workspace", str(folder), *more])
    assert result.exit_code in (0, 75), result.output


def copied_samples(repository: Path, folder: Path) -> None:
    """The sample data that ships, beside a recipe of our own."""
    shutil.copytree(repository / "recipes" / "samples", folder / "samples")


@contextmanager
def listening(app: Any) -> Iterator[str]:
    """The address of an application while it is served; all requests have ended after that."""
    # Listens before the server runs, so that who comes early waits and is not refused.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)


@contextmanager
def served(folder: Path, blind_rate: float = 0.0) -> Iterator[Served]:
    """Serve a workspace on a free port of this machine."""
    with open_workspace(folder) as workspace:
        desk, content = ReviewDesk(workspace.queue.engine), review_content(workspace)
        app = create_app(desk, content, OpenBook(), blind_rate=blind_rate)
        with listening(app) as address:
            yield Served(address, content, desk)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser; skips where there is none."""
    required = bool(os.environ.get("MEMASSAY_REQUIRE_SYSTEM"))
    if not required and not Path(CHROMIUM).is_file():
        pytest.skip(f"no browser at {CHROMIUM}; MEMASSAY_CHROMIUM says where one is")
    if not required:
        pytest.importorskip("playwright")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE_SECONDS)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def shot(page: Any, name: str) -> None:
    """A picture of a page, where somebody wants pictures."""
    if PICTURES:
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(PICTURES) / f"review-{name}.png"))


def press(page: Any, key: str) -> None:
    """Press a key on a page that has begun to listen."""
    page.wait_for_load_state("load")
    page.keyboard.press(key)


def follow(page: Any, key: str) -> None:
    """Press a key that leads to another page, and wait until that one has begun to listen."""
    with page.expect_navigation():
        press(page, key)


def until(page: Any, what: str, holds: Callable[[], object]) -> None:
    """Wait for what no locator can be asked, such as the size of a part or a row of a table."""
    for _ in range(20 * PATIENCE_SECONDS):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"expected {what}")


def new_page(browser: Any, **settings: Any) -> Any:
    """A page of somebody new; `wrong` collects what goes wrong in the browser."""
    context = browser.new_context(**{"viewport": {"width": 1360, "height": 850}, **settings})
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_SECONDS)
    page.wrong = wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    if SLOWER > 1:
        driven = context.new_cdp_session(page)
        driven.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return page


def log_in(browser: Any, at: Served, name: str, **settings: Any) -> Any:
    """A page of somebody who has logged in."""
    page = new_page(browser, **settings)
    page.goto(f"{at.address}/")
    if name == "zoe":
        shot(page, "login")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    follow(page, "Enter")
    page.wait_for_selector("table")
    return page
