"""What the review pages withstand beside the usual: odd forms, hostile files, curious people."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from support.fixtures import TALK, asset, attached, bundle, item, png, session, utterance
from support.web_builder import GATE, RUN, Browser, Pages, pages

from memassay.annotation.pages.history_content import HistoryPreview
from memassay.annotation.pages.security import Guard
from memassay.annotation.voting.shapes import Vote
from memassay.flows.edits.history_edits import HistoryEdits
from memassay.flows.review.page_content import review_content
from memassay.schemas.judgements.review import ReasonCode, Ruling

YES = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
LONG = "9" * 5000
BEES = "I keep bees behind the shed."


def _remembered(built: Pages, *records: Any, **more: Any) -> None:
    """As a gate leaves it that has seen the whole conversation."""
    known = bundle(*(records or (item(),)), **more).records()
    built.workspace.queue.remember(RUN, GATE, {TALK: built.workspace.store.put_all(known)})


@pytest.fixture
def built(tmp_path: Path) -> Any:
    """Pages over one question whose evidence lies in its second session."""
    question, sessions = item(evidence=["D2:1"]), _sessions()
    with pages(tmp_path, question, sessions=sessions) as made:
        _remembered(made, question, sessions=sessions)
        yield made


@pytest.fixture
def blind(tmp_path: Path) -> Any:
    """The same, answered by everybody before they see the gold."""
    question, sessions = item(evidence=["D2:1"]), _sessions()
    with pages(tmp_path, question, sessions=sessions, blind_rate=1.0) as made:
        _remembered(made, question, sessions=sessions)
        yield made


def _sessions() -> list[Any]:
    other = utterance("D1:1", "My dog Rex sleeps all day.", "ben")
    return [session(1, other), session(2, utterance("D2:1", BEES))]


def _only(built: Pages) -> str:
    (name,) = built.items.values()
    return name


@pytest.mark.parametrize(
    "path",
    [
        f"/?after={LONG}.1",
        f"/?after=1.{'9' * 30}",
        f"/item/ITEM/history?op=move_session&place=D1&position={LONG}",
    ],
)
def test_a_number_of_any_length_breaks_no_page(built: Pages, path: str) -> None:
    """What is no place in a queue or a history is read as none."""
    answer = built.browser("eve").get(path.replace("ITEM", _only(built)))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("history/check", {"op": "move_session", "place": "D1", "position": LONG}),
        ("history/check", {"op": "redact", "place": "D2:1.1", "words": "bees", "start": LONG}),
        ("check", {"evidence": "nonsense"}),
        ("check", {"format": "nonsense"}),
        ("vote", {"token": "ü"}),
    ],
)
def test_a_form_that_will_not_do_is_told_so(
    built: Pages, action: str, form: dict[str, str]
) -> None:
    """No form ends in an error of the server."""
    eve = built.browser("eve")
    assert eve.post(f"/item/{_only(built)}/{action}", **form).status_code < 500


def test_drafts_are_of_items_that_there_are(built: Pages) -> None:
    """A draft for any name would fill the database."""
    ada = built.browser("ada")
    assert ada.post("/item/R000000000000/draft", text="x").status_code == 400
    assert ada.post("/item/R000000000000/blind", blind="x").status_code == 400
    assert built.desk.draft("R000000000000", "ada").document == {}


def test_a_body_in_pieces_does_not_hide_its_length() -> None:
    """A length and pieces of unknown length together are two claims; neither is believed."""

    async def read(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        await PlainTextResponse("read")(scope, receive, send)

    browser = TestClient(Guard(read, alone=False))
    headers = {"content-length": "3", "transfer-encoding": "chunked"}
    assert browser.post("/login", content=b"abc", headers=headers).status_code == 411


@pytest.mark.parametrize("media_type", ["text/html", "image/svg+xml", "text/javascript"])
def test_an_asset_that_is_no_picture_is_not_shown(tmp_path: Path, media_type: str) -> None:
    """Whatever its record says of it, a browser takes it for bytes to keep."""
    given = asset(data=png(7)).model_copy(update={"media_type": media_type})
    shown = [session(1, utterance("D1:1", BEES, attachments=[attached("D1:IMG_001")]))]
    with pages(tmp_path, item(), given, sessions=shown) as built:
        _remembered(built, item(), given, sessions=shown)
        name, ada = _only(built), built.browser("ada")
        assert ada.get(f"/item/{name}").status_code == 200
        for path in (f"/item/{name}/image/D1:IMG_001", f"/item/{name}/history/asset/A1"):
            answer = ada.get(path)
            assert answer.status_code == 200
            assert answer.headers["content-type"] == "application/octet-stream"
            assert answer.headers["content-disposition"] == "attachment"


def test_a_blob_that_is_gone_is_told(tmp_path: Path) -> None:
    """A picture that cannot be read is no fault of the pages."""
    given = asset(data=png(8))
    shown = [session(1, utterance("D1:1", BEES, attachments=[attached("D1:IMG_001")]))]
    with pages(tmp_path, item(), given, sessions=shown) as built:
        answer = built.browser("ada").get(f"/item/{_only(built)}/image/D1:IMG_001")
    assert answer.status_code == 400


def _leaks(browser: Browser, name: str) -> list[str]:
    """Pages that tell what a question cites or answers."""
    places = ("session/D2", "search?words=bees")
    found = [place for place in places if "evidence" in _shown(browser, f"/item/{name}/{place}")]
    check = browser.post(f"/item/{name}/check", values="goats")
    return found + (["check"] if "bees" in check.text else [])


def _shown(browser: Browser, path: str) -> str:
    return str(browser.get(path).text).replace("Add as evidence", "")


def test_a_control_is_as_blind_as_any_other_item(blind: Pages) -> None:
    """It is decided, and looks open to whoever is measured by it."""
    name = _only(blind)
    blind.desk.open_item(name, "bob")
    blind.desk.submit(name, "bob", "t", YES)
    blind.desk.make_control(name)
    blind.desk.control_rate = 1.0
    ada = blind.browser("ada")
    assert "Answer first" in ada.get("/next").text
    assert _leaks(ada, name) == []
    ada.post(f"/item/{name}/blind", blind="bees")
    assert _leaks(ada, name) == ["session/D2", "search?words=bees", "check"]


def test_a_vote_waits_for_the_blind_answer(blind: Pages) -> None:
    """Whatever a browser sends: no draft is an answer, nor is nothing; what was given stands."""
    name, ada = _only(blind), blind.browser("ada")
    assert "bees" not in ada.get(f"/item/{name}").text.replace(BEES, "")
    ada.post(f"/item/{name}/draft", blind="seen", comment="hm")
    refused = ada.post(f"/item/{name}/vote", ruling="accept", ticket="t", blind="seen")
    assert refused.status_code == 400
    assert "your own answer to its question first" in refused.text
    assert ada.post(f"/item/{name}/blind", blind=" ").status_code == 400
    assert ada.post(f"/item/{name}/blind", blind="wasps").status_code == 303
    ada.post(f"/item/{name}/draft", comment="so it is", blind="bees")
    for _ in range(2):
        sent = {"ruling": "accept", "ticket": "t", "comment": "so it is", "blind": "bees"}
        assert ada.post(f"/item/{name}/vote", **sent).status_code == 303
    (vote,) = blind.desk.votes(name, "ada")
    assert vote["comment"] == "so it is [answered blind: wasps]"


def test_a_dispute_shows_annotators_no_more_than_before(blind: Pages) -> None:
    """Whoever was about to answer blind when somebody escalated it still is."""
    name, ada = _only(blind), blind.browser("ada")
    ada.get(f"/item/{name}")
    blind.desk.give_back(name, "ada")
    blind.desk.skip(name, "bob", "escalated")
    assert _leaks(ada, name) == []
    assert _leaks(blind.browser("eve"), name) != []


def test_a_history_is_not_opened_before_a_blind_answer(blind: Pages) -> None:
    """It opens at the session that the question cites: its address leads to the question."""
    name, ada = _only(blind), blind.browser("ada")
    for page in ("", "/history"):
        shown = ada.get(f"/item/{name}{page}").text
        assert "Answer first" in shown
        assert BEES not in shown
    assert ada.get(f"/item/{name}/history/form?op=edit_turn&place=D1:1.1").status_code == 400
    ada.post(f"/item/{name}/blind", blind="bees")
    assert ada.get(f"/item/{name}/history").status_code == 200


def _change(browser: Browser, name: str, text: str, comment: str = "") -> Any:
    path = f"/item/{name}/history"
    form = {"op": "edit_turn", "place": "D1:1.1"}
    page = browser.get(path, params=form).text
    base = re.search(r'name="base" value="([0-9a-f]+)"', page)
    assert base is not None, page
    return browser.post(path, base=base[1], text=text, comment=comment, **form)


def test_who_changed_a_history_and_why_is_not_for_other_annotators(built: Pages) -> None:
    """They see that it was changed; who adjudicates sees by whom, and what they said of it."""
    name, zoe, ada = _only(built), built.browser("zoe"), built.browser("ada")
    assert _change(zoe, name, "My cat Rex sleeps all day.", "heard wrongly").status_code == 303
    ada.get(f"/item/{name}")
    theirs = ada.get(f"/item/{name}/history").text
    assert "Changes that stand" in theirs
    assert "heard wrongly" not in theirs
    assert "<b>zoe</b>" not in theirs
    own = built.browser("eve").get(f"/item/{name}/history").text
    assert "heard wrongly" in own
    assert "<b>zoe</b>" in own


def test_questions_that_a_change_holds_back_do_not_tell_their_gold(
    built: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else is to answer one of them blind; who adjudicates reads why it is held."""
    why = ((f"{TALK}/Q001", "expected 'honey' in its evidence"),)
    preview = HistoryPreview((), (), (), (), why, {"conversation": 1}, ())
    monkeypatch.setattr(HistoryEdits, "preview", lambda *_: preview)
    name, form = _only(built), {"op": "merge_sessions", "place": "D2"}
    ada, eve = built.browser("ada"), built.browser("eve")
    ada.get(f"/item/{name}")
    said, told = (one.post(f"/item/{name}/history/check", **form).text for one in (ada, eve))
    assert f"{TALK}/Q001" in said
    assert "honey" not in said
    assert "honey" in told


def test_that_a_vote_was_saved_is_told_once(tmp_path: Path) -> None:
    """On the page that follows, and on no other that is opened soon after."""
    with pages(tmp_path, item(), item(id=f"{TALK}/Q002"), item(id=f"{TALK}/Q003")) as built:
        ada, names = built.browser("ada"), list(built.items.values())
        ada.vote(names[0])
        assert "Votes and certificate" in ada.get(f"/item/{names[1]}").text
        assert "Votes and certificate" not in ada.get(f"/item/{names[2]}").text


def test_without_scripts_a_vote_after_an_undo_counts(built: Pages) -> None:
    """Every page has a ticket of its own, so that the second vote is not taken for the first."""
    name, ada = _only(built), built.browser("ada")
    for _ in range(2):
        page = ada.get(f"/item/{name}").text
        ticket = re.search(r'name="ticket" value="([^"]*)"', page)
        assert ticket is not None
        ada.post(f"/item/{name}/vote", ruling="accept", ticket=ticket[1])
        assert review_content(built.workspace).queue.head(name).state == "decided"
        assert ada.post("/undo").status_code == 303
