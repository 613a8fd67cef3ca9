"""Pages of documents, and where on a picture the evidence stands."""

import re
from pathlib import Path

from support.fixtures import (
    asset,
    attached,
    bundle,
    fact,
    item,
    mention,
    session,
    talk,
    utterance,
)
from support.web_builder import Pages, pages, png

from memassay.annotation.pages.content import ItemContent
from memassay.annotation.pages.pictures import Box, Pictures
from memassay.schemas.records.question import Evidence, QAItem

PAGES = ("D1:DOC_001", "D1:DOC_002", "D1:DOC_003")
FACTS = Evidence(groups=[["D1:1"]], canonical=["D1:1"], facts=["talk/F1"])


def _document() -> list[object]:
    """A document of three pages, shown out of order, whose second page tells of bees."""
    shown = [
        attached(place, f"A{number}").model_copy(update={"page": number})
        for number, place in ((2, PAGES[1]), (1, PAGES[0]), (3, PAGES[2]))
    ]
    leaves = [asset(f"A{at}", png(7, (100, 200)), parent="talk/PDF", page=at) for at in (1, 2, 3)]
    where = mention(attachment=PAGES[1], asset="talk/A2", box=[24, 44, 46, 96], modality="document")
    talked = talk(session(1, utterance("D1:1", "Look at this.", attachments=shown)))
    return [talked, *leaves, fact(), where]


def _pictures(question: QAItem | None) -> Pictures:
    return Pictures(bundle(*_document()), question)


def test_pages_of_a_document_follow_their_numbers() -> None:
    """Whatever the order in which a round shows them."""
    leaf = _pictures(None).leaf(PAGES[1])
    assert leaf is not None
    assert (leaf.at, leaf.of, leaf.before, leaf.after) == (2, 3, PAGES[0], PAGES[2])


def test_a_box_is_given_in_shares_of_its_picture() -> None:
    """With a little air around it, and what stands there."""
    leaf = _pictures(item(evidence=[]).model_copy(update={"evidence": FACTS})).leaf(PAGES[1])
    assert leaf is not None
    assert leaf.boxes == (Box(20.0, 20.0, 30.0, 30.0, "bees"),)


def test_without_named_facts_the_gold_is_marked_in_what_is_cited() -> None:
    """As in questions that people write."""
    cited, other = item(evidence=["D1:1"]), item(values=["wasps"], evidence=["D1:1"])
    leaves = [_pictures(one).leaf(PAGES[1]) for one in (cited, other)]
    assert [len(leaf.boxes) for leaf in leaves if leaf] == [1, 0]


def test_a_part_that_was_cut_from_a_page_is_marked_on_it() -> None:
    """An image that is a region of a page shows where it was taken from."""
    cut = asset("A9", png(7), parent="talk/PDF", page=3, box=[0, 0, 50, 100])
    given = _document()
    shown = attached("D1:IMG_009", "A9")
    talked = talk(
        session(
            1,
            utterance("D1:1", "Look.", attachments=[attached(PAGES[2], "A3"), shown]),
        )
    )
    whole = bundle(talked, *given[1:], cut)  # type: ignore[arg-type]
    leaf = Pictures(whole, item(evidence=["D1:IMG_009"]), ["D1:IMG_009"]).leaf(PAGES[2])
    assert leaf is not None
    assert [box.label for box in leaf.boxes] == ["D1:IMG_009"]


def _served(folder: Path, blind_rate: float = 0.0) -> Pages:
    question = item().model_copy(update={"evidence": FACTS})
    picture = png(7, (100, 200))
    records = [question, *_document()]
    with pages(folder, *records, blind_rate=blind_rate) as built:  # type: ignore[arg-type]
        built.workspace.blobs.put(picture)
        return built


def test_a_page_shows_its_neighbours_its_size_and_its_box(tmp_path: Path) -> None:
    """Server-rendered: page n of m, the page before and after, larger and smaller, the box."""
    built = _served(tmp_path)
    (name,) = built.items.values()
    page = built.browser("ada").get(f"/item/{name}/page/{PAGES[1]}?zoom=150").text
    assert "page <b>2</b> of 3" in page
    assert f"/page/{PAGES[0]}?zoom=150" in page
    assert f"/page/{PAGES[2]}?zoom=150" in page
    assert 'href="?zoom=200"' in page
    assert '<rect x="20.00" y="20.00" width="30.00" height="30.00"><title>bees</title>' in page


def test_an_item_links_to_the_pages_of_its_documents(tmp_path: Path) -> None:
    """And offers to show where the evidence stands."""
    built = _served(tmp_path)
    (name,) = built.items.values()
    page = built.browser("ada").get(f"/item/{name}").text
    assert f'href="/item/{name}/page/{PAGES[1]}">Page 2 of 3</a>' in page
    assert page.count("Where is it?") == 2


def test_nothing_is_marked_before_a_blind_answer(tmp_path: Path) -> None:
    """No box, evidence, finding or difference tells the gold that is hidden."""
    built = _served(tmp_path, blind_rate=1.0)
    (name,) = built.items.values()
    ada = built.browser("ada")
    paths = ("", f"/page/{PAGES[1]}", "/session/D1", "/search?words=look")
    for path in paths:
        page = ada.get(f"/item/{name}{path}").text
        assert "<rect" not in page, path
        assert "evidence-tag" not in page, path
        assert "bees" not in page, path
    assert ada.post(f"/item/{name}/check", values="wasps").status_code == 400
    ada.post(f"/item/{name}/blind", blind="wasps")
    assert all("<rect" in ada.get(f"/item/{name}{path}").text for path in paths)


def test_what_is_not_shown_has_no_page(tmp_path: Path) -> None:
    """Ids are looked up among the pictures of the history."""
    built = _served(tmp_path)
    (name,) = built.items.values()
    assert built.browser("ada").get(f"/item/{name}/page/D9:IMG_001").status_code == 404
    assert built.browser("ada").get(f"/item/{name}/page/..%2f..%2fx").status_code == 404


def test_the_history_alone_keeps_nothing_of_its_question(tmp_path: Path) -> None:
    """Neither findings nor certificate nor evidence."""
    from memassay.annotation.pages.views import view_of, without_question

    built = _served(tmp_path)
    (name,) = built.items.values()
    content = built.app.state.pages.item(name)
    assert isinstance(content, ItemContent)
    assert view_of(content).evidence == ("D1:1",)
    alone = without_question(content)
    assert (alone.findings, alone.question, alone.certificate) == ((), None, None)
    assert view_of(alone).evidence == ()


def test_every_picture_has_a_text_for_who_cannot_see_it(tmp_path: Path) -> None:
    """Images carry an alternative text and keep their place while they load."""
    built = _served(tmp_path)
    (name,) = built.items.values()
    ada = built.browser("ada")
    for path in ("", f"/page/{PAGES[1]}"):
        images = re.findall(r"<img [^>]+>", ada.get(f"/item/{name}{path}").text)
        assert images
        assert all(re.search(r'alt="[^"]+".*width="\d+" height="\d+"', one) for one in images)
