"""What the review pages do in a real browser, over a history that was made: keys, pictures, pages.

With MEMASSAY_SCREENSHOTS naming a folder, pictures of what the walk does not pass are left there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from web_walking import Served, chromium, log_in, run, served, shot

from memassay.annotation.web_content import ItemContent
from memassay.annotation.web_pictures import Pictures

pytestmark = pytest.mark.slow
RECIPE = """\
path: m3exam
seed: 7
personas: [wei-courier]
sizes: {sessions: 5, rounds: 5, images: 2, documents: 1}
questions: {mr: 10, ss: 4}
gates:
  timeline: {policy: all, on_open: continue}
  questions: {policy: all, on_open: continue, votes: 2}
release: {name: browsed, licence: CC-BY-4.0}
"""


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
            content = self.at.content.content(item)
            assert isinstance(content, ItemContent)
            pictures = Pictures(content.bundle, content.question)
            for name in content.bundle.attachment_by_id:
                leaf = pictures.leaf(name)
                if leaf is not None and leaf.boxes and kind in name:
                    return item, name
        raise AssertionError(f"expected a question about a {kind}")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """A history whose timeline was accepted in the browser, by a key."""
    folder = tmp_path_factory.mktemp("browser")
    recipe, workspace = folder / "recipe.yaml", folder / "workspace"
    recipe.write_text(RECIPE, encoding="utf-8")
    run(recipe, workspace, "--runner", "plain")
    with chromium() as browser:
        with served(workspace) as at:
            page = log_in(browser, at, "ada")
            page.goto(f"{at.address}/next")
            page.wait_for_selector(".events")
            assert page.locator(".event").count() > 5
            shot(page, "timeline")
            page.keyboard.press("a")
            page.wait_for_selector("text=Nothing waits for you")
        run(recipe, workspace, "--runner", "plain")
        with served(workspace) as at:
            page = log_in(browser, at, "ada")
            yield Opened(browser, at, page)
            assert page.wrong == []


def _width(part: Any) -> float:
    return float(part.bounding_box()["width"])


def test_pages_of_a_document_are_turned_and_enlarged_by_keys(opened: Opened) -> None:
    """With the box of the evidence over the page, until it is hidden."""
    item, name = opened.marked("DOC")
    page = opened.open(item)
    page.click(f"a[href$='/page/{name}']")
    box = page.locator(".sheet rect").first
    assert box.is_visible()
    narrow = _width(page.locator(".sheet"))
    shot(page, "page")
    page.keyboard.press("w")
    assert not box.is_visible()
    for key in ("+", "]", "["):
        if page.locator(f"a:has(kbd:text-is('{key}'))").count():
            with page.expect_navigation():
                page.keyboard.press(key)
    assert _width(page.locator(".sheet")) > narrow
    with page.expect_navigation():
        page.keyboard.press("i")
    page.wait_for_url(f"**/item/{item}#*")


def test_where_the_evidence_stands_is_shown_on_demand(opened: Opened) -> None:
    """Not before; over the picture, at its turn and enlarged."""
    item, name = opened.marked("IMG")
    page = opened.open(item)
    figure = page.locator(f".round.evidence figure:has(.place:text-is('{name}'))")
    assert not figure.locator("rect").first.is_visible()
    page.keyboard.press("w")
    assert figure.locator("rect").first.is_visible()
    figure.locator("[data-zoom]").click()
    assert page.locator("#zoom rect").first.is_visible()
    shot(page, "zoom")
    page.keyboard.press("w")
    assert not page.locator("#zoom rect").first.is_visible()
    page.keyboard.press("Escape")


def test_pictures_are_enlarged_turned_and_laid_side_by_side(opened: Opened) -> None:
    """By key, from the picture that is open."""
    page = opened.open(opened.marked("IMG")[0])
    first = page.locator(".round.evidence [data-zoom]").first
    first.click()
    shown = page.locator(".zoomed").first
    page.wait_for_function("document.querySelector('.zoomed').offsetWidth > 50")
    fitted = shown.bounding_box()
    page.keyboard.press("+")
    assert _width(shown) > fitted["width"]
    page.keyboard.press("-")
    page.keyboard.press("t")
    turned = shown.bounding_box()
    assert (turned["width"] > turned["height"]) != (fitted["width"] > fitted["height"])
    page.keyboard.press("b")
    first.click()
    assert page.locator(".zoomed").count() == 2
    page.keyboard.press("Escape")


def test_a_draft_is_kept_each_second_even_while_somebody_types(opened: Opened) -> None:
    """Typed without a pause, then reloaded at once: what was kept is there."""
    page = opened.open(opened.at.items(kind="question")[0])
    said = "this is typed without any pause"
    with page.expect_response("**/draft"):
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
    for _ in range(50):
        draft = opened.at.desk.draft(item, "ada") or {}
        if draft.get("comment") == "left at once":
            return
        page.wait_for_timeout(100)
    raise AssertionError("expected the draft to be kept")


def test_captions_are_hidden_and_sessions_unfold(opened: Opened) -> None:
    """And a place of the history that is folded is unfolded by its link."""
    page = opened.open(opened.marked("IMG")[0])
    caption = page.locator(".round.evidence .caption").first
    assert caption.is_visible()
    page.keyboard.press("c")
    assert not caption.is_visible()
    page.keyboard.press("c")
    page.locator("details.session summary").first.click()
    page.wait_for_selector(".session-rounds .round")
    page.goto(f"{page.url.partition('#')[0]}#D5:1")
    page.reload()
    page.wait_for_selector("[id='D5:1']")


def test_the_whole_history_is_searched_by_words_that_begin_so(opened: Opened) -> None:
    """And the page says how many rounds there are."""
    page = opened.open(opened.at.items(kind="question")[0])
    page.keyboard.press("/")
    page.keyboard.type("brak")
    page.keyboard.press("Enter")
    page.wait_for_selector("#found .round")
    assert "with all these words" in page.inner_text("#found")
    assert "brak" in page.inner_text("#found .round").casefold()


def test_focus_goes_from_the_question_to_the_decision_to_the_history(opened: Opened) -> None:
    """In the order of the page, to what can be seen and has a name."""
    page = opened.open(opened.at.items(kind="question")[0])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    regions = []
    for _ in range(40):
        page.keyboard.press("Tab")
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


def test_an_item_opens_at_once_and_is_small(opened: Opened) -> None:
    """Under 300 kB without its images; the time is bounded loosely, for slow machines."""
    sizes = []
    page = opened.open(opened.marked("IMG")[0])
    page.on("response", lambda one: sizes.append((one.url, one)))
    page.reload()
    page.wait_for_load_state()
    taken = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    total = sum(len(one.body()) for url, one in sizes if "/image/" not in url)
    assert total < 300_000
    assert taken < 5000


def test_pages_are_dark_where_people_want_it(opened: Opened) -> None:
    """The keys are listed over them, two columns at most."""
    dark = log_in(opened.browser, opened.at, "eve", color_scheme="dark")
    dark.goto(f"{opened.at.address}/item/{opened.marked('IMG')[0]}")
    dark.wait_for_selector(".round")
    dark.keyboard.press("w")
    ground = dark.evaluate("getComputedStyle(document.body).backgroundColor")
    assert max(int(part) for part in ground[4:-1].split(",")) < 60
    shot(dark, "dark")
    dark.keyboard.press("?")
    assert dark.locator("#keys").is_visible()
    shot(dark, "keys")
    assert dark.wrong == []
    dark.context.close()
