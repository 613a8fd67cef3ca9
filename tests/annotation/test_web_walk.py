"""The review pages in a real browser, from the login to a release that holds what was decided.

With MEMASSAY_SCREENSHOTS naming a folder, the walk leaves a picture of every page there.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from web_builder import PASSWORD, PEOPLE, OpenBook

from memassay.annotation.desk_shapes import Vote
from memassay.annotation.review_desk import ReviewDesk
from memassay.annotation.web_app import create_app
from memassay.cli import main
from memassay.exports.release_reader import open_release
from memassay.flows.services import open_workspace
from memassay.flows.web_services import WorkspaceContent
from memassay.schemas.question import QAItem
from memassay.schemas.review import ReasonCode, Ruling

CHROMIUM = os.environ.get("MEMASSAY_CHROMIUM", "/usr/bin/chromium")
RECIPE = """\
path: m3exam
seed: 7
personas: [wei-courier]
sizes: {sessions: 5, rounds: 5, images: 5, documents: 1}
questions: {ss: 1, fm: 1, mr: 2}
gates: {questions: {policy: all, on_open: continue, votes: 2}}
release: {name: walk, licence: CC-BY-4.0}
"""
YES = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
GOLD = "Playground (430 m2)"
NO = Vote(Ruling.REJECT, ReasonCode.AMBIGUOUS, "the reader pass has an expiry, too")


@dataclass
class Served:
    """A workspace that is served.

    Attributes:
        address: Where.
        content: What is behind the queue.
        desk: The queue.
    """

    address: str
    content: WorkspaceContent
    desk: ReviewDesk

    def items(self, type_: str) -> list[str]:
        """Items of a type of question, in the order of the queue."""
        heads = self.content.page({"kind": "question", "type": type_}, (-1, -1), 50)
        return [head.item for head in heads]


def _run(recipe: Path, folder: Path) -> None:
    result = CliRunner().invoke(main, ["run", str(recipe), "--workspace", str(folder)])
    assert result.exit_code in (0, 75), result.output


@contextmanager
def _served(folder: Path) -> Iterator[Served]:
    with open_workspace(folder) as workspace, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        desk, content = ReviewDesk(workspace.engine), WorkspaceContent(workspace)
        app = create_app(desk, content, OpenBook(), blind_rate=0.0)
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        yield Served(address, content, desk)
        server.should_exit = True
        thread.join(20)


@contextmanager
def _browser() -> Iterator[Any]:
    """A browser; skips where there is none."""
    required = bool(os.environ.get("MEMASSAY_REQUIRE_SYSTEM"))
    if not required and not Path(CHROMIUM).is_file():
        pytest.skip(f"no browser at {CHROMIUM}; MEMASSAY_CHROMIUM says where one is")
    if not required:
        pytest.importorskip("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def _shot(page: Any, name: str) -> None:
    folder = os.environ.get("MEMASSAY_SCREENSHOTS")
    if folder:
        page.wait_for_timeout(700)
        page.screenshot(path=str(Path(folder) / f"review-{name}.png"))


def _log_in(browser: Any, served: Served, name: str, **settings: Any) -> Any:
    context = browser.new_context(**{"viewport": {"width": 1360, "height": 850}, **settings})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.goto(f"{served.address}/")
    if name == "zoe":
        _shot(page, "login")
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("button.primary")
    page.wait_for_selector("table")
    page.wrong = wrong
    return page


def _decide_by(served: Served, reviewer: str, item: str, vote: Vote) -> None:
    served.desk.open_item(item, reviewer)
    served.desk.submit(item, reviewer, f"{reviewer} {item}", vote)


def _edit(page: Any, served: Served, item: str) -> None:
    """Open a visual question, add rival evidence, edit the gold, look at the difference, submit."""
    begun = time.monotonic()
    page.goto(f"{served.address}/item/{item}")
    page.wait_for_selector(".round.evidence")
    assert time.monotonic() - begun < 5.0
    _shot(page, "item")
    page.keyboard.press("/")
    page.keyboard.type("yard")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found .round")
    page.locator("#found [data-add]").first.click()
    page.fill("[name=values]", GOLD)
    page.wait_for_selector("#check ins", timeout=20_000)
    assert GOLD in page.inner_text("#check")
    assert "Evidence" in page.inner_text("#check")
    page.locator("#check").scroll_into_view_if_needed()
    _shot(page, "edit")
    page.reload()
    assert page.input_value("[name=values]") == GOLD
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".toast", timeout=30_000)


def _write(page: Any, served: Served, item: str) -> str:
    """Write a new visual question by clicking its evidence; gives its id."""
    page.goto(f"{served.address}/write/{item}")
    page.select_option("[name=code]", "mr")
    page.fill(
        "[name=text]",
        "Which delivery window has the tallest bar in the first chart that Wei shows?",
    )
    page.fill("[name=values]", "Teatime")
    page.locator("details.session summary").first.click()
    page.wait_for_selector(".session-rounds figure [data-add]")
    page.locator(".session-rounds figure [data-add]").first.click()
    assert "IMG_" in page.input_value("[name=evidence]")
    _shot(page, "write")
    page.click("#write button.primary")
    page.wait_for_selector(".toast b, #check .alert", timeout=30_000)
    assert page.locator("#check .alert").count() == 0, page.inner_text("#check")
    return str(page.inner_text(".toast b"))


def _adjudicate(page: Any, served: Served, item: str) -> None:
    page.goto(f"{served.address}/disputes")
    _shot(page, "disputes")
    page.locator("tbody a").first.click()
    page.wait_for_selector("text=They disagree")
    assert "the reader pass has an expiry, too" in page.inner_text("main")
    _shot(page, "adjudicate")
    page.keyboard.press("a")
    page.wait_for_url("**/disputes*")
    page.goto(f"{served.address}/item/{item}/voted")
    assert "decides" in page.inner_text("main")
    _shot(page, "voted")


def _pictures(browser: Any, served: Served, page: Any, item: str) -> None:
    """Pages that the walk does not pass, for the pictures only."""
    if not os.environ.get("MEMASSAY_SCREENSHOTS"):
        return
    page.goto(f"{served.address}/")
    _shot(page, "queue")
    page.goto(f"{served.address}/bulk?reason=policy")
    _shot(page, "bulk")
    page.goto(f"{served.address}/owner")
    _shot(page, "owner")
    dark = _log_in(browser, served, "eve", color_scheme="dark")
    dark.goto(f"{served.address}/item/{item}")
    _shot(dark, "dark")
    dark.keyboard.press("?")
    _shot(dark, "keys")
    narrow = _log_in(browser, served, "bob", viewport={"width": 390, "height": 844})
    narrow.goto(f"{served.address}/item/{served.items('fact_recall')[0]}")
    _shot(narrow, "narrow")


@pytest.mark.slow
def test_the_walk_from_the_login_to_the_release(tmp_path: Path) -> None:
    """Edited, adjudicated and written by hand in a browser, all of it is in the next release."""
    with _browser() as browser:
        recipe, folder = tmp_path / "walk.yaml", tmp_path / "workspace"
        recipe.write_text(RECIPE, encoding="utf-8")
        _run(recipe, folder)
        with _served(folder) as served:
            disputed, edited = served.items("visual_reasoning")[:2]
            _decide_by(served, "ada", disputed, YES)
            _decide_by(served, "bob", disputed, NO)
            page = _log_in(browser, served, "zoe")
            _edit(page, served, edited)
            page.keyboard.press("u")
            page.wait_for_url(f"**/item/{edited}")
            _edit(page, served, edited)
            _adjudicate(page, served, disputed)
            written = _write(page, served, edited)
            _pictures(browser, served, page, served.items("visual_search")[0])
            assert page.wrong == []
            _agree(served, edited)
        _run(recipe, folder)
        with _served(folder) as served:
            _agree(served, edited)
        _run(recipe, folder)
        released = sorted((folder / "releases").iterdir(), key=lambda each: each.stat().st_mtime)
        questions = {one.id: one for one in _questions(released[-1])}
        gold = {value for one in questions.values() for value in one.answer.values}
        assert GOLD in gold
        assert written in questions
        assert len(questions) == 5


def _agree(served: Served, edited: str) -> None:
    """Two others accept what is open, and the edit as it was made."""
    made = served.desk.votes(edited, "zoe")[-1]["edits"]
    for head in served.content.page({"state": "open"}, (-1, -1), 100):
        for reviewer in PEOPLE:
            served.desk.give_back(head.item, reviewer)
        for reviewer in ("ada", "bob"):
            if served.content.head(head.item).state != "open":
                continue
            vote = YES
            if head.item == edited:
                vote = Vote(Ruling.ACCEPT, ReasonCode.CORRECT_AFTER_EDIT, edits=_changes(made))
            _decide_by(served, reviewer, head.item, vote)


def _changes(made: Any) -> tuple[Any, ...]:
    from memassay.annotation.desk_shapes import Change

    return tuple(Change(**each) for each in made)


def _questions(release: Path) -> list[QAItem]:
    return list(open_release(release).questions())
