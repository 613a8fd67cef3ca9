"""How what people fill in is saved, asked over HTTP as the script of the pages does."""

from pathlib import Path
from typing import Any

import pytest
from support.fixtures import item, numbered
from support.web_builder import PASSWORD, Pages, pages

SCRIPT = {"X-Save": "1"}


def _only(built: Pages) -> str:
    return next(iter(built.items.values()))


def _send(browser: Any, path: str, **fields: str) -> Any:
    headers = {**SCRIPT, "X-CSRF-Token": browser.token}
    return browser.client.post(path, data=fields, headers=headers, follow_redirects=False)


@pytest.mark.parametrize("action", ["draft", "vote", "skip", "blind", "heartbeat", "history"])
def test_a_session_that_ended_is_no_success(tmp_path: Path, action: str) -> None:
    """A script is told so; a redirection to the login would look like a page that was saved."""
    with pages(tmp_path) as built:
        answer = _send(built.browser(), f"/item/{_only(built)}/{action}", comment="typed")
        assert answer.status_code == 401
        assert "Your session has ended" in answer.text
        assert built.desk.draft(_only(built), "ada").document == {}


def test_what_is_saved_leads_on_by_a_header(tmp_path: Path) -> None:
    """So that the script goes there itself, once it knows that it is saved."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        answer = _send(ada, f"/item/{name}/vote", ruling="accept", ticket="t")
        assert (answer.status_code, answer.headers["x-onward"]) == (204, "/next")
        assert "memassay_saved" in answer.headers["set-cookie"]


def test_what_is_refused_names_its_field(tmp_path: Path) -> None:
    """The page shows it beside that."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        ada.get(f"/item/{name}")
        for fields, field in (
            ({"ruling": "reject"}, "reason"),
            ({"ruling": "accept", "text": "What?", "evidence": "D9:9"}, "evidence"),
            ({"ruling": "accept", "text": " "}, "text"),
        ):
            answer = _send(ada, f"/item/{name}/vote", **fields)
            assert (answer.status_code, answer.headers["x-field"]) == (400, field)


def test_a_page_left_open_learns_who_is_logged_in(tmp_path: Path) -> None:
    """With the token that forms need by now; nobody else learns it."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        known = ada.client.get("/session", headers=SCRIPT).json()
        assert known == {"reviewer": "ada", "token": ada.token}
        assert built.browser().client.get("/session", headers=SCRIPT).status_code == 401


def test_a_login_leads_back_to_the_page(tmp_path: Path) -> None:
    """That was asked for without a session."""
    with pages(tmp_path) as built:
        browser = built.browser()
        path = f"/item/{_only(built)}?reason=policy"
        form = browser.get(path)
        assert form.url.path == "/login"
        wanted = form.url.params["next"]
        data = {"name": "ada", "password": PASSWORD, "next": wanted}
        answer = browser.client.post("/login", data=data, follow_redirects=False)
        assert answer.headers["location"] == path


@pytest.mark.parametrize(
    "onward", ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nb: c", "", "\\"]
)
def test_a_login_leads_nowhere_else(tmp_path: Path, onward: str) -> None:
    """A link to the login must not send people to another site."""
    with pages(tmp_path) as built:
        data = {"name": "ada", "password": PASSWORD, "next": onward}
        answer = built.browser().client.post("/login", data=data, follow_redirects=False)
        assert answer.headers["location"] == "/"


def test_a_server_that_fails_answers_with_a_page(tmp_path: Path) -> None:
    """Of ours, under our policy; a script gets the line."""
    with pages(tmp_path) as built:

        def broken(*given: Any) -> None:
            raise ZeroDivisionError(str(given))

        built.desk.skip = broken  # type: ignore[method-assign, assignment]
        ada, path = built.browser("ada"), f"/item/{_only(built)}/skip"
        ada.client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
        page = ada.post(path)
        assert page.status_code == 500
        assert "<!doctype html>" in page.text
        assert "default-src 'none'" in page.headers["content-security-policy"]
        line = _send(ada, path)
        assert line.status_code == 500
        assert "<!doctype" not in line.text


def test_a_form_that_is_too_large_is_refused_in_a_page(tmp_path: Path) -> None:
    """Not in a bare line."""
    with pages(tmp_path) as built:
        answer = built.browser("ada").post(f"/item/{_only(built)}/draft", comment="x" * 300_000)
        assert (answer.status_code, "<!doctype html>" in answer.text) == (413, True)


def test_an_item_is_let_go_of_by_the_page_that_holds_it(tmp_path: Path) -> None:
    """What was leased again since stays: a page that was opened later holds it."""
    with pages(tmp_path) as built:
        ada, bob, name = built.browser("ada"), built.browser("bob"), _only(built)
        ada.get(f"/item/{name}")
        first = built.desk.held_until(name, "ada")
        built.now[0] += 10
        ada.get(f"/item/{name}")
        assert ada.post(f"/item/{name}/release", until=str(first)).status_code == 204
        assert bob.get(f"/item/{name}").status_code == 400
        until = str(built.desk.held_until(name, "ada"))
        assert bob.post(f"/item/{name}/release", until=until).status_code == 204
        assert built.desk.held_until(name, "ada") is not None
        assert ada.post(f"/item/{name}/release", until=until).status_code == 204
        assert bob.get(f"/item/{name}").status_code == 200
        assert ada.post(f"/item/{name}/release", until="soon").status_code == 400


def test_a_lease_that_ran_out_is_taken_again_where_it_is_free(tmp_path: Path) -> None:
    """A laptop that was closed wakes up; where somebody else has the item it is told so."""
    with pages(tmp_path) as built:
        ada, bob, name = built.browser("ada"), built.browser("bob"), _only(built)
        ada.get(f"/item/{name}")
        built.desk.give_back(name, "ada")
        assert ada.post(f"/item/{name}/heartbeat").status_code == 200
        built.desk.give_back(name, "ada")
        bob.get(f"/item/{name}")
        answer = ada.post(f"/item/{name}/heartbeat")
        assert (answer.status_code, "somebody else has it" in answer.text) == (409, True)


def test_a_dispute_has_no_lease_to_lose(tmp_path: Path) -> None:
    """Who decides it is not told each minute that theirs ran out."""
    with pages(tmp_path) as built:
        ada, eve, name = built.browser("ada"), built.browser("eve"), _only(built)
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/skip", how="escalate")
        page = eve.get(f"/item/{name}")
        assert page.status_code == 200
        assert "data-until" not in page.text


def test_the_bar_shows_the_votes_of_who_looks(tmp_path: Path) -> None:
    """With two votes needed nothing is decided by the first, and still it moves."""
    asked = numbered(2, lambda number: item(f"What does Ann keep, {number}?"))
    with pages(tmp_path, *asked, votes=2) as built:
        ada = built.browser("ada")
        assert 'max="4" value="0"' in ada.get("/").text
        ada.vote(_only(built))
        page = ada.get("/").text
        assert 'max="4" value="1"' in page
        assert "0 of 2 decided · 1 vote by you" in page
        assert "0 votes by you" in built.browser("bob").get("/").text


def test_what_waits_for_other_votes_is_not_called_open_with_others(tmp_path: Path) -> None:
    """It has this reviewer's vote."""
    with pages(tmp_path, votes=2) as built:
        ada = built.browser("ada")
        ada.vote(_only(built))
        done = ada.get("/next").text
        assert "1 with your vote that waits for others, 0 open with others" in done


def test_rounds_show_the_date_of_their_session(tmp_path: Path) -> None:
    """The evidence, what is found, and what is unfolded."""
    with pages(tmp_path) as built:
        ada, name = built.browser("ada"), _only(built)
        for path in ("", "/search?words=bees", "/session/D1"):
            shown = ada.get(f"/item/{name}{path}").text
            assert '<time class="quiet" datetime="2024-03-04">2024-03-04</time>' in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [("the", "with all these words"), ("THE shed", "D1:1"), ("a", "with all these words")],
)
def test_articles_are_found(tmp_path: Path, words: str, said: str) -> None:
    """Alone they are looked for; beside other words either article will do."""
    with pages(tmp_path) as built:
        found = built.browser("ada").get(f"/item/{_only(built)}/search?words={words}").text
        assert said in found
        assert "No round" not in found


def test_a_search_without_a_word_asks_for_one(tmp_path: Path) -> None:
    """It does not say that no round holds it."""
    with pages(tmp_path) as built:
        found = built.browser("ada").get(f"/item/{_only(built)}/search?words=?!").text
        assert "Type a word" in found


def test_owners_shut_people_out_by_a_button(tmp_path: Path) -> None:
    """And let them in again; nobody else may, and nobody shuts themselves out."""
    from sqlalchemy import insert

    from memassay.annotation.storage.tables import REVIEWERS

    with pages(tmp_path) as built:
        people = [{"name": "ada", "role": "annotator"}, {"name": "zoe", "role": "owner"}]
        with built.workspace.engine.begin() as connection:
            rows = [{**one, "password": "", "disabled": False} for one in people]
            connection.execute(insert(REVIEWERS), rows)
        ada, zoe = built.browser("ada"), built.browser("zoe")
        assert "Shut out" in zoe.get("/owner").text
        assert ada.post("/owner/people", name="zoe", how="out").status_code == 403
        assert zoe.post("/owner/people", name="zoe", how="out").status_code == 400
        assert zoe.post("/owner/people", name="ada", how="out").status_code == 303
        built.app.state.pages.sessions._kept.clear()
        assert ada.get("/", follow_redirects=False).status_code == 303
        assert "Let in again" in zoe.get("/owner").text
        zoe.post("/owner/people", name="ada", how="in")
        assert built.browser("ada").get("/").status_code == 200


def test_disputes_say_which_a_voter_may_not_decide(tmp_path: Path) -> None:
    """As long as somebody else can."""
    from sqlalchemy import insert

    from memassay.annotation.storage.tables import REVIEWERS

    with pages(tmp_path, votes=2) as built:
        name = _only(built)
        with built.workspace.engine.begin() as connection:
            rows = [
                {"name": one, "role": "adjudicator", "password": "", "disabled": False}
                for one in ("eve", "zoe")
            ]
            connection.execute(insert(REVIEWERS), rows)
        eve, ada = built.browser("eve"), built.browser("ada")
        eve.vote(name)
        ada.vote(name, "reject", reason="leaked", ticket="t2")
        listed = eve.get("/disputes").text
        assert "you voted; another decides" in listed
        assert f'href="/item/{name}"' not in listed
        assert f'href="/item/{name}"' in built.browser("zoe").get("/disputes").text
