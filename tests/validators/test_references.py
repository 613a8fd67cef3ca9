"""Phrases that describe a thing: `question.reference` holds each to its description."""

from typing import Any

import pytest
from support.proof_cases import RED_HAT, red_hats

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.parts.reference import Reference, SubjectDescription
from memassay.validators.check import RULES, check_conversation

RULE = [RULES["question.reference"], RULES["question.asks"]]
DESCRIBED = SubjectDescription(attribute="hat", value="red")


def _found(*wearers: str, text: str | None = None, **changes: Any) -> list[str]:
    changed = Reference.model_validate(RED_HAT.model_copy(update=changes).model_dump())
    (of,) = red_hats(*wearers, reference=changed, text=text).bundles
    return [one.message for one in check_conversation(of, RuleContext(), RULE)]


def test_a_phrase_names_what_it_describes() -> None:
    """A subject that only a description speaks of counts as named."""
    assert _found("Mira") == []


def test_a_phrase_begins_a_sentence() -> None:
    """A capital where a question begins changes nothing."""
    assert _found("Mira", text="The one with the red hat keeps what?") == []


@pytest.mark.parametrize(
    ("wearers", "changes", "told"),
    [
        (("Mira", "Lou"), {}, "alone, got 'Lou, Mira'"),
        (("Lou",), {}, "fits Mira alone, got 'Lou'"),
        ((), {}, "alone, got 'nothing'"),
        (("Lou",), {"means": "Lou"}, "a thing that the query speaks of, got 'Lou'"),
        (("Mira",), {"phrase": "the one with the green hat"}, "a phrase of the question"),
    ],
)
def test_a_phrase_means_one_thing(
    wearers: tuple[str, ...], changes: dict[str, Any], told: str
) -> None:
    """It fits two, another, or none; it means what nobody asks; the question has other words."""
    assert any(told in message for message in _found(*wearers, **changes))


@pytest.mark.parametrize(
    ("phrase", "told"),
    [
        ("the one with the hat", "expected red"),
        ("the red one", "the property hat"),
        ("the one with the red hat and 3 coats", "only words of the description, got '3'"),
        ("the one with the red hat and no coat", "only words of the description, got 'no'"),
    ],
)
def test_a_phrase_says_its_description(phrase: str, told: str) -> None:
    """Each part of a description has its words, and no word denies or counts beside it."""
    found = _found("Mira", text=f"What does {phrase} keep?", phrase=phrase)
    assert any(told in message for message in found)
