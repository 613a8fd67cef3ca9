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
from shortcut_readers import (
    Sizes,
    last_number,
    length,
    option_hits,
    position,
    rank,
    top_session,
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
    guesser = {"right": right, "count": 32, "chance": 0.25}
    return {"guessers": {"rank": None, "5 nearest": guesser, "1 nearest": {**guesser, "right": 8}}}


@pytest.mark.parametrize(
    ("right", "judged"), [(9, "kept"), (16, "in doubt"), (18, "MISSED"), (32, "MISSED")]
)
def test_a_type_misses_the_bar_only_beyond_chance(right: int, judged: str) -> None:
    """Of twelve probes, one that is lucky is in doubt; a real shortcut is found."""
    assert verdict(_row(right), probes=12) == judged


def test_guessers_that_could_only_be_wrong_are_no_probes() -> None:
    """Answers that no two conversations share cannot be guessed from another one."""
    row = guessed([Asked(name, "ss", "How much?", name) for name in ("a", "b")])
    assert {*row["guessers"].values(), *row["readers"].values()} == {None}
    assert verdict(row, 1) == "no probe"


def _choice(name: str, gold: str, *texts: str, said: tuple[str, ...] = ()) -> Asked:
    options = tuple(zip("ABCD", texts, strict=True))
    return Asked(name, "fj", "Which one?", gold, options, said)


@pytest.mark.parametrize(
    ("sizes", "texts"),
    [
        (rank, [("9 kg", "80 kg", "700 kg", "6 kg"), ("5 kg", "1,000 kg", "4 kg", "30 kg")]),
        (
            rank,
            [
                ("2 May 2024", "3 June 2024", "1 July 2025", "30 April 2024"),
                ("2 May 2025", "3 June 2025", "1 July 2024", "5 May 2025"),
            ],
        ),
        (rank, [("08:15", "09:00", "12:30", "07:45"), ("10:00", "10:30", "09:59", "10:15")]),
        (length, [("aaa", "bb", "cccc", "d"), ("aa", "bbbb", "c", "ddd")]),
    ],
)
def test_options_that_stand_alike_are_guessed(sizes: Sizes, texts: list[tuple[str, ...]]) -> None:
    """The gold of the one is the greatest of four, of the other too, at another letter."""
    golds = [max(zip(sizes(one) or [], "abcd", strict=True))[1] for one in texts]
    asked = [_choice(name, gold, *one) for name, gold, one in zip("xy", golds, texts, strict=True)]
    assert golds[0] != golds[1]
    assert option_hits(asked, sizes) == (2, 2, 0.25)
    assert option_hits(asked, position)[0] == 0


def test_words_have_no_rank() -> None:
    """A choice of words is none of the guesser's, so it answers nothing."""
    asked = [_choice(name, "a", "red", "blue", "4 kg", "5 kg") for name in "xy"]
    assert option_hits(asked, rank) == (0, 0, 0.0)


def test_the_last_number_of_a_unit_is_read() -> None:
    """By the unit of the gold; of options the one that is said last."""
    said = ("It was 4 kg.", "Now 5 kg, after 9 EUR.")
    number = Asked("x", "ss", "How heavy?", "5 kg", sessions=said)
    assert last_number(number) is True
    assert last_number(Asked("x", "ss", "How heavy?", "4 kg", sessions=said)) is False
    assert last_number(Asked("x", "ss", "How long?", "4 m", sessions=said)) is None
    assert last_number(_choice("x", "b", "4 kg", "5 kg", "6 kg", "7 kg", said=said)) is True


def test_the_top_session_is_the_one_with_the_words_of_the_question() -> None:
    """It answers an item whose gold it says, and a choice if it says no other option."""
    said = ("The cat likes tuna and rests.", "The piano was tuned for forty crowns.")
    assert top_session(Asked("x", "ss", "What was the piano tuned for?", "forty", (), said)) is True
    assert top_session(Asked("x", "ss", "What does the cat like?", "forty", (), said)) is False
    choice = Asked("x", "fj", "What does the cat like?", "b", (("A", "fish"), ("B", "tuna")), said)
    assert top_session(choice) is True
    assert top_session(Asked("x", "ss", "What?", "tuna")) is None


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
