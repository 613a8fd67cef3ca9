"""Texts say of pictures what these show: slots, guards, and what is noted of both."""

from random import Random
from typing import Any

import pytest

from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.world.cells.claim_checks import claim_problems
from memassay.synth.world.cells.claims import Claims
from memassay.synth.world.grammar import choose, expand, whole_spans
from memassay.synth.world.persona_file import CardSpec

_ROUND = {"user": "Look.", "assistant": "Yes.", "shows": ["sun", "shade"]}


def _card(text: str, **value: Any) -> CardSpec:
    """A card with two charts, whose second round says a text of them."""
    chart = {
        "kind": "line_chart",
        "title": "Sun",
        "about": "the chart",
        "measure": "height",
        "rows": ["Mon", "Tue", "Wed"],
        "value": {"number": [0, 20, 1], "unit": "cm", **value},
    }
    return CardSpec.model_validate(
        {
            "id": "garlic",
            "what": "the garlic",
            "query": "Which is ahead?",
            "keyword": "garlic",
            "images": {"sun": chart, "shade": chart},
            "rounds": [_ROUND, {"user": "And?", "assistant": text}],
        }
    )


def _facts(**charts: list[int]) -> dict[str, Fact]:
    """Facts of charts by slot, in the order of their rows."""
    facts: dict[str, Fact] = {}
    for name, numbers in charts.items():
        for row, number in zip(["title", "Mon", "Tue", "Wed"], [0, *numbers], strict=True):
            value = FactValue(type=ValueType.NUMBER, text=str(number), unit="cm")
            fact = {"id": f"wei/F{len(facts):04d}", "subject": name, "attribute": row}
            facts[f"image:{name}:{row}"] = Fact(**fact, value=value)
    return facts


def _say(text: str, **charts: list[int]) -> tuple[str, list[tuple[str, list[str]]]]:
    """What a text says, and its spans with the rows that each is about."""
    claims = Claims(_card(text), _facts(**charts))
    told = expand(claims.card.rounds[1].assistant, Random(1), claims.values)
    spans = []
    for span in whole_spans(told):
        one = [claims.facts[span.slot]] if span.slot in claims.facts else []
        rows = [fact.attribute for fact in (*one, *claims.parts.get(span.slot, ()))]
        spans.append((told.text[span.start : span.end], rows))
    return told.text, spans


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        ("sun.highest", "9 cm"),
        ("sun.most", "Tue"),
        ("sun.lowest", "2 cm"),
        ("sun.least", "Mon"),
        ("sun.first", "2 cm"),
        ("sun.last", "7 cm"),
        ("sun.change", "5 cm"),
        ("sun.trend", "Rises"),
        ("shade.trend", "Holds"),
        ("sun.total", "18 cm"),
        ("sun.last-shade.last", "4 cm"),
    ],
)
def test_a_slot_is_computed_of_what_is_drawn(slot: str, text: str) -> None:
    """Values, rows, changes and distances follow from the cells."""
    said, spans = _say(f"{{{slot}}} it is.", sun=[2, 9, 7], shade=[3, 1, 3])
    assert said == f"{text} it is."
    assert spans[0][0] == text
    assert spans[0][1]


def test_a_guard_says_what_holds_and_notes_what_it_rests_on() -> None:
    """The first alternative whose condition holds is taken; its span is about the guard's cells."""
    text = "[if sun.last > shade.last: The sun leads|else: The shade leads], so water."
    assert _say(text, sun=[1, 2, 9], shade=[1, 2, 3]) == (
        "The sun leads, so water.",
        [("The sun leads", ["Wed", "Wed"])],
    )
    assert _say(text, sun=[1, 2, 3], shade=[1, 2, 9])[0] == "The shade leads, so water."


def test_guards_hold_choices_slots_and_other_guards() -> None:
    """What is inside an alternative is worded as elsewhere, with a capital where it opens."""
    text = "[if sun.trend = rises: {sun.most} [wins|wins]|else: [if sun.Mon > 5: no|else: yes]]."
    said, spans = _say(text, sun=[2, 3, 9], shade=[1, 2, 3])
    assert said == "Wed wins."
    assert [span for span, _ in spans] == ["Wed", "Wed wins"]
    assert _say(text, sun=[9, 3, 2], shade=[1, 2, 3])[0] == "no."


def test_an_extreme_that_hardly_leads_is_not_named() -> None:
    """A guard on the slot alone asks whether it is clear."""
    text = "[if sun.most: {sun.most} wins|else: Nobody wins]."
    assert _say(text, sun=[2, 9, 7], shade=[1, 2, 3])[0] == "Tue wins."
    assert _say(text, sun=[2, 9, 9], shade=[1, 2, 3])[0] == "Nobody wins."


def test_a_life_without_pictures_makes_guarded_choices_by_chance() -> None:
    """No condition reaches a text, whoever makes the choice."""
    drawn = {choose("[if a.last > 3: one|else: two]", Random(seed)) for seed in range(20)}
    assert drawn == {"one", "two"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{sun.most} wins.", "two values may be too near"),
        ("[if sun.last > 3: One.|Two.|else: Three.]", "expected a condition in every alternative"),
        ("[if sun.last > 3: One.|if sun.last > 2: Two.]", "expected `else:`"),
        ("[if sun.Fri > 3: One.|else: Two.]", "expected a value of an image shown by then"),
        ("[if moon.last > 3: One.|else: Two.]", "expected a number, a fact of the card"),
        ("{sun.total} in all.", "expected one of receipt"),
    ],
)
def test_the_checker_finds_what_may_not_hold(text: str, expected: str) -> None:
    """A text that some draw would falsify, or that nothing decides, is a problem."""
    (problem,) = claim_problems(_card(text, number=[0, 200, 1]))
    assert expected in problem


def test_the_checker_takes_what_holds_for_every_draw() -> None:
    """Wide steps, guards on the slot, ends and distances are fine."""
    text = "{sun.last}, {sun.last-shade.last}, [if sun.most: {sun.most}|else: no]"
    assert list(claim_problems(_card(text, number=[0, 200, 1]))) == []
    assert list(claim_problems(_card("{sun.most} wins.", number=[0, 20, 1]))) == []


def test_the_checker_wants_pictures_to_be_shown_first() -> None:
    """A text before the picture cannot speak of it."""
    card = _card("Fine.")
    rounds = [card.rounds[1].model_copy(update={"assistant": "{sun.last}."}), card.rounds[0]]
    (problem,) = claim_problems(card.model_copy(update={"rounds": rounds}))
    assert "expected an image shown by then" in problem
