"""What the review pages do, asked over HTTP."""

import re
from pathlib import Path

import pytest
from support.fixtures import item, numbered, refusal
from support.web_builder import pages

from memassay.annotation.pages.keys import KEYS, _registry
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome, Probe, Verdict


def _three(number: int) -> object:
    return item(f"What does Ann keep, {number}?")


def test_accepting_leads_to_the_next_item(tmp_path: Path) -> None:
    """One form decides and goes on; the page after it says what was saved."""
    with pages(tmp_path, *numbered(2, _three), blind_rate=0.0) as built:
        ada = built.browser("ada")
        first, second = built.items.values()
        assert ada.vote(first).headers["location"] == "/next"
        page = ada.get("/next").text
        assert f'data-item="{second}"' in page
        assert f"/item/{first}/voted" in page


def test_a_vote_that_is_sent_twice_is_one_vote(tmp_path: Path) -> None:
    """A client that got no answer may send it again."""
    with pages(tmp_path, votes=2) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.vote(name, ticket="same")
        again = ada.post(f"/item/{name}/vote", ruling="accept", ticket="same")
        assert again.status_code == 303
        assert len(built.desk.votes(name, "ada")) == 1


def test_a_rejection_needs_a_reason(tmp_path: Path) -> None:
    """Without one of the closed list nothing is saved."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        answer = ada.vote(name, "reject")
        assert answer.status_code == 400
        assert "wrong_answer" in answer.text


def test_an_edit_shows_what_it_changes_and_is_in_the_decision(tmp_path: Path) -> None:
    """The difference is shown word by word, and the vote carries the patch."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.get(f"/item/{name}")
        said = ada.post(f"/item/{name}/check", values="honey bees").text
        assert "<del>bees</del><ins>" in said or "<ins>honey</ins>" in said
        ada.vote(name, text="What does Ann keep?", values="honey bees", evidence="D1:1")
        (vote,) = built.desk.votes(name, "ada")
        assert vote["reason"] == "correct_after_edit"
        (change,) = vote["edits"]
        assert change["patch"] == [
            {"op": "replace", "path": "/answer/values/0", "value": "honey bees"}
        ]


def test_an_edit_that_breaks_a_rule_is_not_saved(tmp_path: Path) -> None:
    """Evidence that is not there blocks the submit, and says so."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        answer = ada.vote(name, text="What does Ann keep?", values="bees", evidence="D9:9")
        assert answer.status_code == 400
        assert "D9:9" in answer.text
        assert built.workspace.queue.item(name).state == "open"


def test_undo_opens_the_item_again(tmp_path: Path) -> None:
    """The last vote is withdrawn and its item is back in hand."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.vote(name)
        assert built.workspace.queue.item(name).state == "decided"
        assert ada.post("/undo").headers["location"] == f"/item/{name}"
        assert built.workspace.queue.item(name).state == "open"
        assert ada.get(f"/item/{name}").status_code == 200


def test_gold_is_hidden_until_a_blind_answer_is_given(tmp_path: Path) -> None:
    """For the share that is drawn the gold is not in the page at all, then beside the answer."""
    with pages(tmp_path, item(values=["a rare apiary"]), blind_rate=1.0) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        assert "a rare apiary" not in ada.get(f"/item/{name}").text
        ada.post(f"/item/{name}/blind", blind="bees, I think")
        page = ada.get(f"/item/{name}").text
        assert "a rare apiary" in page
        assert "bees, I think" in page


def test_an_escalated_item_goes_to_an_adjudicator_with_the_note(tmp_path: Path) -> None:
    """Escalated, it is disputed, and only who may decide it sees it."""
    with pages(tmp_path) as built:
        ada, eve = built.browser("ada"), built.browser("eve")
        (name,) = built.items.values()
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/skip", how="escalate", comment="is this legal?")
        assert name in eve.get("/disputes").text
        assert ada.get(f"/item/{name}").status_code == 403
        assert eve.vote(name).status_code == 303
        assert built.workspace.queue.item(name).state == "decided"


def test_what_is_skipped_does_not_come_again(tmp_path: Path) -> None:
    """The next item is another one."""
    with pages(tmp_path, *numbered(2, _three)) as built:
        ada = built.browser("ada")
        first, second = built.items.values()
        ada.get("/next")
        ada.post(f"/item/{first}/skip", how="skip")
        assert f'data-item="{second}"' in ada.get("/next").text


def test_what_was_skipped_is_shown_again(tmp_path: Path) -> None:
    """Where nothing else waits the page says how many there are, and offers them."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.get("/next")
        ada.post(f"/item/{name}/skip", how="skip")
        done = ada.get("/next").text
        assert "You skipped 1 that is still open" in done
        assert "0 open with others" in done
        assert ada.post("/skipped").headers["location"] == "/next"
        assert f'data-item="{name}"' in ada.get("/next").text


@pytest.mark.parametrize("values", ["bees", "honey bees"])
def test_an_empty_question_is_never_accepted(tmp_path: Path, values: str) -> None:
    """Nothing is stored as correct that is not what the form says."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        answer = ada.vote(name, text=" ", values=values)
        assert answer.status_code == 400
        assert "question: expected its text" in answer.text
        assert "question: expected its text" in ada.post(f"/item/{name}/check", text="").text
        assert built.workspace.queue.item(name).state == "open"


@pytest.mark.parametrize("text", ["\u200b", " \u200b ", "\u2060\ufeff", "\u3164"])
def test_a_question_that_nobody_can_see_is_empty(tmp_path: Path, text: str) -> None:
    """Zero-width characters and fillers alone are no words."""
    with pages(tmp_path, blind_rate=0.0) as built:
        (name,) = built.items.values()
        answer = built.browser("ada").vote(name, text=text, values="bees", evidence="D1:1")
        assert answer.status_code == 400
        assert "question: expected its text, got none" in answer.text


def test_a_changed_gold_is_an_edit_though_the_question_is_not_sent(tmp_path: Path) -> None:
    """What a form leaves out stays as it is; what it says is what is stored."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.vote(name, values="honey bees")
        (vote,) = built.desk.votes(name, "ada")
        assert vote["reason"] == "correct_after_edit"
        assert vote["edits"][0]["patch"][0]["value"] == "honey bees"


def test_filters_narrow_the_list_and_the_next_item(tmp_path: Path) -> None:
    """By type, the list and what comes next are of that type only."""
    other = refusal().model_copy(update={"id": "talk/Q009"})
    with pages(tmp_path, item(), other) as built:
        ada = built.browser("ada")
        listed = ada.get("/?type=refusal").text
        assert "talk/Q009" in listed
        assert "talk/Q001" not in listed
        assert "talk/Q009" in ada.get("/next?type=refusal").text


def test_accepting_alike_accepts_what_the_preview_showed(tmp_path: Path) -> None:
    """Only with the seal of the preview, and only as long as the queue is as it was."""
    with pages(tmp_path, *numbered(3, _three)) as built:
        zoe = built.browser("zoe")
        preview = zoe.get("/bulk?reason=policy").text
        found = re.search(r'name="seal" value="(\w+)"', preview)
        assert found is not None
        assert zoe.post("/bulk?reason=policy", seal="0" * 64).status_code == 409
        assert zoe.post("/bulk?reason=policy", seal=found.group(1)).status_code == 303
        states = {built.workspace.queue.item(name).state for name in built.items.values()}
        assert states == {"decided"}


@pytest.mark.parametrize("query", ["", "?reason=error"])
def test_accepting_alike_needs_one_reason_that_is_no_error(tmp_path: Path, query: str) -> None:
    """Errors are accepted one by one."""
    with pages(tmp_path) as built:
        assert built.browser("zoe").get(f"/bulk{query}").status_code == 400


def test_owners_see_throughput_and_agreement(tmp_path: Path) -> None:
    """Who voted how often, how far people agree, and the log as JSON lines."""
    with pages(tmp_path, votes=2) as built:
        (name,) = built.items.values()
        built.browser("ada").vote(name)
        built.browser("bob").vote(name, "reject", reason="ambiguous")
        zoe = built.browser("zoe")
        page = zoe.get("/owner").text
        assert "ada, bob" in page
        assert "0 %" in page
        assert '"reviewer": "bob"' in zoe.get("/owner/log").text


def test_a_page_of_200_rounds_stays_small(tmp_path: Path) -> None:
    """Folded rounds are loaded as needed: the page has less than 300 KB."""
    from support.fixtures import session, talk, utterance

    words = "We talked about the garden for a while, and then about the bees. " * 4
    sessions = [
        session(n, *(utterance(f"D{n}:{r}", words) for r in range(1, 21)), date=f"2024-{n:02d}-01")
        for n in range(1, 11)
    ]
    with pages(tmp_path, item(), talk(*sessions)) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        total = len(ada.get(f"/item/{name}").content)
        for asset in ("review.css", "review.js", "htmx.min.js", "icon.svg"):
            total += len(ada.get(f"/static/{asset}").content)
        assert total < 300_000


def test_two_actions_cannot_have_one_key() -> None:
    """The registry refuses a conflict when it is made."""
    with pytest.raises(ValueError, match="both have it"):
        _registry(("accept", "a", "A", "accept"), ("again", "a", "A", "again"))


def test_every_key_is_shown_to_people(tmp_path: Path) -> None:
    """The dialog of keys lists the whole registry."""
    with pages(tmp_path) as built:
        page = built.browser("ada").get("/").text
    assert all(key.does in page for key in KEYS.values())


def test_guidelines_exist_for_every_type(repository: Path) -> None:
    """Each type of question has a page of its own."""
    from memassay.schemas.records.question_type import QuestionType

    folder = repository / "annotation" / "pages" / "guidelines"
    assert [kind for kind in QuestionType if not (folder / f"{kind}.md").is_file()] == []


def test_the_form_of_an_answer_can_be_mended(tmp_path: Path) -> None:
    """Its format, and how several values belong together, are part of an edit and its diff."""
    with pages(tmp_path) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        ada.get(f"/item/{name}")
        said = ada.post(f"/item/{name}/check", format="number", relation="all").text
        assert "Form of the answer" in said
        assert "<ins>number</ins>" in said
        assert "Several answers" in said
        text = "What does Ann keep?"
        ada.vote(name, text=text, values="bees\nwasps", relation="all", evidence="D1:1")
        (vote,) = built.desk.votes(name, "ada")
        paths = {step["path"] for step in vote["edits"][0]["patch"]}
        assert "/answer/relation" in paths


def test_twenty_votes_can_be_taken_back(tmp_path: Path) -> None:
    """The last first, each back in hand; the one before them stands."""
    with pages(tmp_path, *numbered(21, _three)) as built:
        ada = built.browser("ada")
        items = list(built.items.values())
        for at, name in enumerate(items):
            built.now[0] += 1
            ada.vote(name, ticket=f"t{at}")
        back = []
        for _ in range(21):
            back.append(ada.post("/undo").headers["location"])
        assert back == [*(f"/item/{name}" for name in reversed(items[1:])), "/"]
        states = [built.workspace.queue.item(name).state for name in items]
        assert states == ["decided", *["open"] * 20]


def test_certificate_and_probes_are_shown_after_the_vote(tmp_path: Path) -> None:
    """Neither on the page of the item nor to who has not voted; then as a table."""
    with pages(tmp_path) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        (name,) = built.items.values()
        asked = item()
        certificate = Certificate(
            id=f"{asked.id}/certificate",
            item=asked.id,
            item_sha256=content_hash(asked),
            checks=[Check(rule="gold.readable", outcome=Outcome.PASSED, detail="seen in D1:1")],
            probes=[Probe(name="closed-book", answerer="reader", answer="wasps", score=0.25)],
            verdict=Verdict.SUPPORTED,
        )
        built.workspace.store.put_all([certificate])
        page = ada.get(f"/item/{name}").text
        assert "seen in D1:1" not in page
        assert "wasps" not in page
        assert bob.get(f"/item/{name}/voted").status_code == 400
        ada.vote(name)
        page = ada.get(f"/item/{name}/voted").text
        assert "Certificate: supported" in page
        assert "seen in D1:1" in page
        assert "<td>wasps</td><td>0.25</td>" in page


def test_the_way_back_after_a_vote_shows_the_vote(tmp_path: Path) -> None:
    """What a browser kept is asked for again: not a refusal, but the vote, with Undo above."""
    with pages(tmp_path, *numbered(2, _three), votes=2, blind_rate=0.0) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        first, second = built.items.values()
        ada.vote(first)
        ada.get("/next")
        for others in (0, 1):
            back = ada.get(f"/item/{first}", follow_redirects=False)
            assert (back.status_code, back.headers["location"]) == (303, f"/item/{first}/voted")
            if not others:
                bob.vote(first)
        assert 'action="/undo"' in ada.get(f"/item/{first}/voted").text
        assert ada.get(f"/item/{second}").status_code == 200


def test_a_history_before_the_blind_answer_leads_to_the_question(tmp_path: Path) -> None:
    """Where it is answered; the address of a history is no bare refusal."""
    with pages(tmp_path, blind_rate=1.0) as built:
        (name,) = built.items.values()
        answer = built.browser("ada").get(f"/item/{name}/history", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/item/{name}")


@pytest.mark.parametrize(("length", "status"), [(2000, 303), (2001, 400)])
def test_a_comment_is_kept_whole_or_refused(tmp_path: Path, length: int, status: int) -> None:
    """Nothing of it is cut off in silence."""
    with pages(tmp_path, blind_rate=0.0) as built:
        ada = built.browser("ada")
        (name,) = built.items.values()
        answer = ada.vote(name, comment="c" * length)
        assert answer.status_code == status
        assert built.desk.has_voted(name, "ada") is (status == 303)
        if status == 400:
            assert "comment: expected at most 2000 characters, got 2001" in answer.text
        else:
            assert built.desk.votes(name, "ada")[0]["comment"] == "c" * length


def test_a_refusal_names_no_command_of_a_shell(tmp_path: Path) -> None:
    """People on pages have none."""
    with pages(tmp_path, blind_rate=0.0) as built:
        ada, bob = built.browser("ada"), built.browser("bob")
        (name,) = built.items.values()
        ada.vote(name)
        vote = bob.post(f"/item/{name}/vote", ruling="accept", ticket="t2")
        for refused in (bob.get(f"/item/{name}"), bob.get("/item/R0"), vote):
            assert refused.status_code in (400, 404)
            assert "memassay review" not in refused.text
