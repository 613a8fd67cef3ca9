"""A verdict by field: which parts of a question are wrong."""

from pathlib import Path
from typing import Any

import pytest
from support.fixtures import item
from support.web_builder import Pages, pages

from memassay.annotation.measures.review_stats import review_stats
from memassay.flows.review.decisions import WorkspaceReview
from memassay.schemas.errors import UsageError

WRONG = {"reason": "wrong_answer", "wrong_answer": "yes", "wrong_evidence": "yes"}


def _decision(built: Pages) -> Any:
    (name,) = built.items.values()
    return built.workspace.queue.item(name).decision


def test_a_rejection_names_the_wrong_parts(tmp_path: Path) -> None:
    """In the decision, in the vote that others see, and in the statistics."""
    with pages(tmp_path) as built:
        (name,) = built.items.values()
        ada = built.browser("ada")
        assert ada.vote(name, "reject", **WRONG).status_code == 303
        assert _decision(built).wrong_fields == ["answer", "evidence"]
        assert "wrong: answer, evidence" in ada.get(f"/item/{name}/voted").text
        stats = review_stats(built.workspace.engine)
        assert stats.wrong_fields == {
            "answer": {"votes": 1, "items": 1},
            "evidence": {"votes": 1, "items": 1},
        }
        assert "What is wrong" in built.browser("zoe").get("/owner").text


def test_an_edit_says_what_was_wrong_by_itself(tmp_path: Path) -> None:
    """An accepted edit of the gold answer is a verdict on it; nothing else is."""
    with pages(tmp_path, item(values=["wasps"])) as built:
        (name,) = built.items.values()
        built.browser("ada").vote(name, values="bees")
        assert _decision(built).wrong_fields == ["answer"]


def test_an_acceptance_of_a_wrong_part_is_refused(tmp_path: Path) -> None:
    """Beside the part that is marked."""
    with pages(tmp_path) as built:
        (name,) = built.items.values()
        ada = built.browser("ada")
        ada.client.headers["X-Save"] = "1"
        answer = ada.vote(name, wrong_answer="yes")
        assert (answer.status_code, answer.headers["X-Field"]) == (400, "wrong_answer")
        assert "reject item" in answer.text
        with pytest.raises(UsageError, match="wrong_type: expected a rejection, or an edit"):
            WorkspaceReview(built.workspace).decide(
                name, "accept", "correct", "bo", "", wrong=["type"]
            )


def test_a_decision_that_is_refused_holds_nothing(tmp_path: Path) -> None:
    """The item is there for somebody else at once."""
    with pages(tmp_path) as built:
        (name,) = built.items.values()
        review = WorkspaceReview(built.workspace)
        with pytest.raises(UsageError, match="wrong_answer: expected a rejection"):
            review.decide(name, "accept", "correct", "bo", "", wrong=["answer"])
        assert built.desk.next_item("cy") is not None


def test_votes_that_agree_give_what_either_calls_wrong(tmp_path: Path) -> None:
    """Two rejections with different parts are one decision with both."""
    with pages(tmp_path, votes=2) as built:
        (name,) = built.items.values()
        built.browser("ada").vote(name, "reject", reason="other", wrong_evidence="yes")
        built.browser("bob").vote(name, "reject", reason="other", wrong_question="yes", ticket="t2")
        assert _decision(built).wrong_fields == ["question", "evidence"]
        assert "wrong_fields" in review_stats(built.workspace.engine).agreement


def test_marks_are_kept_in_the_draft(tmp_path: Path) -> None:
    """And are there when the item is opened again."""
    with pages(tmp_path) as built:
        (name,) = built.items.values()
        ada = built.browser("ada")
        ada.get(f"/item/{name}")
        ada.post(f"/item/{name}/draft", wrong_type="yes", comment="odd")
        page = ada.get(f"/item/{name}").text
        assert 'name="wrong_type" value="yes" checked' in page
        assert 'name="wrong_answer" value="yes" checked' not in page
