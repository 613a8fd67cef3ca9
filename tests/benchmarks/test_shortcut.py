"""Shortcuts: intervals, guessing from other conversations, facts seen outside the evidence."""

from typing import Any

import pytest
from shortcut import guessed, verdict
from shortcut_measures import (
    Asked,
    commonest,
    constant_hits,
    elsewhere,
    folds,
    neighbour_hits,
    share_of,
)


def _ledger(*mentions: tuple[str, str]) -> dict[str, Any]:
    fact = {"subject": "cat", "attribute": "weight", "value_type": "number", "value_unit": "kg"}
    return {
        "facts": [
            {**fact, "id": "F1", "value_text": "4"},
            {**fact, "id": "F2", "value_text": "5"},
        ],
        "mentions": [{"fact": name, "round": where} for name, where in mentions],
    }


def _question(*facts: str) -> dict[str, Any]:
    return {
        "id": "Q1",
        "benchmark_type": "ss",
        "evidence": ["D1:1"],
        "evidence_groups": [["D1:1", "D1:2"]],
        "evidence_facts": list(facts),
    }


def test_an_interval_holds_its_share() -> None:
    """Wilson's interval of 5 in 10 is about 24 to 76 %."""
    share = share_of(5, 10)
    assert (share.low, share.high) == pytest.approx((0.237, 0.763), abs=0.001)
    assert share_of(0, 0).high == 1.0


def test_an_interval_is_wider_if_many_are_judged() -> None:
    """Half of 32 is surely more than 30 % for a single probe, not for one of twelve."""
    assert share_of(16, 32).low > 0.3 > share_of(16, 32, probes=12).low


def _row(right: int) -> dict[str, Any]:
    guesser = {"right": right, "count": 32}
    return {"constant": {"mean": 0.25}, "guessers": {"5 nearest": guesser}}


@pytest.mark.parametrize(
    ("right", "judged"), [(9, "kept"), (16, "in doubt"), (18, "MISSED"), (32, "MISSED")]
)
def test_a_type_misses_the_bar_only_beyond_chance(right: int, judged: str) -> None:
    """Of twelve probes, one that is lucky is in doubt; a real shortcut is found."""
    assert verdict(_row(right), probes=12) == judged


def test_guessers_that_could_only_be_wrong_are_no_probes() -> None:
    """Answers that no two conversations share cannot be guessed from another one."""
    row = guessed([Asked(name, "ss", "How much?", name) for name in ("a", "b")])
    assert (row["guessable"], row["guessers"], verdict(row, 1)) == (0, {}, "no probe")


def test_equally_common_answers_are_taken_in_order() -> None:
    """A tie does not depend on the order of questions."""
    assert commonest(["b", "a", "a", "b"]) == "a"


def test_guessers_see_other_conversations_only() -> None:
    """A question is never guessed from its own conversation."""
    asked = [Asked(name, "ss", "How much?", gold) for name, gold in (("a", "1"), ("b", "2"))]
    assert [[one.conversation for one in others] for _, others in folds(asked)] == [["b"], ["a"]]
    assert constant_hits(asked) == 0


def test_a_question_with_one_answer_everywhere_is_guessed() -> None:
    """The neighbour finds an answer that does not depend on the conversation."""
    asked = [
        Asked(name, "th", question, gold)
        for name in ("a", "b")
        for question, gold in (("How to bake bread", "knead"), ("How to brew tea", "boil"))
    ]
    assert neighbour_hits(asked)["1 nearest"] == 4


def test_a_fact_seen_outside_the_evidence_yields_the_gold() -> None:
    """A mention in a round that no evidence group names makes the evidence superfluous."""
    found = elsewhere(_question("F1"), _ledger(("F1", "D1:1"), ("F1", "D2:3")))
    assert found is not None
    assert (found.yields_gold, found.rounds) == (True, ("D2:3",))


def test_an_alternative_of_the_evidence_is_not_elsewhere() -> None:
    """Rounds of an evidence group count as evidence."""
    assert elsewhere(_question("F1"), _ledger(("F1", "D1:2"))) is None


def test_one_fact_of_two_does_not_yield_the_gold() -> None:
    """An item with two facts needs both outside."""
    found = elsewhere(_question("F1", "F2"), _ledger(("F1", "D2:3"), ("F2", "D1:1")))
    assert found is not None
    assert not found.yields_gold
