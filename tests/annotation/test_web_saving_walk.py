"""What happens to what people type: sessions that end, servers that fail, other accounts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.fixtures import bundle, numbered
from support.saving_desk import Desk, asked, desk_of_ada
from support.web_builder import GATE, PASSWORD, RUN
from support.web_walking import chromium, follow, new_page, press, shot

from memassay.annotation.pages.security import COOKIE
from memassay.annotation.storage.tables import DRAFTS

pytestmark = [pytest.mark.ci, pytest.mark.slow]
WORDS = "Rex is a cat, and the hive stands behind the shed."


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """One page for all: a browser of its own for each takes most of the time of a test."""
    with chromium() as opened:
        yield new_page(opened)


@pytest.fixture
def desk(tmp_path: Path, page: Any) -> Iterator[Desk]:
    """Three questions, and ada before them."""
    with desk_of_ada(tmp_path, page) as made:
        yield made


def _log_in(page: Any, address: str, name: str) -> None:
    if address:
        page.goto(address)
    page.fill("[name=name]", name)
    page.fill("[name=password]", PASSWORD)
    follow(page, "Enter")


def _edit(page: Any) -> None:
    press(page, "e")
    page.fill("[name=values]", "a cat")
    page.fill("[name=comment]", WORDS)


def test_what_is_typed_after_a_session_ended_is_back_after_the_login(desk: Desk) -> None:
    """The page says so, keeps it in the browser, and it is saved and voted after the login."""
    page = desk.open()
    desk.end_sessions()
    _edit(page)
    page.wait_for_selector("[data-state=ended]")
    shot(page, "ended")
    assert desk.draft() == {}
    assert len(desk.copies()) == 1
    with page.expect_navigation():
        page.click("[data-state] [data-login]")
    _log_in(page, "", "ada")
    page.wait_for_url(f"**/item/{desk.items[0]}")
    page.wait_for_selector("[data-restored]")
    shot(page, "restored")
    assert (page.input_value("[name=values]"), page.input_value("[name=comment]")) == (
        "a cat",
        WORDS,
    )
    desk.wait("the draft to be saved", lambda: desk.draft().get("comment") == WORDS)
    desk.wait("no copy", lambda: desk.copies() == [])
    follow(page, "Control+Enter")
    page.wait_for_selector(".toast")
    assert desk.state() == "decided"
    assert desk.built.desk.votes(desk.items[0], "ada")[0]["comment"] == WORDS


def test_a_vote_after_the_session_ended_keeps_the_page(desk: Desk) -> None:
    """Nothing is lost and nothing counts as saved; logged in elsewhere, the page goes on."""
    page = desk.open()
    page.fill("[name=comment]", WORDS)
    desk.wait("a draft", lambda: desk.draft().get("comment") == WORDS)
    desk.end_sessions()
    page.click("[data-action=accept]")
    page.wait_for_selector("[data-state=ended]")
    assert page.input_value("[name=comment]") == WORDS
    assert desk.state() == "open"
    other = page.context.new_page()
    _log_in(other, f"{desk.address}/login", "ada")
    other.close()
    with page.expect_navigation():
        page.click("[data-action=accept]")
    assert desk.state() == "decided"


def test_another_account_never_sees_what_was_typed(desk: Desk) -> None:
    """Neither in its page nor under its name; it waits for who typed it."""
    page = desk.open()
    desk.built.desk.give_back(desk.items[0], "ada")
    desk.end_sessions()
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("[data-state=ended]")
    with page.expect_navigation():
        page.click("[data-state] [data-login]")
    _log_in(page, "", "bob")
    page.wait_for_url(f"**/item/{desk.items[0]}")
    page.wait_for_load_state("load")
    assert WORDS not in page.content()
    assert page.input_value("[name=comment]") == ""
    assert desk.built.desk.draft(desk.items[0], "bob").document == {}
    follow(page, "s")
    with page.expect_navigation():
        page.click("text=Log out")
    _log_in(page, f"{desk.address}/login?next=/item/{desk.items[0]}", "ada")
    page.wait_for_selector("[data-restored]")
    assert page.input_value("[name=comment]") == WORDS


def test_a_page_of_one_account_saves_nothing_as_another(desk: Desk) -> None:
    """Somebody else logged in in another tab; the open page says so."""
    page = desk.open()
    other = page.context.new_page()
    _log_in(other, f"{desk.address}/login", "bob")
    page.bring_to_front()
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("[data-state=ended]:has-text('logged in as bob')")
    page.click("[data-action=accept]")
    page.wait_for_selector("[data-state=ended]:has-text('logged in as bob')")
    assert (desk.state(), page.input_value("[name=comment]")) == ("open", WORDS)
    with desk.built.workspace.engine.connect() as connection:
        assert connection.execute(select(DRAFTS)).all() == []
    other.close()


def test_offline_is_said_and_made_up_for(desk: Desk) -> None:
    """What is typed meanwhile is kept and sent once the server answers; so is a vote."""
    page = desk.open()
    page.context.set_offline(True)
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("[data-state=offline]")
    page.click("[data-action=accept]")
    page.wait_for_selector("[data-state=offline]:has-text('not saved')")
    shot(page, "offline")
    assert page.input_value("[name=comment]") == WORDS
    page.context.set_offline(False)
    desk.wait("the draft", lambda: desk.draft().get("comment") == WORDS)
    page.wait_for_selector("[data-state=saved]")
    with page.expect_navigation():
        page.click("[data-action=accept]")
    assert desk.state() == "decided"


def test_a_refused_vote_stays_on_its_page(desk: Desk) -> None:
    """Whatever the server answers, what was typed is there, and is saved the next time."""
    page = desk.open()
    _edit(page)
    for status in (500, 503, 413, 404):
        desk.fault.answers = {"/vote": status}
        with page.expect_response(lambda one: one.url.endswith("/vote")):
            page.click("[data-action=accept]")
        page.wait_for_selector("#vote [data-problem]")
        assert page.input_value("[name=values]") == "a cat"
        assert page.input_value("[name=comment]") == WORDS
    desk.fault.answers = {}
    with page.expect_navigation():
        page.click("[data-action=accept]")
    assert desk.state() == "decided"


def test_forms_beside_items_stay_on_their_pages_too(desk: Desk) -> None:
    """Joining, and accepting many at once: refused, they say so where they are."""
    page = desk.page
    page.goto(f"{desk.address}/join?invitation=once")
    page.fill("[name=name]", "cleo")
    page.fill("[name=password]", PASSWORD)
    desk.fault.answers = {"/join": 500}
    page.click("button.primary")
    page.wait_for_selector("[data-problem]:has-text('500')")
    assert page.input_value("[name=name]") == "cleo"
    session = desk.built.app.state.pages.sessions.begin("zoe", "owner")
    page.context.add_cookies([{"name": COOKIE, "value": session, "url": desk.address}])
    page.goto(f"{desk.address}/bulk?reason=policy")
    desk.fault.answers = {"/bulk": 409}
    page.click("button.primary")
    page.wait_for_selector("[data-problem]:has-text('409')")
    desk.fault.answers = {}
    with page.expect_navigation():
        page.click("button.primary")
    assert [desk.state(number) for number in range(3)] == ["decided"] * 3


def test_what_a_rule_refuses_stands_beside_its_field(desk: Desk) -> None:
    """The field is marked, has the focus, and everything typed is still there."""
    page = desk.open()
    _edit(page)
    page.fill("[name=evidence]", "D9:9")
    page.click("[data-action=accept]")
    page.wait_for_selector("[name=evidence][aria-invalid=true]")
    line = page.locator("label:has([name=evidence]) + [data-problem]")
    assert "D9:9" in line.inner_text()
    assert page.evaluate("document.activeElement.name") == "evidence"
    shot(page, "refused")
    page.fill("[name=evidence]", "D1:1")
    page.fill("[name=text]", " ")
    page.click("[data-action=accept]")
    page.wait_for_selector("[name=text][aria-invalid=true]")
    assert page.input_value("[name=values]") == "a cat"


def test_a_form_that_is_too_large_is_not_sent(desk: Desk) -> None:
    """It is said at once, and the text stays."""
    page = desk.open()
    press(page, "e")
    page.fill("[name=text]", "x" * 300_000)
    page.wait_for_selector("#vote [data-problem]:has-text('too large')")
    page.click("[data-action=accept]")
    page.wait_for_selector("#vote [data-problem]:has-text('too large')")
    assert len(page.input_value("[name=text]")) == 300_000


def test_a_lease_that_somebody_else_took_is_said_inline(desk: Desk) -> None:
    """What was typed is not lost, and can be read after a reload."""
    page = desk.open()
    page.context.set_offline(True)
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("[data-state=offline]")
    desk.built.desk.give_back(desk.items[0], "ada")
    desk.built.desk.open_item(desk.items[0], "bob")
    desk.fault.answers = {"/draft": 500}
    page.context.set_offline(False)
    page.click("[data-action=accept]")
    page.wait_for_selector("#vote [data-problem]:has-text('somebody else')")
    assert page.input_value("[name=comment]") == WORDS
    page.reload()
    page.wait_for_selector(f"[data-refused] pre:has-text('{WORDS}')")


def test_a_draft_is_back_only_once(desk: Desk) -> None:
    """Discarded, it is gone from the browser and from the server."""
    page = desk.open()
    desk.fault.answers = {"/draft": 500}
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("#vote [data-problem]")
    page.reload()
    page.wait_for_selector("[data-restored]")
    desk.fault.answers = {}
    page.click("[data-restored] button")
    assert page.input_value("[name=comment]") == ""
    desk.wait("no copy", lambda: desk.copies() == [])
    page.reload()
    assert page.locator("[data-restored]").count() == 0


def test_a_copy_never_goes_over_a_later_draft_unasked(desk: Desk) -> None:
    """Typed here and not saved, then typed and saved on another machine: both can be had."""
    page = desk.open()
    desk.fault.answers = {"/draft": 500}
    page.fill("[name=comment]", WORDS)
    page.wait_for_selector("#vote [data-problem]")
    desk.fault.answers = {}
    desk.built.desk.save_draft(desk.items[0], "ada", {"comment": "from home"})
    page.route("**/draft", lambda route: route.abort())
    desk.open()
    page.wait_for_selector("[data-restored]:has-text('another draft')")
    assert page.input_value("[name=comment]") == "from home"
    page.unroute("**/draft")
    page.click("text=Use it")
    assert page.input_value("[name=comment]") == WORDS
    desk.wait("the draft", lambda: desk.draft().get("comment") == WORDS)
    page.click("text=Discard it")
    assert page.input_value("[name=comment]") == "from home"
    desk.wait("the draft", lambda: desk.draft().get("comment") == "from home")


def test_reject_takes_two_keys(desk: Desk) -> None:
    """R, and the digit of the reason."""
    page = desk.open()
    press(page, "r")
    page.wait_for_selector("#reasons[open]")
    shot(page, "reasons")
    follow(page, "2")
    (vote,) = desk.built.desk.votes(desk.items[0], "ada")
    assert (vote["ruling"], vote["reason"]) == ("reject", "wrong_evidence")


def test_a_page_that_is_left_lets_go_of_its_item(desk: Desk) -> None:
    """By a link, by going back, or closed; a reload, and what belongs to the item, keep it."""
    page = desk.open()
    assert desk.holders() == 1
    page.reload()
    desk.wait("the item to be held", lambda: desk.holders() == 1)
    follow(page, "h")
    page.wait_for_load_state("load")
    assert (desk.holders(), page.locator("h1").first.inner_text()) == (1, "Edit the history")
    follow(page, "i")
    page.wait_for_load_state("load")
    assert desk.holders() == 1
    with page.expect_navigation():
        page.click(".brand")
    desk.wait("the item to be free", lambda: desk.holders() == 0)
    page.go_back()
    page.wait_for_selector("#vote")
    desk.wait("the item to be held again", lambda: desk.holders() == 1)
    page.go_forward()
    desk.wait("the item to be free", lambda: desk.holders() == 0)
    again = page.context.new_page()
    again.goto(f"{desk.address}/item/{desk.items[1]}")
    again.wait_for_load_state("load")
    again.close(run_before_unload=True)
    desk.wait("the item to be free", lambda: desk.holders(1) == 0)


def test_logging_out_saves_what_was_typed_and_lets_go(desk: Desk) -> None:
    """Within the second in which no draft was sent yet."""
    page = desk.open()
    page.fill("[name=comment]", WORDS)
    with page.expect_navigation():
        page.click("text=Log out")
    assert desk.draft().get("comment") == WORDS
    assert (desk.holders(), desk.copies()) == (0, [])


def test_a_new_question_survives_the_end_of_a_session(desk: Desk) -> None:
    """It is in the browser until it is saved, and what is wrong stands beside its field."""
    page = desk.page
    page.goto(f"{desk.address}/write/{desk.items[0]}")
    page.wait_for_load_state("load")
    page.fill("[name=values]", "bees")
    desk.end_sessions()
    page.fill("[name=text]", "What does Ann keep behind the shed?")
    page.click("[data-action=accept]")
    page.wait_for_selector("#write [data-state=ended]")
    with page.expect_navigation():
        page.click("[data-state] [data-login]")
    _log_in(page, "", "ada")
    page.wait_for_selector("[data-restored]")
    assert page.input_value("[name=text]") == "What does Ann keep behind the shed?"


def test_a_history_that_is_changed_survives_the_end_of_a_session(desk: Desk) -> None:
    """The form stays with its button, and goes on once somebody has logged in elsewhere."""
    records = bundle(*numbered(3, asked)).records()
    desk.built.workspace.queue.remember(
        RUN, GATE, {"talk": desk.built.workspace.store.put_all(records)}
    )
    page = desk.open()
    follow(page, "h")
    page.get_by_role("link", name="Edit D1:1.1", exact=True).first.click()
    page.fill("#operation [name=text]", "I keep goats.")
    page.wait_for_selector("#preview ins:has-text('goats')")
    desk.end_sessions()
    page.fill("#operation [name=text]", "I keep many goats.")
    page.wait_for_selector("#operation [data-state=ended]")
    other = page.context.new_page()
    _log_in(other, f"{desk.address}/login", "ada")
    other.close()
    with page.expect_navigation():
        page.click("#operation [data-action=accept]")
    page.wait_for_selector(".toast:has-text('Proposed')")
    assert desk.copies() == []


def test_a_blind_answer_survives_the_end_of_a_session(tmp_path: Path, page: Any) -> None:
    """It is sent after the login, and the gold is shown then."""
    with desk_of_ada(tmp_path, page, blind_rate=1.0) as desk:
        desk.open()
        desk.end_sessions()
        page.fill("[name=blind]", "bees, I think")
        press(page, "Enter")
        page.wait_for_selector(".blind [data-state=ended]")
        with page.expect_navigation():
            page.click(".blind [data-login]")
        _log_in(page, "", "ada")
        page.wait_for_selector("[data-restored]")
        with page.expect_navigation():
            page.click(".blind button.primary")
        page.wait_for_selector("text=You answered")
        assert desk.draft()["blind"] == "bees, I think"


def test_searching_after_the_session_ended_says_so(desk: Desk) -> None:
    """And shows no form to log in where rounds are looked for."""
    page = desk.open()
    desk.end_sessions()
    press(page, "/")
    page.keyboard.type("bees")
    press(page, "Enter")
    page.wait_for_selector("#found :text('Your session has ended')")
    assert page.locator("#found form").count() == 0
    page.locator("details.session summary").first.click()
    page.wait_for_selector(".session-rounds :text('Your session has ended')")


def test_copies_of_older_pages_are_cleared_away(desk: Desk) -> None:
    """They stood under the page alone, for every account to read; those too old go, too."""
    page = desk.open()
    old = json.dumps({"at": 0, "fields": []})
    page.evaluate("localStorage.setItem('memassay-/write/R1', '{}')")
    page.evaluate(f"localStorage.setItem('memassay:copy:ada:/item/R1:vote', '{old}')")
    page.reload()
    assert page.evaluate("Object.keys(localStorage)") == []
