"""Assignments: what does not fit together is named, and what is no answer is said."""

from typing import Any

import pytest

from memassay.schemas.judgements.assignment import Assignment, answer_problem, problems

STEPS = [{"value": "correct", "meaning": "It is."}, {"value": "wrong", "meaning": "It is not."}]
ONE = [{"key": "answer", "text": "bees"}]
TWO = [{"key": "a", "text": "bees"}, {"key": "b", "text": "wasps"}]


def made(kind: str, **more: Any) -> Assignment:
    """An assignment of a kind."""
    fields = {"id": "a/1", "kind": kind, "title": "T", "instructions": "I"}
    return Assignment.model_validate({**fields, **more})


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "choose", "candidates": TWO},
        {"kind": "write"},
        {"kind": "score", "candidates": ONE, "scale": STEPS},
        {"kind": "write", "conversation": "a", "places": ["D1:1"]},
    ],
)
def test_what_fits_has_no_problem(fields: dict[str, Any]) -> None:
    """Each kind with what it needs and nothing else."""
    assert list(problems(made(**fields))) == []


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "choose", "candidates": ONE}, "candidates: expected 2 to 9 to choose from"),
        ({"kind": "choose", "candidates": 5 * TWO}, "candidates: expected 2 to 9"),
        ({"kind": "choose", "candidates": TWO + ONE + ONE}, "got 'answer' twice"),
        ({"kind": "choose", "candidates": TWO, "scale": STEPS}, "scale: expected none to choose"),
        ({"kind": "write", "candidates": ONE}, "candidates: expected none where people write"),
        ({"kind": "score", "candidates": ONE}, "scale: expected 2 to 9 values, got 0"),
        ({"kind": "score", "scale": STEPS}, "candidates: expected the one text to score, got 0"),
        ({"kind": "write", "places": ["D1:1"]}, "conversation: expected one whose places"),
        (
            {"kind": "write", "shown": [{"label": "x", "attachment": "D1:IMG_001"}]},
            "conversation: expected one whose places are shown, got ''",
        ),
    ],
)
def test_what_does_not_fit_is_named(fields: dict[str, Any], said: str) -> None:
    """By record and field, with what was expected."""
    first = next(problems(made(**fields)))
    assert first.startswith("a/1.")
    assert said in first


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        (made("choose", candidates=TWO), "a", "c"),
        (made("write"), "Some words.", " \n"),
        (made("score", candidates=ONE, scale=STEPS), "wrong", "4"),
    ],
)
def test_an_answer_is_one_that_can_be_given(task: Assignment, right: str, wrong: str) -> None:
    """A key, a value, or some words."""
    assert answer_problem(task, right) is None
    assert str(answer_problem(task, wrong)).startswith("answer: expected")
