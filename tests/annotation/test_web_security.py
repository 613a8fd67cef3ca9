"""What the review pages withstand."""

import re
from pathlib import Path

import pytest
from support.fixtures import asset, attached, item, session, talk, utterance
from support.web_builder import PASSWORD, Pages, pages, png

from memassay.annotation.pages.security import COOKIE

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>{{7*7}}"


def _hostile_pages(folder: Path) -> Pages:
    shown = [attached("D1:IMG_001", caption=HOSTILE)]
    rounds = utterance("D1:1", f"I keep {HOSTILE} bees.", attachments=shown)
    conversation = talk(session(1, rounds), title=HOSTILE)
    question = item(
        HOSTILE,
        [HOSTILE],
        ["D1:1"],
        equivalents=[HOSTILE],
        coarser=[HOSTILE],
        format_prompt=HOSTILE,
    )
    with pages(folder, question, conversation, asset(data=png(7)), users=False) as built:
        return built


@pytest.mark.parametrize(
    "path", ["", "/session/D1", "/search?words=bees", "/search?words=%3Cscript%3E", "/voted"]
)
def test_what_models_write_is_inert(tmp_path: Path, path: str) -> None:
    """Script and HTML in every field come out as text."""
    built = _hostile_pages(tmp_path)
    browser = built.browser("me")
    (name,) = built.items.values()
    if path == "/voted":
        browser.vote(name, comment=HOSTILE)
    said = browser.get(f"/item/{name}{path}").text
    assert "<script>alert" not in said
    assert "<img src=x" not in said
    assert "49" not in re.sub(r"[\w-]{20,}", "", said) or "{{7*7}}" in said


def test_the_check_of_an_edit_is_inert(tmp_path: Path) -> None:
    """The difference that is shown before saving is text as well."""
    built = _hostile_pages(tmp_path)
    browser = built.browser("me")
    (name,) = built.items.values()
    said = browser.post(f"/item/{name}/check", text=f"Why {HOSTILE}?").text
    assert "&lt;script&gt;" in said
    assert "<script>alert" not in said


def test_every_answer_forbids_what_we_never_wrote(tmp_path: Path) -> None:
    """Pages carry a policy without inline script or style, from nowhere else."""
    with pages(tmp_path) as built:
        policy = built.browser("ada").get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_templates_hold_no_inline_script_or_style(repository: Path) -> None:
    """The policy would block them, and nobody would notice on the server."""
    for path in sorted((repository / "annotation" / "pages" / "web_templates").glob("*.html")):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<script(?![^>]*(src=|application/json))", text), path.name
        assert not re.search(r"<style|\sstyle=|\son\w+=|\|\s*safe", text), path.name


@pytest.mark.parametrize("action", ["vote", "draft", "skip", "heartbeat", "check", "blind"])
@pytest.mark.parametrize("token", ["", "x" * 32])
def test_a_form_of_another_site_is_refused(tmp_path: Path, action: str, token: str) -> None:
    """Without the token of the session nothing is changed."""
    with pages(tmp_path) as built:
        browser = built.browser("ada")
        (name,) = built.items.values()
        browser.get(f"/item/{name}")
        answer = browser.post(f"/item/{name}/{action}", ruling="accept", token=token)
        assert answer.status_code == 403
        assert built.workspace.queue.item(name).state == "open"


@pytest.mark.parametrize("path", ["/undo", "/logout", "/bulk"])
def test_other_forms_need_the_token_too(tmp_path: Path, path: str) -> None:
    """Undo, logout and accepting many are no exception."""
    with pages(tmp_path) as built:
        assert built.browser("zoe").post(path, token="").status_code == 403


def test_a_session_that_was_planted_is_not_taken_over(tmp_path: Path) -> None:
    """A login gives a session of a new name and ends the one before."""
    with pages(tmp_path) as built:
        browser = built.browser()
        browser.client.cookies.set(COOKIE, "planted", domain="127.0.0.1")
        browser.log_in("ada")
        first = {cookie.value for cookie in browser.client.cookies.jar}
        assert "planted" not in first
        browser.log_in("ada")
        thief = built.browser()
        for name in first:
            thief.client.cookies.set(COOKIE, str(name))
        assert thief.get("/", follow_redirects=False).headers["location"] == "/login"


def test_the_session_cookie_is_out_of_reach_of_scripts(tmp_path: Path) -> None:
    """It is HttpOnly and never sent along from another site."""
    with pages(tmp_path) as built:
        answer = built.browser().client.post(
            "/login", data={"name": "ada", "password": PASSWORD}, follow_redirects=False
        )
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "samesite=strict" in answer.headers["set-cookie"].lower()


def test_guessing_passwords_is_slowed_down(tmp_path: Path) -> None:
    """After twenty tries within a minute even the right one has to wait; after five it does not."""
    with pages(tmp_path) as built:
        browser = built.browser()
        tries = [browser.log_in("ada", f"wrong {number}") for number in range(5)]
        assert (tries, browser.log_in("ada")) == ([401] * 5, 303)
        again = [browser.log_in("ada", f"wrong {number}") for number in range(16)]
        assert again == [401] * 15 + [429]
        assert browser.log_in("ada") == 429


@pytest.mark.parametrize("size", [300_000, 3_000_000])
def test_an_oversized_body_is_refused(tmp_path: Path, size: int) -> None:
    """No form is larger than a quarter of a megabyte."""
    with pages(tmp_path) as built:
        browser = built.browser("ada")
        (name,) = built.items.values()
        assert browser.post(f"/item/{name}/draft", comment="x" * size).status_code == 413


def test_a_body_of_unknown_length_is_refused(tmp_path: Path) -> None:
    """A body that comes in pieces could have any size."""
    with pages(tmp_path) as built:
        browser = built.browser("ada")
        answer = browser.client.post("/undo", content=iter([b"token="]))
        assert answer.status_code == 411


@pytest.mark.parametrize(
    "attachment",
    ["../../memassay.sqlite", "..%2F..%2Fmemassay.sqlite", "%00", "D9:IMG_999", "/etc/passwd"],
)
def test_image_ids_reach_nothing_else(tmp_path: Path, attachment: str) -> None:
    """An id is looked up among what the item shows; it is never a path."""
    with pages(tmp_path) as built:
        browser = built.browser("ada")
        (name,) = built.items.values()
        assert browser.get(f"/item/{name}/image/{attachment}").status_code == 404


@pytest.mark.parametrize("name", ["../x", "R' OR 1=1 --", "%2e%2e", "Rffffffffffff"])
def test_item_ids_reach_nothing_else(tmp_path: Path, name: str) -> None:
    """What is not in the queue is not found."""
    with pages(tmp_path) as built:
        assert built.browser("ada").get(f"/item/{name}").status_code == 404


def test_an_image_that_the_item_shows_is_served(tmp_path: Path) -> None:
    """What the item shows arrives, byte for byte, as what it is."""
    built = _hostile_pages(tmp_path)
    (name,) = built.items.values()
    answer = built.browser("me").get(f"/item/{name}/image/D1:IMG_001")
    assert answer.content == png(7)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_others_votes_and_names_are_unreadable_before_ones_own(tmp_path: Path) -> None:
    """Blind means blind: pages, drafts and votes of others say nothing."""
    with pages(tmp_path, votes=2) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        (name,) = built.items.values()
        assert ada.vote(name, "reject", reason="leaked", comment="a secret").status_code == 303
        seen = bob.get(f"/item/{name}").text + bob.get("/").text
        refused = bob.get(f"/item/{name}/voted")
        assert not re.search(r"\bada\b", seen + refused.text)
        assert "a secret" not in seen + refused.text
        assert refused.status_code == 400


def test_drafts_are_ones_own(tmp_path: Path) -> None:
    """What somebody has not sent yet is shown to nobody else."""
    with pages(tmp_path, votes=2) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        (name,) = built.items.values()
        ada.get(f"/item/{name}")
        assert ada.post(f"/item/{name}/draft", comment="half a thought").status_code == 200
        assert "half a thought" in ada.get(f"/item/{name}").text
        assert "half a thought" not in bob.get(f"/item/{name}").text


def test_a_lease_that_ran_out_is_told_and_loses_nothing(tmp_path: Path) -> None:
    """Somebody else has the item: a clear message, and the draft stays."""
    with pages(tmp_path) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        (name,) = built.items.values()
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/draft", comment="a long thought")
        built.now[0] += 1000
        bob.get(f"/item/{name}")
        answer = ada.post(f"/item/{name}/vote", ruling="accept", ticket="t")
        assert answer.status_code == 409
        assert "ran out" in answer.text
        assert built.desk.draft(name, "ada").document == {"comment": "a long thought"}


@pytest.mark.parametrize("path", ["/disputes", "/owner", "/owner/log", "/bulk?reason=policy"])
def test_annotators_see_no_pages_of_others_roles(tmp_path: Path, path: str) -> None:
    """Adjudicating, bulk accepting and overviews are for those who may."""
    with pages(tmp_path) as built:
        assert built.browser("ada").get(path).status_code == 403


@pytest.mark.parametrize("path", ["/", "/next", "/item/x", "/write", "/owner", "/item/x/image/y"])
def test_nothing_is_shown_without_a_login(tmp_path: Path, path: str) -> None:
    """Every page leads to the login."""
    with pages(tmp_path) as built:
        answer = built.browser().get(path, follow_redirects=False)
        login, _, _ = answer.headers["location"].partition("?")
        assert (answer.status_code, login) == (303, "/login")


def test_without_a_login_only_this_machine_is_answered(tmp_path: Path) -> None:
    """A foreign name that points at this address reads nothing."""
    with pages(tmp_path, users=False) as built:
        browser = built.browser()
        answer = browser.get("/login", headers={"host": "evil.example"})
        assert answer.status_code == 421
        assert "set-cookie" not in answer.headers
