"""The pages on which people choose, write and score, asked over HTTP."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.fixtures import asset, item, pictured, png, talk
from support.web_builder import RUN, Pages, pages

from memassay.annotation.measures.score_stats import keep_judgements
from memassay.flows.review.assignments import queue_assignments
from memassay.schemas.judgements.assignment import (
    Assignment,
    AssignmentKind,
    Candidate,
    ScaleStep,
    ShownPart,
)

HOSTILE = "</p><script>alert(1)</script>{{ 7 * 7 }}"
CHOOSE = Assignment(
    id="talk/choose-1",
    kind=AssignmentKind.CHOOSE,
    title="Which reply is better?",
    instructions="Keep one.",
    shown=[ShownPart(label="Request", text="Say hello.")],
    candidates=[
        Candidate(key="1", text=f"Hello. {HOSTILE}", author="model-alpha"),
        Candidate(key="2", text="Good day.", author="model-beta"),
        Candidate(key="3", text="Howdy.", author="model-gamma"),
    ],
)
WRITE = Assignment(
    id="talk/outline-1",
    kind=AssignmentKind.WRITE,
    title="Outline of session 2",
    instructions="Five lines.",
    conversation="talk",
    places=["D1:1"],
    shown=[ShownPart(label="Seen before", attachment="D1:IMG_001")],
)
SCORE = Assignment(
    id="talk/score-1",
    kind=AssignmentKind.SCORE,
    title="Score an answer",
    instructions="Compare.",
    shown=[ShownPart(label="Gold answer", text="bees")],
    candidates=[Candidate(key="answer", text="wasps", author="reader-a")],
    scale=[ScaleStep(value=str(n), meaning=f"level {n}") for n in range(5, -1, -1)],
)


@contextmanager
def asked(
    folder: Path, *assignments: Assignment, votes: int = 1
) -> Iterator[tuple[Pages, list[str]]]:
    """Pages over assignments, beside a conversation that is in review, and their items."""
    history = talk(*pictured())
    with pages(folder, item(), history, asset(data=png(7))) as built:
        queue = built.workspace.queue
        covers = queue.item(next(iter(built.items.values()))).covers
        queue.remember(RUN, "questions", {"talk": [one.sha256 for one in covers]})
        requests = queue_assignments(built.workspace, "ask", "ask", list(assignments), votes=votes)
        yield built, [one.item for one in requests]


def decision(built: Pages, item: str) -> Any:
    """The decision of an item."""
    return built.workspace.queue.item(item).decision


def test_a_draft_is_kept_with_one_button(tmp_path: Path) -> None:
    """Its key is the answer of the vote, and the next page says what was saved."""
    with asked(tmp_path, CHOOSE) as (built, (name,)):
        ada = built.browser("ada")
        page = ada.get(f"/item/{name}").text
        for number in (1, 2, 3):
            assert f'data-action="number_{number}"' in page
        chosen = f"draft-{_order(page).index('2') + 1}"
        answer = ada.post(f"/item/{name}/vote", answer=chosen, ticket="t", seconds="9")
        assert answer.headers["location"] == "/next"
        made = decision(built, name)
    assert (made.ruling, made.answer, made.reviewer) == ("accept", "2", "ada")


def _order(page: str) -> list[str]:
    """Keys of the candidates in the order of a page, which does not hold them."""
    assert re.findall(r'name="answer" value="([^"]+)"', page) == ["draft-1", "draft-2", "draft-3"]
    places = {page.index(one.text[:6]): one.key for one in CHOOSE.candidates}
    return [places[place] for place in sorted(places)]


def test_authors_are_told_after_the_vote_only(tmp_path: Path) -> None:
    """Neither the page nor its source names them before."""
    with asked(tmp_path, CHOOSE) as (built, (name,)):
        ada = built.browser("ada")
        assert "model-" not in ada.get(f"/item/{name}").text
        ada.post(f"/item/{name}/vote", answer="2", ticket="t")
        assert "model-beta" in ada.get(f"/item/{name}/voted").text


def test_drafts_stand_in_another_order_for_others(tmp_path: Path) -> None:
    """The same at each reload; over some reviewers every draft comes first once."""
    with asked(tmp_path, CHOOSE, votes=3) as (built, (name,)):
        orders = {}
        for who in ("ada", "bob", "zoe"):
            browser = built.browser(who)
            first, again = (_order(browser.get(f"/item/{name}").text) for _ in range(2))
            assert first == again
            orders[who] = tuple(first)
    assert all(sorted(order) == ["1", "2", "3"] for order in orders.values())
    assert len(set(orders.values())) > 1


def test_what_was_written_is_text(tmp_path: Path) -> None:
    """Markup and templates in a draft, a title or an answer do nothing."""
    odd = CHOOSE.model_copy(update={"title": HOSTILE, "instructions": HOSTILE, "criteria": HOSTILE})
    with asked(tmp_path, odd) as (built, (name,)):
        page = built.browser("ada").get(f"/item/{name}")
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_votes_for_other_drafts_are_a_dispute(tmp_path: Path) -> None:
    """An adjudicator sees who kept which draft, by the names on their own page."""
    with asked(tmp_path, CHOOSE, votes=2) as (built, (name,)):
        for who, key in (("ada", "1"), ("bob", "2")):
            browser = built.browser(who)
            browser.get(f"/item/{name}")
            browser.post(f"/item/{name}/vote", answer=key, ticket="t", comment=f"{who} says")
        assert built.workspace.queue.item(name).state == "disputed"
        eve = built.browser("eve")
        page = eve.get(f"/item/{name}").text
        assert "They disagree" in page
        order = _order(page)
        assert f"<b>ada</b>: Draft {order.index('1') + 1}: “ada says”" in page
        assert "model-" not in eve.get(f"/item/{name}/voted").text
        assert eve.post(f"/item/{name}/vote", answer="2", ticket="t").status_code == 303
        assert decision(built, name).answer == "2"


def test_none_of_them_needs_a_reason(tmp_path: Path) -> None:
    """A rejection has a code and no answer, whatever else the form holds."""
    with asked(tmp_path, CHOOSE) as (built, (name,)):
        ada = built.browser("ada")
        assert ada.vote(name, "reject").status_code == 400
        ada.post(f"/item/{name}/vote", ruling="reject", answer="1", reason="unreadable", ticket="t")
        made = decision(built, name)
    assert (made.ruling, made.reason, made.answer) == ("reject", "unreadable", "")


@pytest.mark.parametrize("fields", [{"answer": "9"}, {"ruling": "accept"}, {"answer": " "}, {}])
def test_what_is_no_answer_is_refused(tmp_path: Path, fields: dict[str, str]) -> None:
    """A draft that is not there, nothing at all: the item stays open."""
    with asked(tmp_path, CHOOSE) as (built, (name,)):
        ada = built.browser("ada")
        ada.get(f"/item/{name}")
        assert ada.post(f"/item/{name}/vote", ticket="t", **fields).status_code == 400
        assert built.workspace.queue.item(name).state == "open"


def test_a_text_is_drafted_and_saved(tmp_path: Path) -> None:
    """What is typed survives a reload; saved, its line ends are plain."""
    with asked(tmp_path, WRITE) as (built, (name,)):
        ada = built.browser("ada")
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/draft", answer="First line")
        assert ">First line</textarea>" in ada.get(f"/item/{name}").text
        ada.post(f"/item/{name}/vote", ruling="accept", answer="One\r\nTwo\r\n", ticket="t")
        assert decision(built, name).answer == "One\nTwo"


def test_other_texts_go_to_an_adjudicator_who_can_take_one(tmp_path: Path) -> None:
    """Each text stands there with a button."""
    with asked(tmp_path, WRITE, votes=2) as (built, (name,)):
        for who in ("ada", "bob"):
            browser = built.browser(who)
            browser.get(f"/item/{name}")
            browser.post(f"/item/{name}/vote", ruling="accept", answer=f"By {who}", ticket="t")
        page = built.browser("eve").get(f"/item/{name}").text
    assert '<p class="prose" id="text-2">By bob</p>' in page
    assert 'data-use="text-2"' in page


def test_the_conversation_stands_beside_it(tmp_path: Path) -> None:
    """Where the queue knows it: its places open, its pictures and search at hand."""
    with asked(tmp_path, WRITE) as (built, (name,)):
        ada = built.browser("ada")
        page = ada.get(f"/item/{name}").text
        assert 'data-place="D1:1"' in page
        assert f'src="/item/{name}/image/D1:IMG_001"' in page
        assert ada.get(f"/item/{name}/image/D1:IMG_001").headers["content-type"] == "image/png"
        assert ada.get(f"/item/{name}/search?words=bees").status_code == 200


def test_without_a_conversation_there_is_no_history(tmp_path: Path) -> None:
    """The page stands alone, and asking for a session or a picture finds nothing."""
    with asked(tmp_path, SCORE) as (built, (name,)):
        ada = built.browser("ada")
        assert "data-place" not in ada.get(f"/item/{name}").text
        for path in ("session/D1", "search?words=x", "image/D1:IMG_001", "shown/0", "shown/9"):
            assert ada.get(f"/item/{name}/{path}").status_code == 404, path


def test_an_image_of_no_conversation_is_shown_by_its_place(tmp_path: Path) -> None:
    """Its bytes lie in the workspace; no name of a file or hash is in the address."""
    with pages(tmp_path) as built:
        blob = built.workspace.blobs.put(png(9))
        part = ShownPart(label="D3:IMG_001", blob_sha256=blob)
        task = CHOOSE.model_copy(update={"shown": [part]})
        (request,) = queue_assignments(built.workspace, "ask", "ask", [task])
        ada = built.browser("ada")
        assert f'src="/item/{request.item}/shown/0"' in ada.get(f"/item/{request.item}").text
        answer = ada.get(f"/item/{request.item}/shown/0")
    assert (answer.headers["content-type"], answer.content) == ("image/png", png(9))


def test_a_score_is_one_key(tmp_path: Path) -> None:
    """The digits of the scale are its keys, best first, with their meanings; no reader is named."""
    with asked(tmp_path, SCORE) as (built, (name,)):
        ada = built.browser("ada")
        page = ada.get(f"/item/{name}").text
        assert re.findall(r'data-action="number_(\d)"', page) == list("543210")
        assert "level 4" in page
        assert "reader-a" not in page
        ada.post(f"/item/{name}/vote", answer="4", ticket="t")
        assert decision(built, name).answer == "4"
        assert "reader-a" in ada.get(f"/item/{name}/voted").text


def test_undo_opens_an_assignment_again(tmp_path: Path) -> None:
    """Its answer is withdrawn with the vote."""
    with asked(tmp_path, SCORE) as (built, (name,)):
        ada = built.browser("ada")
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/vote", answer="4", ticket="t")
        assert ada.post("/undo").headers["location"] == f"/item/{name}"
        assert decision(built, name) is None


def test_next_leads_to_assignments_too(tmp_path: Path) -> None:
    """They are items like all others; a filter finds them by what is to be done."""
    with asked(tmp_path, CHOOSE, SCORE) as (built, (_, scored)):
        ada = built.browser("ada")
        assert f'data-item="{scored}"' in ada.get("/next?type=score").text
        assert "talk/choose-1" in ada.get("/?type=choose").text


def test_assignments_are_not_accepted_in_bulk(tmp_path: Path) -> None:
    """They are answered one by one."""
    with asked(tmp_path, CHOOSE, SCORE) as (built, _):
        preview = built.browser("zoe").get("/bulk?reason=asked").text
    assert "talk/choose-1" not in preview


def test_owners_see_how_far_answers_agree(tmp_path: Path) -> None:
    """Beside the rulings, and what each answered where they differ."""
    with asked(tmp_path, CHOOSE, votes=2) as (built, (name,)):
        for who, key in (("ada", "1"), ("bob", "2")):
            browser = built.browser(who)
            browser.get(f"/item/{name}")
            browser.post(f"/item/{name}/vote", answer=key, ticket="t")
        page = built.browser("zoe").get("/owner").text
    assert "<b>0 %</b>agree on the answer" in page
    assert "<b>100 %</b>agree on the ruling" in page
    assert "ada: 1" in page


def test_owners_see_scores_by_type_and_how_far_a_judge_agrees(tmp_path: Path) -> None:
    """Given, scored and their mean, for all and type by type; the judge beside the people."""
    tasks = [
        SCORE.model_copy(update={"id": f"talk/score-{at}", "group": group})
        for at, group in enumerate(("FR", "FR", "VR"))
    ]
    with asked(tmp_path) as (built, _):
        run = "score demo 0.1.0"
        requests = queue_assignments(built.workspace, run, "score", tasks)
        items = [one.item for one in requests]
        keep_judgements(built.workspace.engine, "judge:gpt", dict.fromkeys(items, "4"), 1.0)
        ada = built.browser("ada")
        for name, score in zip(items[:2], "42", strict=True):
            ada.get(f"/item/{name}")
            ada.post(f"/item/{name}/vote", answer=score, ticket=name)
        page = built.browser("zoe").get("/owner").text
        assert ada.get("/owner").status_code == 403
    assert 'Scores of reader-a <span class="quiet">on demo 0.1.0, 0 to 5</span>' in page
    assert "<td>all</td><td>3</td><td>2</td><td>0</td><td>3.00</td>" in page
    assert "<td>FR</td><td>2</td><td>2</td><td>0</td><td>3.00</td>" in page
    assert "<td>VR</td><td>1</td><td>0</td><td>0</td><td>–</td>" in page
    assert "<td>gpt</td><td>2</td><td>50 %</td>" in page
    assert "<td>+1.00</td>" in page


ANYTHING = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'>"


@pytest.mark.parametrize(
    "kind", [AssignmentKind.CHOOSE, AssignmentKind.WRITE, AssignmentKind.SCORE]
)
def test_every_field_of_an_assignment_is_inert(tmp_path: Path, kind: AssignmentKind) -> None:
    """What is asked, shown, drafted and answered: before the vote, refused, and after it."""
    drafts = {"choose": ["1", "2"], "write": [], "score": ["answer"]}[kind]
    task = Assignment(
        id="talk/hostile",
        kind=kind,
        title=ANYTHING,
        instructions=ANYTHING,
        shown=[ShownPart(label=ANYTHING, text=ANYTHING * 20)],
        candidates=[Candidate(key=k, text=ANYTHING + k, author=ANYTHING) for k in drafts],
        scale=[
            ScaleStep(value=v, meaning=ANYTHING) for v in ("10" if drafts == ["answer"] else "")
        ],
        places=["D1:1"],
        conversation="talk",
        group=ANYTHING,
    )
    answer = ANYTHING if kind is AssignmentKind.WRITE else "1"
    with asked(tmp_path, task) as (built, (name,)):
        ada = built.browser("ada")
        said = [ada.get(f"/item/{name}"), ada.post(f"/item/{name}/vote", ruling=ANYTHING)]
        voted = ada.post(f"/item/{name}/vote", answer=answer, comment=ANYTHING, ticket="t")
        assert voted.status_code == 303
        said += [ada.get(f"/item/{name}/voted"), ada.get("/")]
    for page in said:
        assert "<script>alert" not in page.text
        assert "<img src=x" not in page.text
        assert "\"'>" not in page.text
