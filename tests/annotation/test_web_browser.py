"""What the review pages do in a real browser, over a history that was made: keys, pictures, pages.

With MEMASSAY_SCREENSHOTS naming a folder, pictures of what the walk does not pass are left there.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.made_history import copy_made
from support.web_walking import Served, chromium, follow, log_in, press, run, served, shot, until

from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.pictures import Pictures

pytestmark = pytest.mark.slow
RECIPE = """\
path: m3exam
seed: 7
personas: [wei-courier]
sizes: {sessions: 5, rounds: 5, images: 2, documents: 1}
gates: {timeline: {policy: all}}
"""
"""A run that ends before the conversation is written, to wait for people."""


@dataclass
class Opened:
    """A browser before a workspace that is served.

    Attributes:
        browser: The browser.
        at: The workspace.
        page: A page of ada, who votes.
    """

    browser: Any
    at: Served
    page: Any

    def open(self, item: str) -> Any:
        """Her page, at an item."""
        self.page.goto(f"{self.at.address}/item/{item}")
        self.page.wait_for_selector(".round")
        return self.page

    def marked(self, kind: str) -> tuple[str, str]:
        """An item whose evidence stands on a picture or page, and the attachment."""
        for item in self.at.items(kind="question"):
            content = self.at.content.items.content(item)
            assert isinstance(content, ItemContent)
            pictures = Pictures(content.bundle, content.question)
            for name in content.bundle.attachment_by_id:
                leaf = pictures.leaf(name)
                if leaf is not None and leaf.boxes and kind in name:
                    return item, name
        raise AssertionError(f"expected a question about a {kind}")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A history that was made, and ada before it."""
    folder = copy_made(tmp_path_factory, tmp_path_factory.mktemp("browser"))
    with chromium() as browser, served(folder / "workspace") as at:
        page = log_in(browser, at, "ada")
        yield Opened(browser, at, page)
        assert page.wrong == []


def _width(part: Any) -> float:
    return float(part.bounding_box()["width"])


def _lies(part: Any) -> bool:
    box = part.bounding_box()
    return bool(box["width"] > box["height"])


def test_a_timeline_is_accepted_by_a_key(opened: Opened, tmp_path: Path) -> None:
    """Before its conversation is written; then nothing waits."""
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    run(tmp_path / "recipe.yaml", tmp_path / "workspace", "--runner", "plain")
    with served(tmp_path / "workspace") as at:
        page = log_in(opened.browser, at, "ada")
        page.goto(f"{at.address}/next")
        page.wait_for_selector(".events")
        assert page.locator(".event").count() >= 5
        shot(page, "timeline")
        follow(page, "a")
        page.wait_for_selector("text=Nothing waits for you")
        assert page.wrong == []
        page.context.close()


def test_pages_of_a_document_are_turned_and_enlarged_by_keys(opened: Opened) -> None:
    """With the box of the evidence over the page, until it is hidden."""
    item, name = opened.marked("DOC")
    page = opened.open(item)
    with page.expect_navigation():
        page.click(f"a[href$='/page/{name}']")
    box = page.locator(".sheet rect").first
    box.wait_for(state="visible")
    narrow = _width(page.locator(".sheet"))
    shot(page, "page")
    press(page, "w")
    box.wait_for(state="hidden")
    for key in ("+", "]", "["):
        if page.locator(f"a:has(kbd:text-is('{key}'))").count():
            follow(page, key)
    until(page, "a wider page", lambda: _width(page.locator(".sheet")) > narrow)
    follow(page, "i")
    page.wait_for_url(f"**/item/{item}#*")


def test_where_the_evidence_stands_is_shown_on_demand(opened: Opened) -> None:
    """Not before; over the picture, at its turn and enlarged."""
    item, name = opened.marked("IMG")
    page = opened.open(item)
    figure = page.locator(f".round.evidence figure:has(.place:text-is('{name}'))")
    box, enlarged = figure.locator("rect").first, page.locator("#zoom rect").first
    box.wait_for(state="hidden")
    press(page, "w")
    box.wait_for(state="visible")
    figure.locator("[data-zoom]").click()
    enlarged.wait_for(state="visible")
    shot(page, "zoom")
    press(page, "w")
    enlarged.wait_for(state="hidden")


def test_pictures_are_enlarged_turned_and_laid_side_by_side(opened: Opened) -> None:
    """By key, from the picture that is open."""
    page = opened.open(opened.marked("IMG")[0])
    first = page.locator(".round.evidence [data-zoom]").first
    first.click()
    shown = page.locator(".zoomed").first
    until(page, "the picture fitted to the window", lambda: _width(shown) > 50)
    fitted, lies = _width(shown), _lies(shown)
    press(page, "+")
    until(page, "a larger picture", lambda: _width(shown) > fitted)
    press(page, "-")
    press(page, "t")
    until(page, "a turned picture", lambda: _lies(shown) != lies)
    press(page, "b")
    first.click()
    page.locator(".zoomed").nth(1).wait_for()


def test_a_draft_is_kept_each_second_even_while_somebody_types(opened: Opened) -> None:
    """Typed without a pause, then reloaded at once: what was kept is there."""
    page = opened.open(opened.at.items(kind="question")[0])
    said = "this is typed without any pause"
    with page.expect_response(lambda one: "comment=this" in (one.request.post_data or "")):
        page.locator("[name=comment]").press_sequentially(said, delay=60)
    page.reload()
    kept = page.input_value("[name=comment]")
    assert kept
    assert said.startswith(kept)


def test_what_is_typed_last_is_kept_when_the_page_is_left(opened: Opened) -> None:
    """Even within the second before."""
    item = opened.at.items(kind="question")[1]
    page = opened.open(item)
    page.fill("[name=comment]", "left at once")
    page.goto("about:blank")
    kept = lambda: opened.at.draft(item, "ada").get("comment")  # noqa: E731
    until(page, "the draft to be kept", lambda: kept() == "left at once")


def test_captions_are_hidden_and_sessions_unfold(opened: Opened) -> None:
    """And a place of the history that is folded is unfolded by its link."""
    page = opened.open(opened.marked("IMG")[0])
    caption = page.locator(".round.evidence .caption").first
    caption.wait_for(state="visible")
    press(page, "c")
    caption.wait_for(state="hidden")
    press(page, "c")
    caption.wait_for(state="visible")
    page.locator("details.session summary").first.click()
    page.wait_for_selector(".session-rounds .round")
    page.goto(f"{page.url.partition('#')[0]}#D5:1")
    page.reload()
    page.wait_for_selector("[id='D5:1']")


def test_the_whole_history_is_searched_by_words_that_begin_so(opened: Opened) -> None:
    """And the page says how many rounds there are."""
    page = opened.open(opened.at.items(kind="question")[0])
    press(page, "/")
    page.keyboard.type("brak")
    press(page, "Enter")
    page.wait_for_selector("#found .round")
    assert "with all these words" in page.inner_text("#found")
    assert "brak" in page.inner_text("#found .round").casefold()


def test_focus_goes_from_the_question_to_the_decision_to_the_history(opened: Opened) -> None:
    """In the order of the page, to what can be seen and has a name."""
    page = opened.open(opened.at.items(kind="question")[0])
    press(page, "Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    regions = []
    for _ in range(90):
        press(page, "Tab")
        region, name, seen = page.evaluate(
            """() => {
              const one = document.activeElement;
              const part = one.closest("header.bar, .left, .right, .why");
              const text = one.getAttribute("aria-label") || one.title || one.innerText
                || one.labels?.[0]?.innerText || one.querySelector("title")?.textContent || "";
              return [part?.className || "", text.trim(), one.getClientRects().length > 0];
            }"""
        )
        assert name
        assert seen
        if region and (not regions or regions[-1] != region):
            regions.append(region)
    assert regions[:3] == ["bar", "left", "right"]


def test_every_action_shows_its_key(opened: Opened) -> None:
    """On the button itself."""
    page = opened.open(opened.marked("IMG")[0])
    bare = page.evaluate(
        """() => [...document.querySelectorAll("[data-action]")]
          .filter((one) => !one.querySelector("kbd")).map((one) => one.dataset.action)"""
    )
    assert bare == []


def test_what_decides_stays_in_view_with_edit_open(opened: Opened) -> None:
    """On a laptop's screen: the notice, what the rules say, and the buttons, however far one is."""
    page = log_in(opened.browser, opened.at, "zoe", viewport={"width": 1366, "height": 768})
    page.goto(f"{opened.at.address}/item/{opened.at.items(kind='question')[-1]}")
    page.wait_for_selector(".round")
    press(page, "e")
    page.fill("[name=text]", "What is it?")
    page.wait_for_selector("#check .finding")
    page.context.clear_cookies()
    page.fill("[name=text]", "What is it now?")
    page.wait_for_selector("[data-state=ended]")
    for place in (0, 200, 100_000):
        page.evaluate("(place) => document.querySelector('.left').scrollTo(0, place)", place)
        for part in ("#check", "[data-state]", "[data-action=accept]", "[data-action=reject]"):
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 768, (part, place)
    page.context.close()


@pytest.mark.parametrize("path", ["", "next", "write", "item/{item}", "item/{item}/page/{name}"])
def test_a_narrow_screen_scrolls_in_one_direction(opened: Opened, path: str) -> None:
    """Nothing is wider than a telephone."""
    item, name = opened.marked("DOC")
    page = opened.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{opened.at.address}/{path.format(item=item, name=name)}")
    page.wait_for_load_state()
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.set_viewport_size({"width": 1360, "height": 850})
    assert wide <= 360


def test_an_item_is_small(opened: Opened) -> None:
    """Page, style and scripts are under 300 kB together, as the browser unpacks them."""
    page = opened.open(opened.marked("IMG")[0])
    sizes = page.evaluate(
        """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
          .filter((one) => !one.name.includes("/image/")).map((one) => one.decodedBodySize)"""
    )
    assert len([size for size in sizes if size > 1000]) >= 4
    assert sum(sizes) < 300_000


def test_pages_are_dark_where_people_want_it(opened: Opened) -> None:
    """The keys are listed over them, two columns at most."""
    dark = log_in(opened.browser, opened.at, "eve", color_scheme="dark")
    dark.goto(f"{opened.at.address}/item/{opened.marked('IMG')[0]}")
    dark.wait_for_selector(".round")
    press(dark, "w")
    ground = dark.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in ground[4:-1].split(",")) < 60
    shot(dark, "dark")
    press(dark, "?")
    dark.wait_for_selector("#keys")
    shot(dark, "keys")
    assert dark.wrong == []
    dark.context.close()


def test_a_query_fills_gold_and_evidence_of_a_new_question(opened: Opened) -> None:
    """By keys alone: the box, the query, its result, the gold; a changed query shows nothing.

    Enter in the line of the evidence runs nothing.
    """
    asked: list[str] = []
    questions = (opened.at.content.items.content(one) for one in opened.at.items(kind="question"))
    proven = next(
        one
        for one in questions
        if isinstance(one, ItemContent)
        and one.question is not None
        and one.question.query is not None
        and one.question.answer.relation == "one"
        and one.question.answerable
        # What a description rests on is no part of the query.
        and not one.question.references
    )
    assert proven.question is not None
    page = opened.page
    page.goto(f"{opened.at.address}/write/{proven.head.item}")
    press(page, "q")
    page.keyboard.insert_text(json.dumps(proven.question.query, indent=1))
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[name=evidence]").press("Enter")
    press(page, "Escape")
    press(page, "q")
    page.wait_for_selector("#queried .gives")
    assert page.inner_text("#queried .gives") == proven.question.answer.values[0]
    assert len([url for url in asked if url.endswith("/query")]) == 1
    press(page, "f")
    assert page.input_value("[name=values]") == proven.question.answer.values[0]
    assert page.input_value("[name=evidence]").split() == proven.question.evidence.canonical
    shot(page, "query")
    page.fill("[name=query]", '{"op": "select", "where": {"subject": "nobody"}}')
    assert page.locator("#queried > *").count() == 0
    page.click("[data-run]")
    page.wait_for_selector("#queried [role=alert]")
    assert "NoResultError" in page.inner_text("#queried")
