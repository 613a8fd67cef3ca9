"""The review pages in a real browser, from the login to a release that holds what was decided.

With MEMASSAY_SCREENSHOTS naming a folder, the walk leaves a picture of every page there.
"""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from support.web_builder import PEOPLE
from support.web_walking import (
    PICTURES,
    Served,
    chromium,
    copied_samples,
    follow,
    log_in,
    press,
    run,
    served,
    shot,
    until,
)

from memassay.annotation.voting.shapes import Change, Vote
from memassay.exports.release.reader import Release, open_release
from memassay.schemas.judgements.review import ReasonCode, Ruling

RECIPE = """\
path: curate
sources:
  - {format: mem-gallery, path: samples/mem-gallery, licence: CC-BY-4.0}
  - {format: locomo, path: samples/locomo/locomo_sample.json, licence: CC-BY-4.0}
gates:
  import: {policy: sample, rate: 0.05, votes: 2, on_error: review, on_open: continue}
  validate: {policy: auto}
  compare: {policy: auto}
  assay: {policy: auto}
release: {name: walk, licence: CC-BY-4.0}
"""
FLAGGED = "Wooden_Dinghy_Restoration/Q0006"
"""A question about images whose gold is a number: no image can be right."""
DISPUTED = "sample-1/Q0017"
"""A question without a gold answer."""
BEFORE, AFTER = "in February 2025", "in February and March 2025"
GOLD = ["D1:IMG_001", "D1:IMG_002", "D2:IMG_001", "D2:IMG_002"]
EVIDENCE = ["D1:3", "D1:4", "D2:2", "D2:3"]
LABEL = "a bee above a blue gate"
WRITTEN = "Which sail carries the letter in the attached picture?"
YES = Vote(Ruling.ACCEPT, ReasonCode.CORRECT)
NO = Vote(Ruling.REJECT, ReasonCode.WRONG_ANSWER, "it has no answer at all")


def _cite(page: Any, words: str) -> None:
    """Search the history and add the first round that is found to the evidence."""
    press(page, "Escape")
    press(page, "/")
    page.fill("#words", words)
    press(page, "Enter")
    page.click(f":nth-match(#found .round:has-text('{words}') > header [data-add], 1)")


def _edit(page: Any, at: Served, item: str) -> None:
    """Open a flagged question, add rival evidence, mend the gold, see the difference, submit."""
    page.goto(f"{at.address}/item/{item}")
    page.wait_for_selector(".round.evidence")
    assert "import.answer_not_image_ids" in page.inner_text(".why")
    shot(page, "item")
    for words in ("curve", "mallet"):
        _cite(page, words)
    page.fill("[name=text]", page.input_value("[name=text]").replace(BEFORE, AFTER))
    page.fill("[name=values]", "\n".join(GOLD))
    page.select_option("[name=format]", "image_id")
    page.select_option("[name=relation]", "all")
    page.wait_for_selector("#check ins:has-text('D2:IMG_002')")
    page.wait_for_selector("#check :text('all are needed')")
    page.wait_for_selector("#check :text('No rule objects.')")
    page.wait_for_selector("#check :text('No model calls.')")
    page.locator("#check").scroll_into_view_if_needed()
    shot(page, "edit")
    until(page, "a draft of all of it", lambda: _is_whole(at.draft(item, "zoe")))
    page.reload()
    assert page.input_value("[name=values]").split() == GOLD
    assert page.input_value("[name=evidence]").split() == EVIDENCE
    follow(page, "Control+Enter")
    page.wait_for_selector(".toast")


def _is_whole(draft: dict[str, str]) -> bool:
    kept = [draft.get(name, "").split() for name in ("values", "evidence", "relation")]
    return kept == [GOLD, EVIDENCE, ["all"]]


def _adjudicate(page: Any, at: Served, item: str) -> None:
    """Decide a dispute of two others with an edit of one's own."""
    page.goto(f"{at.address}/disputes")
    shot(page, "disputes")
    with page.expect_navigation():
        page.locator("tbody a").first.click()
    page.wait_for_selector("text=They disagree")
    assert "it has no answer at all" in page.inner_text("main")
    press(page, "e")
    page.fill("[name=values]", LABEL)
    page.wait_for_selector("#check ins")
    shot(page, "adjudicate")
    follow(page, "Control+Enter")
    page.wait_for_url("**/disputes*")
    page.goto(f"{at.address}/item/{item}/voted")
    assert "decides" in page.inner_text("main")
    shot(page, "voted")


def _sail() -> bytes:
    """A picture of a sail with a letter, which the history does not show."""
    image = Image.new("RGB", (240, 200), "#9ec5e8")
    pen = ImageDraw.Draw(image)
    pen.polygon([(60, 60), (150, 30), (190, 170), (50, 160)], fill="#f6efd9", outline="#444")
    pen.line([(105, 90), (113, 125), (121, 100), (129, 125), (137, 90)], fill="#b3261e", width=5)
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def _write(page: Any, at: Served, item: str) -> str:
    """Write a question with an image of its own, evidence and graded answers; gives its id."""
    page.goto(f"{at.address}/write/{item}")
    page.select_option("[name=code]", "VR")
    page.fill("[name=text]", WRITTEN)
    page.fill("[name=values]", "the balanced lugsail of Wagtail")
    page.click("summary:has-text('Graded answers')")
    page.fill("[name=equivalents]", "Wagtail's balanced lugsail\nthe lugsail of Wagtail")
    page.fill("[name=coarser]", "the lugsail")
    page.locator("details.session summary").nth(3).click()
    page.click(".session-rounds figure:has(img[alt^='Sail plan']) [data-add]")
    page.wait_for_function("document.forms.write.elements.evidence.value === 'D4:IMG_001'")
    page.reload()
    assert page.input_value("[name=text]") == WRITTEN
    page.click("summary:has-text('Image shown with the question')")
    sail = {"name": "sail.png", "mimeType": "image/png", "buffer": _sail()}
    page.set_input_files("[name=picture]", sail)
    page.fill("[name=attribution]", "zoe")
    page.locator("details.session summary").nth(3).click()
    page.wait_for_selector(".session-rounds figure")
    page.evaluate("scrollTo(0, 0)")
    shot(page, "write")
    page.click("#write button.primary")
    page.wait_for_selector(".toast b, #check .alert")
    assert page.locator("#check .alert").count() == 0, page.inner_text("#check")
    return str(page.inner_text(".toast b"))


def _pictures(browser: Any, at: Served, page: Any, item: str) -> None:
    """Pages that the walk does not pass, for the pictures only."""
    if not PICTURES:
        return
    page.goto(f"{at.address}/")
    shot(page, "queue")
    page.goto(f"{at.address}/bulk?reason=drawn")
    shot(page, "bulk")
    page.goto(f"{at.address}/owner")
    shot(page, "owner")
    narrow = log_in(browser, at, "bob", viewport={"width": 390, "height": 844})
    narrow.goto(f"{at.address}/item/{item}")
    shot(narrow, "narrow")


@pytest.mark.slow(seconds=16)
def test_the_walk_from_the_login_to_the_release(tmp_path: Path, repository: Path) -> None:
    """Edited, adjudicated and written by hand in a browser, all of it is in the next release."""
    recipe, folder = tmp_path / "walk.yaml", tmp_path / "workspace"
    recipe.write_text(RECIPE, encoding="utf-8")
    copied_samples(repository, tmp_path)
    run(recipe, folder, "--runner", "plain")
    with chromium() as browser, served(folder) as at:
        edited, disputed = at.item(FLAGGED), at.item(DISPUTED)
        at.decide("ada", disputed, YES)
        at.decide("bob", disputed, NO)
        page = log_in(browser, at, "zoe")
        _edit(page, at, edited)
        follow(page, "u")
        page.wait_for_url(f"**/item/{edited}")
        assert at.desk.votes(edited, "zoe", adjudicates=True) == []
        _edit(page, at, edited)
        _adjudicate(page, at, disputed)
        written = _write(page, at, edited)
        _pictures(browser, at, page, edited)
        assert page.wrong == []
        _agree(at, edited)
    for _ in range(2):
        run(recipe, folder, "--runner", "plain")
        with served(folder) as at:
            _agree(at, edited)
    run(recipe, folder, "--runner", "plain")
    released = max((folder / "releases").iterdir(), key=lambda each: each.stat().st_mtime)
    _holds_all_of_it(open_release(released), written)


def _agree(at: Served, edited: str) -> None:
    """Two others accept what is open, and the edit as it was made."""
    made = at.desk.votes(edited, "zoe", adjudicates=True)
    edits = tuple(Change(**each) for each in made[0]["edits"])
    for item in at.items(state="open"):
        for reviewer in PEOPLE:
            at.desk.give_back(item, reviewer)
        for reviewer in ("ada", "bob"):
            if at.content.queue.head(item).state == "open":
                same = Vote(Ruling.ACCEPT, ReasonCode.CORRECT_AFTER_EDIT, edits=edits)
                at.decide(reviewer, item, same if item == edited else YES)


def _holds_all_of_it(release: Release, written: str) -> None:
    """The edit, the ruling of the adjudicator and the new question, with who decided them."""
    questions = {one.id: one for one in release.questions()}
    edited, ruled, new = (questions[name] for name in (FLAGGED, DISPUTED, written))
    assert AFTER in edited.question.text
    assert (edited.answer.values, str(edited.answer.format)) == (GOLD, "image_id")
    assert edited.evidence.canonical == EVIDENCE
    assert ruled.answer.values == [LABEL]
    assert new.question.text == WRITTEN
    (shown,) = new.question.attachments
    assert release.image(shown.asset).size == (240, 200)
    assert new.answer.coarser == ["the lugsail"]
    assert len(new.answer.equivalents) == 2
    ruling = {cover.id: one for one in release.decisions() for cover in one.covers}
    assert ruling[DISPUTED].ruling is Ruling.ACCEPT
    assert ruling[DISPUTED].reason is ReasonCode.CORRECT_AFTER_EDIT
    assert FLAGGED in ruling
