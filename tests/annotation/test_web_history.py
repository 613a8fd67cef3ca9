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

from memassay.annotation.voting.proposals import HistoryPolicy, Proposals
from memassay.schemas.base import Modality
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType

pytestmark = pytest.mark.slow(seconds=0.4)

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
    zoe, path = built.browser("zoe"), _path(built)
    said = {"op": "edit_turn", "place": "D1:1.1", "text": "I keep goats behind the shed."}
    preview = zoe.post(f"{path}/check", **said).text
    assert "<del>bees</del>" in preview
    assert "<ins>goats</ins>" in preview
    assert "is no longer said here" in preview
    answer = _save(zoe, path, **said, comment="heard wrongly")
    assert answer.status_code == 303
    page = zoe.get(answer.headers["location"]).text
    assert "I keep goats behind the shed." in page
    assert "heard wrongly" in page
    assert "Take back" in page


def test_words_are_redacted_where_they_were_selected_or_written(built: Pages) -> None:
    """Words that the turn does not say are refused, and the form comes back."""
    zoe, path = built.browser("zoe"), _path(built)
    wrong = _save(zoe, path, op="redact", place="D1:1.1", words="goats", start="7")
    assert wrong.status_code == 400
    assert "expected words that it says" in wrong.text
    assert 'value="goats"' in wrong.text
    _save(zoe, path, op="redact", place="D1:1.1", words="bees", start="")
    assert "I keep [redacted] behind the shed." in zoe.get(f"{path}?opened=D1").text


def test_images_are_placed_moved_and_removed(built: Pages) -> None:
    """At any turn, from what the conversation has; bytes come from the store alone."""
    zoe, path = built.browser("zoe"), _path(built)
    form = zoe.get(f"{path}/form?op=place_image&place=D2:1.1").text
    assert f'value="{TALK}/A2"' in form
    asked = {"op": "place_image", "place": "D2:1.1", "asset": f"{TALK}/A2", "caption": "jars"}
    assert _save(zoe, path, **asked).status_code == 303
    assert "D2:IMG_001" in zoe.get(f"{path}?opened=D2").text
    assert _save(zoe, path, op="move_image", place="D1:IMG_001", turn="D2:1.1").status_code == 303
    assert "D2:IMG_002" in zoe.get(f"{path}?opened=D2").text
    assert _save(zoe, path, op="remove_image", place="D2:IMG_001").status_code == 303
    shown = zoe.get(f"{path}?opened=D2").text
    assert '<span class="place">D2:IMG_001</span>' not in shown
    assert '<span class="place">D2:IMG_002</span>' in shown
    assert zoe.get(f"{path}/asset/A2").headers["content-type"] == "image/png"
    assert zoe.get(f"{path}/asset/A9").status_code == 404
    assert zoe.get(f"{path}/asset/..%2F..%2Fwork").status_code == 404


def _bring(browser: Browser, path: str, picture: bytes, licence: str = "CC0-1.0") -> Any:
    files = {"picture": ("p.png", picture, "image/png")}
    data = {"token": browser.token, "licence": licence, "attribution": "eve"}
    return browser.client.post(f"{path}/image", data=data, files=files)


def test_an_image_of_one_s_own_is_placed(built: Pages) -> None:
    """Brought under a licence, it is an asset of the history once the change is saved."""
    zoe, path = built.browser("zoe"), _path(built)
    brought = _bring(zoe, path, png(90, (40, 30)))
    found = re.search(r'value="([^"]+)" checked', brought.text)
    assert found is not None
    assert zoe.get(f"{path}/asset/{found[1].rpartition('/')[2]}").status_code == 200
    asked = {"op": "place_image", "place": "D2:1.1", "asset": found[1], "caption": "a meadow"}
    assert "1 asset" in zoe.post(f"{path}/check", **asked).text
    assert _save(zoe, path, **asked).status_code == 303
    assert "D2:IMG_001" in zoe.get(f"{path}?opened=D2").text
    content = built.app.state.pages.content.editing
    (own,) = [
        one
        for one in content.history(built.items[f"{TALK}/Q001"]).bundle.assets
        if one.id == found[1]
    ]
    assert (own.licence, own.attribution, own.origin) == ("CC0-1.0", "eve", "person")


def test_what_cannot_be_brought_is_refused(built: Pages) -> None:
    """No file, no image, no licence; one that is there already is not there twice."""
    zoe, path = built.browser("zoe"), _path(built)
    assert zoe.post(f"{path}/image").status_code == 400
    assert _bring(zoe, path, b"no image").status_code == 400
    assert _bring(zoe, path, png(90), "all mine").status_code == 400
    assert f'value="{TALK}/A2" checked' in _bring(zoe, path, png(9)).text
    assert _bring(zoe, path, bytes(9 * 1024 * 1024)).status_code == 413


def test_sessions_are_merged_split_and_moved(built: Pages) -> None:
    """Out of the order of time nothing goes; the message says so, and what would do."""
    zoe, path = built.browser("zoe"), _path(built)
    assert (
        "between 2024-03-04 and 2024-03-11"
        in zoe.get(f"{path}/form?op=split_session&place=D1:2").text
    )
    preview = zoe.post(f"{path}/check", op="merge_sessions", place="D2").text
    assert 'becomes <span class="place">D1</span>' in preview
    refused = zoe.post(f"{path}/check", op="move_session", place="D2", position="1").text
    assert "time.session_order" in refused
    assert (
        _save(zoe, path, op="move_session", place="D2", position="1", date="2024-03-01").status_code
        == 303
    )
    assert _save(zoe, path, op="move_round", place="D2:2", session="D2", position="1")
    assert _save(zoe, path, op="merge_sessions", place="D2").status_code == 303
    page = zoe.get(f"{path}?opened=D1").text
    assert page.index("nine jars") < page.index("My dog Rex") < page.index("I keep bees")


def _proposal(built: Pages) -> str:
    (item,) = [one.id for one in built.workspace.queue.items() if one.kind == "history_edit"]
    return item


AWAKE = {"op": "edit_turn", "place": "D1:2.1", "text": "My dog Rex is awake."}


def test_a_proposal_opens_at_the_round_that_changes(built: Pages) -> None:
    """Who votes on it reads it where it stands, without looking for it."""
    said = {"op": "edit_turn", "place": "D2:1.1", "text": "The hive gave ten jars of honey."}
    assert _save(built.browser("ada"), _path(built), **said).status_code == 303
    page = built.browser("bob").get(f"/item/{_proposal(built)}").text
    assert '<article class="round evidence" id="D2:1"' in page
    assert 'id="D1:1"' not in page


def test_an_edit_of_a_history_is_a_proposal_that_others_accept(built: Pages) -> None:
    """Its diff is shown to them without a name; whoever proposed it has no vote on it."""
    ada, bob, path = built.browser("ada"), built.browser("bob"), _path(built)
    assert _save(ada, path, **AWAKE, comment="he barked").status_code == 303
    name = _proposal(built)
    assert "My dog Rex sleeps all day." in ada.get(f"{path}?opened=D1").text
    assert "waits for votes" in ada.get(path).text
    assert ada.get(f"/item/{name}").status_code == 400
    assert ada.post(f"/item/{name}/vote", ruling="accept", ticket="t").status_code == 400
    page = bob.get(f"/item/{name}").text
    assert "<del>sleeps all day.</del>" in page
    assert "he barked" in page
    assert "by ada" not in page
    assert bob.vote(name).status_code == 303
    assert "My dog Rex is awake." in ada.get(f"{path}?opened=D1").text


def test_a_lease_is_no_permission_and_two_votes_are_two_votes(built: Pages) -> None:
    """A reviewer who holds the item changes nothing alone, nor together with one other."""
    policy = HistoryPolicy("propose", 2)
    Proposals(built.workspace.queue).set_policy(RUN, policy)
    ada, path = built.browser("ada"), _path(built)
    ada.get(path.removesuffix("/history"))
    _save(ada, path, **AWAKE)
    name = _proposal(built)
    built.browser("bob").vote(name)
    assert "My dog Rex sleeps all day." in ada.get(f"{path}?opened=D1").text
    built.browser("eve").vote(name, ticket="t2")
    assert "My dog Rex is awake." in ada.get(f"{path}?opened=D1").text


@pytest.mark.parametrize("mode", ["owner", "off"])
def test_a_recipe_leaves_histories_to_owners_or_to_nobody(built: Pages, mode: str) -> None:
    """An adjudicator decides no proposal then; an owner may, unless nobody edits at all."""
    Proposals(built.workspace.queue).set_policy(RUN, HistoryPolicy(mode, 1))
    ada, zoe, path = built.browser("ada"), built.browser("zoe"), _path(built)
    said = _save(ada, path, **AWAKE)
    if mode == "off":
        assert said.status_code == 400
        assert "history_edits: off" in unescape(said.text)
        assert _save(zoe, path, **AWAKE).status_code == 400
        for page in (f"{path}?opened=D1", f"{path}?op=edit_turn&place=D1:1.1"):
            assert "edit_turn" not in zoe.get(page).text, "nothing is offered that is refused"
        assert "Edit the history" not in zoe.get(path.removesuffix("/history")).text
        return
    name = _proposal(built)
    assert built.browser("eve").get(f"/item/{name}").status_code == 400
    assert zoe.vote(name).status_code == 303
    assert "My dog Rex is awake." in ada.get(f"{path}?opened=D1").text


def test_a_stricter_recipe_holds_for_what_waits_already(built: Pages) -> None:
    """What was proposed under one vote needs two, or an owner, as soon as the recipe says so."""
    book = Proposals(built.workspace.queue)
    ada, path = built.browser("ada"), _path(built)
    _save(ada, path, **AWAKE)
    name = _proposal(built)
    book.set_policy(RUN, HistoryPolicy("propose", 2))
    built.browser("bob").vote(name)
    assert built.workspace.queue.item(name).state == "open"
    book.set_policy(RUN, HistoryPolicy("owner", 1))
    assert built.browser("eve").get(f"/item/{name}").status_code == 400
    book.set_policy(RUN, HistoryPolicy("propose", 1))
    assert built.workspace.queue.item(name).state == "decided"


def test_a_proposal_is_withdrawn_by_who_made_it_and_an_edit_by_an_owner(built: Pages) -> None:
    """Nobody else takes back what others have accepted."""
    ada, bob, zoe, path = *map(built.browser, ("ada", "bob", "zoe")), _path(built)
    _save(ada, path, **AWAKE)
    found = re.search(r'name="name" value="(S[0-9a-f]+)"', ada.get(path).text)
    assert found is not None
    assert bob.post(f"{path}/back", name=found[1]).status_code == 400
    assert ada.post(f"{path}/back", name=found[1]).status_code == 303
    assert "withdrawn" in ada.get(path).text
    _save(ada, path, **AWAKE)
    bob.vote(_proposal(built))
    found = re.search(r'name="name" value="(S[0-9a-f]+)"', zoe.get(path).text)
    assert found is not None
    assert ada.post(f"{path}/back", name=found[1]).status_code == 400
    assert zoe.post(f"{path}/back", name=found[1]).status_code == 303
    assert "My dog Rex sleeps all day." in ada.get(f"{path}?opened=D1").text


def test_what_an_edit_voids_is_listed_before_it_is_saved(built: Pages) -> None:
    """Decisions and votes whose evidence changes, and no others."""
    name, zoe, path = built.items[f"{TALK}/Q001"], built.browser("zoe"), _path(built)
    built.browser("ada").vote(name)
    said = zoe.post(f"{path}/check", op="edit_turn", place="D1:1.1", text="I keep goats.").text
    assert "1 decision and 1 vote" in said
    assert f"{TALK}/Q001" in said


def test_forms_without_a_token_and_places_that_are_none_are_refused(built: Pages) -> None:
    """As everywhere on the pages; what people wrote comes out as text."""
    zoe, path = built.browser("zoe"), _path(built)
    assert zoe.post(path, token="", op="merge_sessions", place="D2").status_code == 403
    assert zoe.get(f"{path}/form?op=burn&place=D1").status_code == 404
    assert zoe.get(f"{path}/form?op=edit_turn&place=D9:1.1").status_code == 404
    assert zoe.get(f"{path}/session/D9").status_code == 404
    refused = _save(zoe, path, op="edit_turn", place="D1:2.1", text="<script>alert(1)</script>")
    assert refused.status_code == 400  # `hygiene.markup`
    _save(zoe, path, op="edit_turn", place="D1:2.1", text="Rex <the dog> sleeps.")
    saved = zoe.get(f"{path}?opened=D1").text
    assert "<script>alert" not in refused.text
    assert "&lt;script&gt;" in refused.text
    assert "<the dog>" not in saved
    assert "&lt;the dog&gt;" in saved


def test_a_change_of_an_older_state_is_refused(built: Pages) -> None:
    """Who changes what somebody has changed meanwhile sees it first."""
    zoe, path = built.browser("zoe"), _path(built)
    old = _base(zoe, path, "edit_turn", "D1:2.1")
    _save(zoe, path, op="merge_sessions", place="D2")
    late = zoe.post(path, base=old, op="edit_turn", place="D1:2.1", text="Hello.")
    assert late.status_code == 400
    assert "it has changed since" in late.text


def test_a_round_goes_up_and_down_by_one_click(built: Pages) -> None:
    """Beside it stand links to forms that say already where it would go."""
    zoe, path = built.browser("zoe"), _path(built)
    page = unescape(zoe.get(f"{path}?opened=D1").text)
    links = re.findall(r'hx-get="([^"]+op=move_round[^"]+)"', page)
    assert len(links) == 2
    down = zoe.get(links[0]).text
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
        zoe, path = built.browser("zoe"), _path(built)
        answers = [
            zoe.get(path, params=form),
            zoe.get(f"{path}/form", params=form),
            zoe.post(f"{path}/check", **form),
            zoe.post(path, base="x", comment=HOSTILE, **form),
        ]
    for answer in answers:
        assert "<script>alert" not in answer.text
        assert "<img src=x" not in answer.text
        assert "\"'>" not in answer.text
