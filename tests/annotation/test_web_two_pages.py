"""Two pages of one item: neither goes over the other's draft, or lets go of the item for it."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from support.saving_desk import Desk, desk_of_ada
from support.web_builder import Browser, Pages, pages
from support.web_walking import chromium, new_page, shot

from memassay.annotation.storage.tables import OPEN_PAGES

MINE, OTHER = "The hive stands behind the shed.", "The hive stands before the shed."


def _only(built: Pages) -> str:
    return next(iter(built.items.values()))


def _send(browser: Browser, path: str, **fields: str) -> Any:
    headers = {"X-Save": "1", "X-CSRF-Token": browser.token}
    return browser.client.post(path, data=fields, headers=headers, follow_redirects=False)


def _draft(browser: Browser, name: str, page: str, seen: str, comment: str) -> Any:
    return _send(browser, f"/item/{name}/draft", ticket=page, seen=seen, comment=comment)


def test_a_draft_of_another_page_is_not_replaced(tmp_path: Path) -> None:
    """The page that comes second is given it, and may replace it once it has seen it."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        first = _draft(ada, name, "one", "", MINE).json()["seen"]
        assert f'name="seen" value="{first}"' in ada.get(f"/item/{name}").text
        refused = _draft(ada, name, "two", "", OTHER)
        assert (refused.status_code, refused.json()["fields"]["comment"]) == (409, MINE)
        assert refused.json()["seen"] == first
        assert built.desk.draft(name, "ada").document["comment"] == MINE
        assert _draft(ada, name, "two", first, OTHER).status_code == 200
        assert _draft(ada, name, "one", first, MINE + " Yes.").status_code == 409


def test_a_page_goes_on_with_its_own_draft(tmp_path: Path) -> None:
    """Also where the answer to the last one was lost; the same words of two pages are one draft."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        for comment in (MINE, OTHER):
            assert _draft(ada, name, "one", "", comment).status_code == 200
        assert _draft(ada, name, "two", "", OTHER).status_code == 200


def test_the_same_words_once_more_are_no_change(tmp_path: Path) -> None:
    """A page sends them when it is closed, which may come after the next page was opened."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        seen = _draft(ada, name, "one", "", MINE).json()["seen"]
        draft = {"ticket": "one", "seen": "", "comment": MINE, "seconds": "9"}
        assert _send(ada, f"/item/{name}/draft", **draft).json()["seen"] == seen
        vote = {"ruling": "accept", "ticket": "two", "comment": MINE, "seen": "old"}
        assert _send(ada, f"/item/{name}/vote", **vote).status_code == 204


def test_a_vote_does_not_drop_a_draft_that_its_page_has_not_seen(tmp_path: Path) -> None:
    """Without a script it is a page; with what the draft is by now, the vote is taken."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        seen = _draft(ada, name, "one", "", MINE).json()["seen"]
        vote = {"ruling": "accept", "ticket": "two", "comment": ""}
        assert _send(ada, f"/item/{name}/vote", **vote, seen="").status_code == 409
        page = ada.post(f"/item/{name}/vote", **vote, seen="")
        assert (page.status_code, "another page of yours" in page.text) == (409, True)
        assert built.workspace.queue.item(name).state == "open"
        assert _send(ada, f"/item/{name}/vote", **vote, seen=seen).status_code == 204
        assert built.desk.draft(name, "ada").document == {}


def test_a_blind_answer_is_no_change_of_the_draft(tmp_path: Path) -> None:
    """It is kept beside it, and by every page that saves one later."""
    with pages(tmp_path, blind_rate=1.0) as built:
        ada, name = built.browser("ada"), _only(built)
        seen = _draft(ada, name, "one", "", MINE).json()["seen"]
        assert _send(ada, f"/item/{name}/blind", blind="bees").status_code == 204
        assert _draft(ada, name, "two", seen, OTHER).status_code == 200
        kept = built.desk.draft(name, "ada").document
        assert (kept["blind"], kept["comment"]) == ("bees", OTHER)


def test_the_last_page_lets_go_of_its_item(tmp_path: Path) -> None:
    """Whichever beat last; the item is held as long as the longest of the others."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        path = f"/item/{name}"
        until = {}
        for page in ("one", "two", "three"):
            built.now[0] += 10
            until[page] = str(_send(ada, f"{path}/heartbeat", page=page).json()["until"])
        _send(ada, f"{path}/release", page="two", until=until["two"])
        assert str(built.desk.held_until(name, "ada")) == until["three"]
        _send(ada, f"{path}/release", page="three", until=until["three"])
        assert str(built.desk.held_until(name, "ada")) == until["one"]
        _send(ada, f"{path}/release", page="one", until=until["one"])
        assert built.desk.held_until(name, "ada") is None


def test_a_page_that_is_left_for_another_of_its_item_holds_nothing(tmp_path: Path) -> None:
    """The other one does, and lets go of it alone."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        for page in ("item", "history"):
            answer = _send(ada, f"/item/{name}/heartbeat", page=page)
        _send(ada, f"/item/{name}/release", page="item")
        assert built.desk.held_until(name, "ada") is not None
        _send(ada, f"/item/{name}/release", page="history", until=str(answer.json()["until"]))
        assert built.desk.held_until(name, "ada") is None


def test_a_page_whose_heartbeats_stopped_holds_nothing(tmp_path: Path) -> None:
    """A browser died; the item is free once the page that is still there is left."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        _send(ada, f"/item/{name}/heartbeat", page="dead")
        built.now[0] += 290
        _send(ada, f"/item/{name}/heartbeat", page="here")
        built.now[0] += 20
        until = str(built.desk.held_until(name, "ada"))
        _send(ada, f"/item/{name}/release", page="here", until=until)
        assert built.desk.held_until(name, "ada") is None


def _two(desk: Desk) -> tuple[Any, Any]:
    """Two tabs of one item, both of which have said that they are there."""
    first = desk.open()
    second = first.context.new_page()
    with second.expect_response("**/heartbeat"):
        second.goto(first.url)
    return first, second


def _pages(desk: Desk) -> int:
    with desk.built.workspace.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(OPEN_PAGES)).scalar_one())


@pytest.mark.slow
def test_two_tabs_of_an_item(tmp_path: Path) -> None:
    """Who typed in both chooses; voting in the one asks too; closing it leaves the item held."""
    with chromium() as browser, desk_of_ada(tmp_path, new_page(browser)) as desk:
        first, second = _two(desk)
        first.fill("[name=comment]", MINE)
        desk.wait("a draft", lambda: desk.draft().get("comment") == MINE)
        second.fill("[name=comment]", OTHER)
        second.wait_for_selector("[data-changed]")
        shot(second, "two-tabs")
        assert desk.draft()["comment"] == MINE
        second.click("text=Take what is there")
        assert second.input_value("[name=comment]") == MINE
        second.fill("[name=comment]", OTHER)
        desk.wait("the other draft", lambda: desk.draft().get("comment") == OTHER)
        first.click("[data-action=accept]")
        first.wait_for_selector("[data-changed]")
        assert desk.state() == "open"
        first.click("text=Keep what is here")
        desk.wait("the first draft again", lambda: desk.draft().get("comment") == MINE)
        second.close(run_before_unload=True)
        with first.expect_navigation():
            first.click("[data-action=accept]")
        assert desk.built.desk.votes(desk.items[0], "ada")[0]["comment"] == MINE


@pytest.mark.slow
def test_a_tab_that_is_closed_leaves_the_item_to_the_other(tmp_path: Path) -> None:
    """And the other lets go of it when it is left, too."""
    with chromium() as browser, desk_of_ada(tmp_path, new_page(browser)) as desk:
        first, second = _two(desk)
        assert _pages(desk) == 2
        second.close(run_before_unload=True)
        desk.wait("one page less", lambda: _pages(desk) == 1)
        assert desk.holders() == 1
        first.goto("about:blank")
        desk.wait("the item to be free", lambda: desk.holders() == 0)
