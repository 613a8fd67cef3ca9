"""The pages on which people change a history, asked over HTTP."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.fixtures import (
    TALK,
    asset,
    attached,
    bundle,
    item,
    png,
    session,
    talk,
    utterance,
)
from support.web_builder import GATE, RUN, Browser, Pages, pages

from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType

BEES = "I keep bees behind the shed."


def _records() -> list[Any]:
    value = FactValue(type=ValueType.TEXT, text="bees")
    fact = Fact(id=f"{TALK}/F001", subject="ann", attribute="pets", value=value)
    mention = Mention(
        id=f"{TALK}/M001",
        fact=fact.id,
        round="D1:1",
        turn="D1:1.1",
        modality=Modality.TEXT,
        speaker="ann",
        span=[7, 11],
    )
    return [item(), asset(data=png(7)), asset("A2", png(9)), fact, mention]


def _sessions() -> list[Any]:
    first = session(
        1,
        utterance("D1:1", BEES, attachments=[attached("D1:IMG_001")]),
        utterance("D1:2", "My dog Rex sleeps all day.", "ben"),
    )
    return [first, session(2, utterance("D2:1", "The hive gave nine jars of honey."))]


@pytest.fixture
def built(tmp_path: Path) -> Any:
    """Pages over a conversation of two sessions with an image."""
    with pages(tmp_path, *_records(), sessions=_sessions()) as made:
        made.workspace.blobs.put(png(9))
        records = bundle(*_records(), sessions=_sessions()).records()
        hashes = made.workspace.store.put_all(records)
        made.workspace.queue.remember(RUN, GATE, {TALK: hashes})
        yield made


def _path(built: Pages) -> str:
    return f"/item/{built.items[f'{TALK}/Q001']}/history"


def _base(browser: Browser, path: str, op: str, place: str) -> str:
    page = browser.get(f"{path}/form?op={op}&place={place}")
    assert page.status_code == 200, page.text
    found = re.search(r'name="base" value="([0-9a-f]+)"', page.text)
    assert found is not None
    return found.group(1)


def _save(browser: Browser, path: str, **form: str) -> Any:
    return browser.post(path, base=_base(browser, path, form["op"], form["place"]), **form)


def test_an_edit_is_shown_before_it_is_saved(built: Pages) -> None:
    """Word by word, with what is no longer said, and how much changes; then it waits."""
    eve, path = built.browser("eve"), _path(built)
    said = {"op": "edit_turn", "place": "D1:1.1", "text": "I keep goats behind the shed."}
    preview = eve.post(f"{path}/check", **said).text
    assert "<del>bees</del>" in preview
    assert "<ins>goats</ins>" in preview
    assert "is no longer said here" in preview
    answer = _save(eve, path, **said, comment="heard wrongly")
    assert answer.status_code == 303
    page = eve.get(answer.headers["location"]).text
    assert "I keep goats behind the shed." in page
    assert "heard wrongly" in page
    assert "Take back" in page


def test_words_are_redacted_where_they_were_selected_or_written(built: Pages) -> None:
    """Words that the turn does not say are refused, and the form comes back."""
    eve, path = built.browser("eve"), _path(built)
    wrong = _save(eve, path, op="redact", place="D1:1.1", words="goats", start="7")
    assert wrong.status_code == 400
    assert "expected words that it says" in wrong.text
    assert 'value="goats"' in wrong.text
    _save(eve, path, op="redact", place="D1:1.1", words="bees", start="")
    assert "I keep [redacted] behind the shed." in eve.get(f"{path}?opened=D1").text


def test_images_are_placed_moved_and_removed(built: Pages) -> None:
    """At any turn, from what the conversation has; bytes come from the store alone."""
    eve, path = built.browser("eve"), _path(built)
    form = eve.get(f"{path}/form?op=place_image&place=D2:1.1").text
    assert f'value="{TALK}/A2"' in form
    asked = {"op": "place_image", "place": "D2:1.1", "asset": f"{TALK}/A2", "caption": "jars"}
    assert _save(eve, path, **asked).status_code == 303
    assert "D2:IMG_001" in eve.get(f"{path}?opened=D2").text
    assert _save(eve, path, op="move_image", place="D1:IMG_001", turn="D2:1.1").status_code == 303
    assert "D2:IMG_002" in eve.get(f"{path}?opened=D2").text
    assert _save(eve, path, op="remove_image", place="D2:IMG_001").status_code == 303
    shown = eve.get(f"{path}?opened=D2").text
    assert '<span class="place">D2:IMG_001</span>' not in shown
    assert '<span class="place">D2:IMG_002</span>' in shown
    assert eve.get(f"{path}/asset/A2").headers["content-type"] == "image/png"
    assert eve.get(f"{path}/asset/A9").status_code == 404
    assert eve.get(f"{path}/asset/..%2F..%2Fwork").status_code == 404


def _bring(browser: Browser, path: str, picture: bytes, licence: str = "CC0-1.0") -> Any:
    files = {"picture": ("p.png", picture, "image/png")}
    data = {"token": browser.token, "licence": licence, "attribution": "eve"}
    return browser.client.post(f"{path}/image", data=data, files=files)


def test_an_image_of_one_s_own_is_placed(built: Pages) -> None:
    """Brought under a licence, it is an asset of the history once the change is saved."""
    eve, path = built.browser("eve"), _path(built)
    brought = _bring(eve, path, png(90, (40, 30)))
    found = re.search(r'value="([^"]+)" checked', brought.text)
    assert found is not None
    assert eve.get(f"{path}/asset/{found[1].rpartition('/')[2]}").status_code == 200
    asked = {"op": "place_image", "place": "D2:1.1", "asset": found[1], "caption": "a meadow"}
    assert "1 asset" in eve.post(f"{path}/check", **asked).text
    assert _save(eve, path, **asked).status_code == 303
    assert "D2:IMG_001" in eve.get(f"{path}?opened=D2").text
    content = built.app.state.pages.content.editing
    (own,) = [
        one
        for one in content.history(built.items[f"{TALK}/Q001"]).bundle.assets
        if one.id == found[1]
    ]
    assert (own.licence, own.attribution, own.origin) == ("CC0-1.0", "eve", "person")


def test_what_cannot_be_brought_is_refused(built: Pages) -> None:
    """No file, no image, no licence; one that is there already is not there twice."""
    eve, path = built.browser("eve"), _path(built)
    assert eve.post(f"{path}/image").status_code == 400
    assert _bring(eve, path, b"no image").status_code == 400
    assert _bring(eve, path, png(90), "all mine").status_code == 400
    assert f'value="{TALK}/A2" checked' in _bring(eve, path, png(9)).text
    assert _bring(eve, path, bytes(9 * 1024 * 1024)).status_code == 413


def test_images_of_a_history_are_for_who_may_change_it(built: Pages) -> None:
    """Another reviewer, who holds no item of it, is given none, shown or not."""
    ada, path = built.browser("ada"), _path(built)
    assert ada.get(f"{path}/asset/A2").status_code == 409
    assert _bring(ada, path, png(90)).status_code == 409
    assert ada.get(path.removesuffix("/history")).status_code == 200
    assert ada.get(f"{path}/asset/A2").status_code == 200


def test_sessions_are_merged_split_and_moved(built: Pages) -> None:
    """Out of the order of time nothing goes; the message says so, and what would do."""
    eve, path = built.browser("eve"), _path(built)
    assert (
        "between 2024-03-04 and 2024-03-11"
        in eve.get(f"{path}/form?op=split_session&place=D1:2").text
    )
    preview = eve.post(f"{path}/check", op="merge_sessions", place="D2").text
    assert 'becomes <span class="place">D1</span>' in preview
    refused = eve.post(f"{path}/check", op="move_session", place="D2", position="1").text
    assert "time.session_order" in refused
    assert (
        _save(eve, path, op="move_session", place="D2", position="1", date="2024-03-01").status_code
        == 303
    )
    assert _save(eve, path, op="move_round", place="D2:2", session="D2", position="1")
    assert _save(eve, path, op="merge_sessions", place="D2").status_code == 303
    page = eve.get(f"{path}?opened=D1").text
    assert page.index("nine jars") < page.index("My dog Rex") < page.index("I keep bees")


def test_only_who_holds_an_item_or_adjudicates_changes_its_history(built: Pages) -> None:
    """An annotator opens the item first; the latest change is taken back by who made it."""
    ada, bob, path = built.browser("ada"), built.browser("bob"), _path(built)
    name = built.items[f"{TALK}/Q001"]
    assert ada.get(path).status_code == 409
    assert ada.get(f"/item/{name}").status_code == 200
    assert "Edit the history" in ada.get(path).text
    assert bob.get(path).status_code == 409
    said = {"op": "edit_turn", "place": "D1:2.1", "text": "My dog Rex is awake."}
    assert _save(ada, path, **said).status_code == 303
    page = ada.get(path).text
    found = re.search(r'name="name" value="(S[0-9a-f]+)"', page)
    assert found is not None
    assert bob.post(f"{path}/back", name=found.group(1)).status_code == 409
    assert ada.post(f"{path}/back", name=found.group(1)).status_code == 303
    assert "My dog Rex sleeps all day." in ada.get(f"{path}?opened=D1").text


def test_forms_without_a_token_and_places_that_are_none_are_refused(built: Pages) -> None:
    """As everywhere on the pages; what people wrote comes out as text."""
    eve, path = built.browser("eve"), _path(built)
    assert eve.post(path, token="", op="merge_sessions", place="D2").status_code == 403
    assert eve.get(f"{path}/form?op=burn&place=D1").status_code == 404
    assert eve.get(f"{path}/form?op=edit_turn&place=D9:1.1").status_code == 404
    assert eve.get(f"{path}/session/D9").status_code == 404
    _save(eve, path, op="edit_turn", place="D1:2.1", text="<script>alert(1)</script>")
    page = eve.get(f"{path}?opened=D1").text
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_a_change_of_an_older_state_is_refused(built: Pages) -> None:
    """Who changes what somebody has changed meanwhile sees it first."""
    eve, path = built.browser("eve"), _path(built)
    old = _base(eve, path, "edit_turn", "D1:2.1")
    _save(eve, path, op="merge_sessions", place="D2")
    late = eve.post(path, base=old, op="edit_turn", place="D1:2.1", text="Hello.")
    assert late.status_code == 400
    assert "it has changed since" in late.text


def test_a_round_goes_up_and_down_by_one_click(built: Pages) -> None:
    """Beside it stand links to forms that say already where it would go."""
    eve, path = built.browser("eve"), _path(built)
    page = unescape(eve.get(f"{path}?opened=D1").text)
    links = re.findall(r'hx-get="([^"]+op=move_round[^"]+)"', page)
    assert len(links) == 2
    down = eve.get(links[0]).text
    assert 'name="session" value="D1"' in down
    assert 'name="position" inputmode="numeric" value="2"' in down


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>"


@pytest.mark.parametrize(
    "form",
    [
        {"op": "edit_turn", "place": "D2:1.1", "text": f"bees {HOSTILE}"},
        {"op": "redact", "place": "D1:1.1", "words": HOSTILE},
        {"op": "place_image", "place": "D2:1.1", "asset": HOSTILE, "caption": HOSTILE},
        {"op": "move_image", "place": "D1:IMG_001", "turn": HOSTILE},
        {"op": "split_session", "place": "D1:2", "date": HOSTILE},
        {"op": "move_round", "place": "D1:2", "session": HOSTILE, "position": HOSTILE},
        {"op": HOSTILE, "place": HOSTILE},
    ],
)
def test_what_a_form_holds_is_inert(tmp_path: Path, form: dict[str, str]) -> None:
    """So are names, titles and captions that models wrote: in the page, preview and message."""
    talking = talk(*_sessions(), title=HOSTILE)
    named = [one.model_copy(update={"name": HOSTILE}) for one in talking.speakers]
    talking = talking.model_copy(update={"speakers": named})
    with pages(tmp_path, *_records(), talking) as built:
        records = bundle(*_records(), talking).records()
        hashes = built.workspace.store.put_all(records)
        built.workspace.queue.remember(RUN, GATE, {TALK: hashes})
        eve, path = built.browser("eve"), _path(built)
        answers = [
            eve.get(path, params=form),
            eve.get(f"{path}/form", params=form),
            eve.post(f"{path}/check", **form),
            eve.post(path, base="x", comment=HOSTILE, **form),
        ]
    for answer in answers:
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "\"'>" not in answer.text
